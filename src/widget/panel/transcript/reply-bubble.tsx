import { Component, createRef, type JSX } from 'preact';
import type { Entry } from '../../conversation/conversation-state.ts';
import { MarkdownView } from '../../markdown/markdown-view.ts';
import { fill } from '../../texts/widget-texts.ts';
import type { PanelContext } from '../panel-context.ts';
import { speakerName } from '../state-texts.ts';
import { MessageTools } from './message-tools.tsx';

/** Milliseconds for which a button says that it has copied. */
const shownMs = 2000;

interface ReplyBubbleProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'reply' }>;
}

/** A reply of the assistant. `MarkdownView` draws its inside at intervals of its own. */
export class ReplyBubble extends Component<ReplyBubbleProps> {
  readonly #box = createRef<HTMLDivElement>();
  #view: MarkdownView | null = null;

  override componentDidMount(): void {
    const { texts, links } = this.props.context;
    if (this.#box.current === null) return;
    this.#view = new MarkdownView(this.#box.current, { ...texts, links });
    this.#show();
  }

  override componentDidUpdate(before: ReplyBubbleProps): void {
    const { entry } = this.props;
    if (entry.text !== before.entry.text || entry.isComplete !== before.entry.isComplete) this.#show();
  }

  override componentWillUnmount(): void {
    this.#view?.stop();
  }

  #show(): void {
    const { text, isComplete, cited } = this.props.entry;
    this.#view?.show(text, isComplete, cited);
    if (isComplete && this.#box.current !== null) this.props.context.actions.enrich(this.#box.current);
  }

  /** Every button in a reply copies the code that follows it. */
  async #press({ target }: MouseEvent): Promise<void> {
    const { actions, texts } = this.props.context;
    const button = target as HTMLElement; // only elements are pressed
    if (button.tagName !== 'BUTTON' || !(await actions.copy(button.nextSibling?.textContent ?? ''))) return;
    button.textContent = texts.copied;
    setTimeout(() => (button.textContent = texts.copy), shownMs);
  }

  override render({ context, entry }: ReplyBubbleProps): JSX.Element {
    const { texts, display } = context;
    const { speaker } = entry;
    const botName = speakerName(speaker, display.botName);
    return (
      <div class="message from-bot" part="message-bot">
        <span class="visually-hidden">{fill(texts.botSaid, { botName })}</span>
        {speaker !== undefined && (
          <span class="speaker" aria-hidden="true" dir="auto">
            {botName}
          </span>
        )}
        <div class="bubble markdown" dir="auto" ref={this.#box} onClick={(event) => void this.#press(event)} />
        {entry.isComplete && <MessageTools context={context} at={entry.at} text={entry.text.replace(/^\n+/, '')} />}
        {entry.ending === 'stopped' && <p class="ending">{texts.notice.stopped}</p>}
      </div>
    );
  }
}
