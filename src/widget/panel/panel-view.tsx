import { createRef, Component, type JSX } from 'preact';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { PanelContext } from './panel-context.ts';
import { Transcript } from './transcript/transcript.tsx';
import { Composer } from './window/composer.tsx';
import { Header } from './window/header.tsx';

interface PanelViewProps {
  /** Takes the mounted component. */
  readonly self: { current: PanelView | null };
  readonly context: PanelContext;
  readonly state: ConversationState;
}

/** The panel's inside: who answers, what was said, what to say next. */
export class PanelView extends Component<PanelViewProps> {
  readonly #scroller = createRef<HTMLDivElement>();
  readonly #composer: { current: Composer | null } = { current: null };

  override componentDidMount(): void {
    this.props.self.current = this;
  }

  focusComposer(): void {
    this.#composer.current?.focus();
  }

  get draft(): string {
    return this.#composer.current?.draft ?? '';
  }

  clearDraft(): void {
    this.#composer.current?.clear();
  }

  giveBack(text: string): void {
    this.#composer.current?.giveBack(text);
  }

  /** F6 goes to and fro between what was said and what is being written. */
  switchPart(root: ShadowRoot): void {
    const { current: scroller } = this.#scroller;
    const isReading = scroller?.contains(root.activeElement) === true;
    if (isReading) this.focusComposer();
    else scroller?.focus();
  }

  readonly #page = (share: number): void => {
    const { current: scroller } = this.#scroller;
    scroller?.scrollBy({ top: share * scroller.clientHeight });
  };

  override render({ context, state }: PanelViewProps): JSX.Element {
    return (
      <>
        <Header context={context} isDemo={state.isDemo} connection={state.connection} />
        <Transcript context={context} state={state} scroller={this.#scroller} />
        <Composer self={this.#composer} context={context} state={state} onPage={this.#page} />
      </>
    );
  }
}
