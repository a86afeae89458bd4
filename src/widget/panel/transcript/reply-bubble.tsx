import { Component, createRef, type JSX } from 'preact';
import type { Entry } from '../../conversation/conversation-state.ts';
import { MarkdownView } from '../../markdown/markdown-view.ts';
import { fill } from '../../texts/widget-texts.ts';
import type { PanelContext } from '../panel-context.ts';
import { speakerName } from '../state-texts.ts';
import { Tools } from './tools.tsx';

/** Milliseconds for which a button says that it has copied. */
const shownMs = 2000;

interface ReplyBubbleProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'reply' }>;
  readonly isLast: boolean;
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
    this.#view?.show(
      text,
      isComplete,
      cited?.map(({ url }) => url),
    );
    if (isComplete && this.#box.current !== null) this.props.context.actions.enrich(this.#box.current, cited);
  }

  /** Every button in a reply copies the code that follows it. */
  async #press({ target }: MouseEvent): Promise<void> {
    const { actions, texts } = this.props.context;
    const button = target as HTMLElement; // only elements are pressed
    if (
      button.tagName !== 'BUTTON' ||
      button.className === 'cite' ||
      !(await actions.copy(button.nextSibling?.textContent ?? ''))
    )
      return;
    button.textContent = texts.copied;
    setTimeout(() => (button.textContent = texts.copy), shownMs);
  }

  override render({ context, entry, isLast }: ReplyBubbleProps): JSX.Element {
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
        {entry.ending === 'stopped' && <p class="ending">{texts.notice.stopped}</p>}
        {entry.isComplete && <Tools context={context} entry={entry} isLast={isLast} />}
      </div>
    );
  }
}
