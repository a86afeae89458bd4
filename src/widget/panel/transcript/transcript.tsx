import { Component, createRef, type JSX, type RefObject } from 'preact';
import { type ConversationState, waitsForConnection } from '../../conversation/conversation-state.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { Avatar } from '../window/header.tsx';
import { EntryView } from './entry-view.tsx';
import { Suggestions } from './suggestions.tsx';

interface TranscriptProps {
  readonly context: PanelContext;
  readonly state: ConversationState;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

const nearEnd = 48;

/** The conversation so far. It follows its end, unless somebody has scrolled up to read. */
export class Transcript extends Component<TranscriptProps, { readonly isFollowing: boolean }> {
  override state = { isFollowing: true };
  readonly #content = createRef<HTMLDivElement>();
  #observer: ResizeObserver | null = null;

  override componentDidMount(): void {
    const { current: content } = this.#content;
    const { current: scroller } = this.props.scroller;
    this.#observer = new ResizeObserver(() => {
      // Whoever writes into a field of it stays there.
      const field = scroller?.querySelector(':is(input, textarea, select):focus') ?? null;
      if (this.state.isFollowing && field === null) this.#toEnd();
    });
    if (content !== null) this.#observer.observe(content);
    if (scroller !== null) this.#observer.observe(scroller);
  }

  override componentDidUpdate(before: TranscriptProps): void {
    // Whoever writes wants to see the answer.
    if (before.state.turn === null && this.props.state.turn !== null) this.#follow();
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
  }

  readonly #follow = (): void => {
    this.setState({ isFollowing: true });
    this.#toEnd();
  };

  readonly #scrolled = (): void => {
    const { current: scroller } = this.props.scroller;
    if (scroller === null) return;
    const isFollowing = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= nearEnd;
    if (isFollowing !== this.state.isFollowing) this.setState({ isFollowing });
  };

  #toEnd(): void {
    const { current: scroller } = this.props.scroller;
    if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }

  override render(
    { context, state, scroller }: TranscriptProps,
    { isFollowing }: { isFollowing: boolean },
  ): JSX.Element {
    const { texts } = context;
    return (
      <div class="transcript">
        <div
          class="log"
          part="log"
          role="log"
          aria-live="off"
          aria-label={texts.transcript}
          tabIndex={0}
          ref={scroller}
          onScroll={this.#scrolled}
        >
          <div class="entries" ref={this.#content}>
            {state.entries.length === 0 && <Welcome context={context} />}
            {state.entries.map((entry) => (
              <EntryView key={entry.id} context={context} entry={entry} />
            ))}
            {waitsForConnection(state) && <p class="unsent">{texts.messageWaits}</p>}
            {isWaiting(state) && (
              <div class="dots" aria-hidden="true">
                <span />
                <span />
                <span />
              </div>
            )}
          </div>
        </div>
        {!isFollowing && (
          <button type="button" class="jump" onClick={this.#follow}>
            <Icon name="down" />
            {texts.jumpToLatest}
          </button>
        )}
      </div>
    );
  }
}

/** Nothing on the screen moves although a turn runs. */
function isWaiting(state: ConversationState): boolean {
  const { turn, entries } = state;
  const last = entries.at(-1);
  if (turn === null || last === undefined || waitsForConnection(state)) return false;
  if (last.kind === 'reply') return last.isComplete;
  if (last.kind === 'action') return last.status !== 'running';
  return last.kind !== 'confirmation' || last.outcome !== null;
}

function Welcome({ context }: { readonly context: PanelContext }): JSX.Element {
  const { texts } = context;
  return (
    <div class="welcome">
      <Avatar url={context.avatarUrl} />
      <h3>{texts.welcomeTitle}</h3>
      <p>{texts.welcomeText}</p>
      <Suggestions context={context} />
    </div>
  );
}
