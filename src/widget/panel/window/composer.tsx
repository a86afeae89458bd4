import { Component, createRef, type JSX } from 'preact';
import type { ConversationState, UserMessage } from '../../conversation/conversation-state.ts';
import { fillCounted } from '../../texts/fill-counted.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { Slot } from '../slot.tsx';

interface ComposerProps {
  /** Takes the mounted component, since a component's `ref` is an ordinary property here. */
  readonly self: { current: Composer | null };
  readonly context: PanelContext;
  readonly state: ConversationState;
  /** Scrolls the transcript by a share of its height. */
  readonly onPage: (share: number) => void;
}

interface ComposerState {
  readonly draft: string;
}

const mostLines = 6;

/** The field for messages. Enter sends, and Shift+Enter makes a new line. While a turn runs the button stops it. */
export class Composer extends Component<ComposerProps, ComposerState> {
  override state: ComposerState = { draft: '' };
  readonly #input = createRef<HTMLTextAreaElement>();
  #lastSent = '';

  override componentDidMount(): void {
    this.props.self.current = this;
  }

  focus(): void {
    this.#input.current?.focus();
  }

  /** Empties the field and its pictures, and forgets the message that was sent last. */
  clear(): void {
    this.#lastSent = '';
    this.write('');
    this.props.context.images?.show([]);
  }

  /** Returns a refused message to the field, unless the user has written something since. */
  giveBack(text: string, images?: UserMessage['images']): void {
    if (this.state.draft !== '' || this.#pictures.length > 0) return;
    this.write(text);
    if (images) this.props.context.images?.show(images);
  }

  get #pictures(): NonNullable<UserMessage['images']> {
    return this.props.context.images?.images ?? [];
  }

  /** The composer ignores a growing reply. */
  override shouldComponentUpdate(next: ComposerProps, nextState: ComposerState): boolean {
    return (
      nextState.draft !== this.state.draft ||
      next.context.version !== this.props.context.version ||
      next.state.maxMessageLength !== this.props.state.maxMessageLength ||
      (next.state.turn === null) !== (this.props.state.turn === null) ||
      next.state.turn?.isStopping !== this.props.state.turn?.isStopping
    );
  }

  override componentDidUpdate(_before: ComposerProps, before: ComposerState): void {
    const { current: input } = this.#input;
    if (input === null || before.draft === this.state.draft) return;
    input.style.height = 'auto';
    const line = Number.parseFloat(getComputedStyle(input).lineHeight);
    input.style.height = `${Math.min(input.scrollHeight, line * mostLines + 16)}px`;
  }

  write(draft: string): void {
    this.setState({ draft });
  }

  readonly send = (): void => {
    const { state, context } = this.props;
    const text = this.state.draft.trim();
    const images = this.#pictures;
    if (this.#cannotSend(text) || state.turn !== null) return;
    this.clear();
    this.#lastSent = text;
    context.actions.send({ text, ...(images.length > 0 && { images }) });
  };

  #cannotSend(text: string): boolean {
    return (
      (text === '' && this.#pictures.length === 0) ||
      isTooLong(text, this.props.state) ||
      this.props.context.images?.isBusy === true
    );
  }

  readonly #press = (event: KeyboardEvent): void => {
    // Enter ends the composition of Japanese and Chinese text. In Safari that Enter is only known by its number.
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.send();
      return;
    }
    if (this.state.draft !== '') return;
    if (event.key === 'ArrowUp' && this.#lastSent !== '') {
      event.preventDefault();
      this.write(this.#lastSent);
    } else if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault();
      this.props.onPage(event.key === 'PageUp' ? -0.9 : 0.9);
    }
  };

  override render({ context, state }: ComposerProps, { draft }: ComposerState): JSX.Element {
    const { texts, actions } = context;
    const text = draft.trim();
    const isLong = isTooLong(text, state);
    const isRunning = state.turn !== null;
    const label = isRunning ? texts.stop : texts.send;
    return (
      <div class="composer" part="composer">
        <p class="composer-error" id="composer-error" role="alert">
          {isLong
            ? fillCounted(texts.tooLong, { count: text.length, max: state.maxMessageLength }, texts.locale)
            : context.images?.fault}
        </p>
        <Slot nodes={context.voice?.line} />
        <div class={`composer-box${isLong ? ' is-invalid' : ''}`}>
          <Slot nodes={context.images?.nodes} />
          <textarea
            ref={this.#input}
            rows={1}
            dir="auto"
            value={draft}
            aria-label={texts.composerLabel}
            aria-describedby="composer-error"
            aria-invalid={isLong}
            placeholder={context.display.inputPlaceholder ?? texts.composerPlaceholder}
            onInput={(event) => this.write(event.currentTarget.value)}
            onKeyDown={this.#press}
          />
          <Slot nodes={context.voice?.microphone} />
          <button
            type="button"
            class={`round-button${isRunning ? ' is-stop' : ''}`}
            aria-label={label}
            title={label}
            aria-disabled={isRunning ? state.turn.isStopping : this.#cannotSend(text)}
            onClick={(event) => {
              if (!isRunning) this.send();
              // The second click of a double click on Send would stop the turn.
              else if (event.detail < 2) void actions.stop();
            }}
          >
            <Icon name={isRunning ? 'stop' : 'send'} />
          </button>
        </div>
      </div>
    );
  }
}

/** Counts UTF-16 code units, as the server does (contract/events.md). */
function isTooLong(text: string, state: ConversationState): boolean {
  return state.maxMessageLength > 0 && text.length > state.maxMessageLength;
}
