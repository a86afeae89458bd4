import type { Assistant } from '../../core/assistant.ts';
import type { UserConversations } from '../../core/sessions/user-conversations.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { OwnerFault } from '../../core/errors/error-codes.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { CurrentPage } from '../../core/request/turn-request.ts';
import type { RecordedEvent } from '../../core/events/turn-event.ts';
import { eventFor } from '../../core/turn/live/event-for.ts';
import { stopQuietly, type StopReason, type Turn } from '../../core/turn/live/turn.ts';
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
  /** The address by which an anonymous caller is counted. */
  readonly address: string;
  /** Shared by all connections of the hub. */
  readonly shownBy: TurnShownBy;
  /** Called when the caller has asked for a turn of somebody else. */
  readonly onForeignTurn: (turnId: string, reason: OwnerFault) => void;
  /** Called when this connection continues the turn of another connection. */
  readonly onTakenOver: () => void;
}

const stopReasons = { graceful: 'connection-closed', lost: 'grace-over' } as const satisfies Partial<
  Record<Ending, StopReason>
>;

/** One hub connection and the assistant's session for it. Both have the same id. */
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
    this.#turns = new FollowedTurns(this.#uiActions, () => {
      // The client comes back and finds the turn. A server that ends closes all connections by itself, once nothing runs there any more: a turn
      // that goes on in another replica meanwhile is not to wait for that.
      const { draining, handsOver } = options.assistant;
      if (!draining || handsOver) options.connection.close({ allowReconnect: true });
    });
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

  /** Whether the running turn goes into a stream. Messages do not wait for such a turn (contract/hub.md). */
  get streaming(): boolean {
    return this.#stream !== undefined && this.#stream === this.session.activeTurn;
  }

  /** Sets the page where the user is and the actions that the page offers. Both replace the earlier values. */
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
   * Shows a turn as hub events. The events go to the connection that took over from this one in two cases: when this connection is lost, or
   * when the turn's conversation continues on that other connection.
   */
  show(turn: Turn): void {
    const isElsewhere = this.#turns.left || turn.conversationId !== this.session.conversationId;
    if (isElsewhere && this.#successor !== undefined) this.#successor.show(turn);
    else if (this.#follow(turn, 0, this.#sendEvent)) this.#options.shownBy.set(turn, this);
    else stopQuietly(turn, 'connection-closed');
  }

  /** Shows a turn in a stream of its own. */
  showAsStream(turn: Turn, onEvent: (event: RecordedEvent) => void): void {
    // A turn that was refused does not replace the stream of the running turn.
    if (turn === this.session.activeTurn) this.#stream = turn;
    if (this.#follow(turn, 0, onEvent)) this.#options.shownBy.set(turn, this);
  }

  /**
   * Takes over a turn of a lost connection, with its conversation and its waiting messages (contract/hub.md#when-the-line-breaks,
   * `Resume`). The missed events are held back until `release` is called. Undefined when the turn is unknown or belongs to someone else, or
   * when some of the missed events are gone.
   */
  async takeOver(
    turnId: string,
    afterSeq: number,
  ): Promise<{ readonly turn: Turn; readonly release: () => void } | undefined> {
    const { assistant, onForeignTurn } = this.#options;
    const turn = await assistant.findTurn(turnId, this.session.principal, (reason) => {
      onForeignTurn(turnId, reason);
    });
    if (turn === undefined) return undefined;
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
   * Called when the connection has ended. After `graceful` the turn and the session end. After `dropped` the running turn goes on without a
   * reader for `server.disconnectGrace`, and the session can be found until the turn ends (contract/hub.md). After `lost` the turn ends,
   * because the connection has already waited that long for its client. A turn that another connection reads does not end.
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

  /** On this hot path, the JSON of the core is sent unchanged. */
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
