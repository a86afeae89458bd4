import type { Assistant } from '../../core/assistant.ts';
import type { UserConversations } from '../../core/sessions/user-conversations.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { OwnerFault } from '../../core/errors/error-codes.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { CurrentPage } from '../../core/request/turn-request.ts';
import type { RecordedEvent } from '../../core/events/turn-event.ts';
import { eventFor } from '../../core/turn/event-for.ts';
import { stopQuietly, type StopReason, type Turn } from '../../core/turn/turn.ts';
import type { UiAction } from '../../core/request/ui-actions.ts';
import { FollowedTurns } from './followed-turns.ts';
import { hubEventNames } from '../shared/hub-event-names.ts';
import { HubUiActions } from './hub-ui-actions.ts';
import type { Ending } from './protocol/connection/ending.ts';
import type { HubConnection } from './protocol/connection/hub-connection.ts';

/** Which connection a turn was last shown on. */
export type TurnShownBy = WeakMap<Turn, HubSession>;

export interface HubSessionOptions {
  readonly assistant: Assistant;
  readonly connection: HubConnection;
  /** Left out, no conversations are kept. */
  readonly conversations?: Pick<UserConversations, 'open'> | undefined;
  readonly principal: Principal;
  readonly authorization: string | undefined;
  /** What an anonymous caller is counted by. */
  readonly address: string;
  /** One object for the whole hub. */
  readonly shownBy: TurnShownBy;
  /** Told when a turn was asked for that is another's. */
  readonly onForeignTurn: (turnId: string, reason: OwnerFault) => void;
  /** Told when this connection goes on with the turn of another one. */
  readonly onTakenOver: () => void;
}

const stopReasons = { graceful: 'connection-closed', lost: 'grace-over' } as const satisfies Partial<
  Record<Ending, StopReason>
>;

/** One hub connection with the assistant's session behind it; they have the same id. */
export class HubSession {
  readonly session: Session;
  /** By the clock of `performance`. */
  readonly openedAt = performance.now();
  readonly #options: HubSessionOptions;
  readonly #uiActions: HubUiActions;
  readonly #turns: FollowedTurns;
  #stream: Turn | undefined;
  #successor: HubSession | undefined;

  constructor(options: HubSessionOptions) {
    this.#options = options;
    this.#uiActions = new HubUiActions(options.connection);
    this.#turns = new FollowedTurns(this.#uiActions);
    this.session = options.assistant.openSession({
      channel: 'hub',
      id: options.connection.id,
      principal: options.principal,
      authorization: options.authorization,
      address: options.address,
      uiActions: this.#uiActions,
      onCopy: (turn) => {
        this.show(turn);
      },
    });
  }

  /** The running turn goes into a stream: nothing waits for that turn (contract/hub.md). */
  get streaming(): boolean {
    return this.#stream !== undefined && this.#stream === this.session.activeTurn;
  }

  /** Where the user is now, and what the page there can do: both replace what was said before. */
  setPage(page: CurrentPage, actions: readonly UiAction[]): void {
    this.session.setPage(page);
    this.#uiActions.offered = actions;
  }

  /**
   * Goes on with one of the user's kept conversations.
   * @throws HelperError `not_found` where none are kept, and what `UserConversations.open` throws.
   */
  async openConversation(id: string): ReturnType<UserConversations['open']> {
    const { conversations } = this.#options;
    if (conversations === undefined) throw new HelperError('not_found', 'This server keeps no conversations.');
    return conversations.open(this.session, id);
  }

  /**
   * Shows a turn as hub events. They go to the connection that took this one's place when this one is lost, or when
   * this one waits for its client while the turn's conversation goes on over there.
   */
  show(turn: Turn): void {
    const isElsewhere = this.#turns.left || turn.conversationId !== this.session.conversationId;
    if (isElsewhere && this.#successor !== undefined) this.#successor.show(turn);
    else if (this.#follow(turn, 0, this.#sendEvent)) this.#options.shownBy.set(turn, this);
    else stopQuietly(turn, 'connection-closed');
  }

  /** Shows a turn in a stream of its own. */
  showAsStream(turn: Turn, onEvent: (event: RecordedEvent) => void): void {
    // A refused turn does not take the place of the stream that runs.
    if (turn === this.session.activeTurn) this.#stream = turn;
    if (this.#follow(turn, 0, onEvent)) this.#options.shownBy.set(turn, this);
  }

  /**
   * Takes a turn over from a lost connection, with its conversation and what waits behind it (contract/hub.md#when-the-line-breaks, `Resume`). The
   * missed events are held until `release` is called. Undefined: the turn is unknown or someone else's, or its events are no
   * longer all there.
   */
  async takeOver(
    turnId: string,
    afterSeq: number,
  ): Promise<{ readonly turn: Turn; readonly release: () => void } | undefined> {
    const { assistant, onForeignTurn } = this.#options;
    const turn = await assistant.findTurn(turnId, this.session.principal);
    if (turn === undefined) {
      const reason = await assistant.turnFault(turnId, this.session.principal);
      if (reason !== undefined) onForeignTurn(turnId, reason);
      return undefined;
    }
    let held: RecordedEvent[] | undefined = [];
    const hold = (event: RecordedEvent): void => {
      if (held === undefined) this.#sendEvent(event);
      else held.push(event);
    };
    if (!this.#follow(turn, afterSeq, hold)) return undefined;
    if (turn === this.#stream) this.#stream = undefined;
    if (turn.running) this.#succeed(turn);
    this.session.adopt(turn);
    this.#options.onTakenOver();
    const release = (): void => {
      for (const event of held ?? []) this.#sendEvent(event);
      held = undefined;
    };
    return { turn, release };
  }

  /**
   * The connection ended. A graceful end is the end of everything; after a drop the running turn lives on without a
   * reader for `server.disconnectGrace`, and the session can be found until that turn is over (contract/hub.md). A connection
   * that was lost has waited for its client that long already. A turn that another connection reads is not ended here.
   */
  ended(ending: Ending): void {
    const turn = this.session.activeTurn;
    const followed = this.#turns.leave();
    this.#uiActions.offered = [];
    if (ending !== 'dropped') for (const each of followed) stopQuietly(each, stopReasons[ending]);
    const goesOn = turn?.running === true && (ending === 'dropped' || !followed.includes(turn));
    if (goesOn) void this.#closeAfter(turn);
    else this.session.close('connection-closed');
  }

  /** The hot path: the JSON of the core goes out unchanged. */
  readonly #sendEvent = (event: RecordedEvent): void => {
    this.#options.connection.sendEventJson(hubEventNames[event.type], event.json);
  };

  #follow(turn: Turn, afterSeq: number, onEvent: (event: RecordedEvent) => void): boolean {
    return this.#turns.follow(turn, afterSeq, (event) => {
      onEvent(eventFor(event, turn, this.session.principal));
    });
  }

  #succeed(turn: Turn): void {
    const earlier = this.#options.shownBy.get(turn);
    this.#successor = undefined;
    if (earlier !== undefined && earlier !== this) earlier.#successor = this;
    this.#options.shownBy.set(turn, this);
  }

  async #closeAfter(turn: Turn): Promise<void> {
    await turn.result;
    this.session.close('connection-closed');
  }
}
