import { createRef, Component, type JSX } from 'preact';
import type { ConversationState, UserMessage } from '../conversation/conversation-state.ts';
import type { PanelContext } from './panel-context.ts';
import { Slot } from './slot.tsx';
import { openQuestion } from './transcript/end-follower.ts';
import { Transcript } from './transcript/transcript.tsx';
import { Composer } from './window/composer.tsx';
import { Header } from './window/header.tsx';

interface PanelViewProps {
  /** Takes the mounted component. */
  readonly self: { current: PanelView | null };
  readonly context: PanelContext;
  readonly state: ConversationState;
}

/** The inside of the panel: the header, the transcript and the composer. */
export class PanelView extends Component<PanelViewProps> {
  readonly #scroller = createRef<HTMLDivElement>();
  readonly #composer: { current: Composer | null } = { current: null };
  readonly #transcript: { current: Transcript | null } = { current: null };

  override componentDidMount(): void {
    this.props.self.current = this;
  }

  focusComposer(): void {
    this.#composer.current?.focus();
  }

  /** Draws the composer anew after a change that does not come from the conversation. */
  drawComposer(): void {
    this.#composer.current?.forceUpdate();
  }

  get draft(): string {
    return this.#composer.current?.state.draft ?? '';
  }

  clearDraft(): void {
    this.#composer.current?.clear();
  }

  write(text: string): void {
    this.#composer.current?.write(text);
  }

  send(): void {
    this.#composer.current?.send();
  }

  giveBack(text: string, images?: UserMessage['images']): void {
    this.#composer.current?.giveBack(text, images);
  }

  /** F6 moves the focus between the transcript and the composer. In the transcript it goes first to whatever waits for an answer. */
  switchPart(root: ShadowRoot): void {
    const { current: scroller } = this.#scroller;
    if (scroller === null) return;
    const isReading = scroller.contains(root.activeElement);
    if (isReading) this.focusComposer();
    else (scroller.querySelector<HTMLElement>(`${openQuestion}, .undo button`) ?? scroller).focus();
  }

  readonly #page = (share: number): void => this.#transcript.current?.page(share);

  override render({ context, state }: PanelViewProps): JSX.Element {
    return (
      <>
        <Header context={context} state={state} />
        {state.entries.length === 0 && <Slot nodes={context.tour} />}
        <Transcript self={this.#transcript} context={context} state={state} scroller={this.#scroller} />
        <Composer
          self={this.#composer}
          context={context}
          state={state.isAside ? { ...state, turn: null } : state}
          onPage={this.#page}
        />
      </>
    );
  }
}
