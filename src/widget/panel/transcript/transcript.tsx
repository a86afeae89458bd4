import { Component, createRef, type JSX, type RefObject } from 'preact';
import { namesAtWork } from '../../conversation/agents-at-work.ts';
import {
  type ConversationState,
  type Entry,
  isOpenQuestion,
  waitsForConnection,
} from '../../conversation/conversation-state.ts';
import { fill, type WidgetTexts } from '../../texts/widget-texts.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { workingText } from '../state-texts.ts';
import { EndFollower } from './end-follower.ts';
import { EntryView } from './entry-view.tsx';
import { Welcome } from './welcome.tsx';

interface TranscriptProps {
  /** Takes the mounted component. */
  readonly self: { current: Transcript | null };
  readonly context: PanelContext;
  readonly state: ConversationState;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** The conversation so far. It stays scrolled to its end unless the reader has scrolled up. */
export class Transcript extends Component<TranscriptProps, { readonly isFollowing: boolean }> {
  override state = { isFollowing: true };
  readonly #content = createRef<HTMLDivElement>();
  #observer: ResizeObserver | null = null;
  #follower: EndFollower | null = null;

  override componentDidMount(): void {
    this.props.self.current = this;
    const { current: content } = this.#content;
    const { current: scroller } = this.props.scroller;
    if (content === null || scroller === null) return;
    const follower = new EndFollower(scroller, (isFollowing) => this.setState({ isFollowing }));
    this.#follower = follower;
    this.#observer = new ResizeObserver(() => follower.settle());
    this.#observer.observe(content);
    this.#observer.observe(scroller);
  }

  override componentDidUpdate({ state: before }: TranscriptProps): void {
    const { state } = this.props;
    // A user who sends or answers wants to see the result.
    if (before.turn === null && state.turn !== null) this.#follow();
    else if (!isAnswering(before) && isAnswering(state)) this.#follower?.resume();
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
    this.#follower?.destroy();
  }

  /** Scrolls by a share of its height, for a user whose focus is in the composer. */
  page(share: number): void {
    const { current: scroller } = this.props.scroller;
    if (share < 0) this.#follower?.release();
    scroller?.scrollBy({ top: share * scroller.clientHeight });
  }

  readonly #follow = (): void => this.#follower?.follow();

  override render(
    { context, state, scroller }: TranscriptProps,
    { isFollowing }: { isFollowing: boolean },
  ): JSX.Element {
    const { texts } = context;
    const open = state.entries.filter(isOpenQuestion);
    const last = state.turn === null ? state.entries.findLast(({ kind }) => kind === 'user')?.id : undefined;
    const placeOf = (entry: Entry): string => {
      const number = open.findIndex(({ id }) => id === entry.id) + 1;
      return open.length < 2 || number === 0 ? '' : fill(texts.questionOf, { number, count: open.length });
    };
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
        >
          {state.isAside && (
            <div class="entries">
              <Welcome context={context} />
              <p class="undo">
                {texts.cleared}{' '}
                <button type="button" class="link-button" onClick={context.actions.bringBack}>
                  {texts.undo}
                </button>
              </p>
            </div>
          )}
          {/* A conversation that was put aside keeps its elements, so that the contents of its fields stay. */}
          <div class="entries" hidden={state.isAside} ref={this.#content}>
            {state.entries.length === 0 && <Welcome context={context} />}
            {state.entries.map((entry) => (
              <EntryView
                key={entry.id}
                context={context}
                entry={entry}
                place={placeOf(entry)}
                isLast={last !== undefined && entry.id >= last}
              />
            ))}
            {waitsForConnection(state) && <p class="unsent">{texts.messageWaits}</p>}
            {isWaiting(state) && <Progress names={namesAtWork(state.turn)} texts={texts} />}
          </div>
        </div>
        {!isFollowing && !state.isAside && (
          <button type="button" class="jump" onClick={this.#follow}>
            <Icon name="down" />
            {open.length > 0 ? texts.jumpToQuestion : texts.jumpToLatest}
          </button>
        )}
      </div>
    );
  }
}

/** Names the agents that work now, and otherwise shows that the assistant does. */
function Progress({ names, texts }: { readonly names: readonly string[]; readonly texts: WidgetTexts }): JSX.Element {
  if (names.length > 0) {
    return (
      <div class="action-line is-working">
        <span class="spinner" aria-hidden="true" />
        <span dir="auto">{workingText(names, texts)}</span>
      </div>
    );
  }
  return (
    <div class="dots" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

function isAnswering({ entries }: ConversationState): boolean {
  return entries.some((entry) => entry.kind === 'confirmation' && entry.answering !== null);
}

/** Whether the screen shows no progress although a turn runs. */
function isWaiting(state: ConversationState): boolean {
  const { turn, entries } = state;
  const last = entries.at(-1);
  if (turn === null || last === undefined || waitsForConnection(state)) return false;
  if (last.kind === 'reply') return last.isComplete || turn.isSpeaking === false;
  if (last.kind === 'action') return last.status !== 'running';
  return last.kind !== 'confirmation' || (last.outcome !== null && last.run?.status !== 'running');
}
