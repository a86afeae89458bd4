import type { ConfirmationState } from './confirmations/confirmation-state.ts';
import type { ConfirmationAnswer } from './confirmations/edited-arguments.ts';
import type { OwnerFault } from './errors/error-codes.ts';
import type { ChannelName } from './events/turn-event.ts';
import type { Principal } from './identity/principal.ts';
import type { LiveNumbers } from './ports/metrics.ts';
import type { UiActions } from './request/ui-actions.ts';
import type { MeantConversations } from './sessions/forget-conversations.ts';
import type { Session } from './sessions/session.ts';
import type { TurnServices } from './turn/turn-services.ts';
import type { Turn } from './turn/turn.ts';

/**
 * What the channels may ask of the core. Every method about a turn is asynchronous, because the turn may live
 * elsewhere.
 */
export interface Assistant {
  /** Without a `principal` the caller is anonymous, under a key of its own. */
  openSession(options: {
    readonly channel: ChannelName;
    readonly id?: string;
    readonly principal?: Principal;
    /** The caller's own `Authorization` header, for actions that pass it on; never kept, never logged. */
    readonly authorization?: string | undefined;
    /**
     * The key by which turns and waiting messages of an anonymous caller are counted. Left out: they are not counted.
     */
    readonly address?: string;
    /** The page behind the connection. In the turns of this session the model is offered what the page offers. */
    readonly uiActions?: UiActions;
    /** Gets the turn that a restored snapshot begins in this session, for its events to be read. */
    readonly onCopy?: (turn: Turn) => void;
  }): Session;
  /** A session of this process. It belongs to a connection, and the connection is in this process. */
  findSession(sessionId: string): Session | undefined;
  /** A running turn, or one that ended less than `server.resumeWindow` ago. Undefined too when it is not the caller's. */
  findTurn(turnId: string, caller: Principal): Promise<Turn | undefined>;
  /**
   * Why `findTurn` does not find a turn that exists. Undefined when the turn is the caller's, or when its id is
   * unknown.
   */
  turnFault(turnId: string, caller: Principal): Promise<OwnerFault | undefined>;
  /**
   * The user's Stop for a turn: with the running turn of a session, the messages that wait behind it go too (contract/hub.md).
   * False: nothing was running. Undefined: there is no such turn.
   * @throws HelperError `unauthenticated` or `not_owner` when it is not the caller's, `server_draining` when it waits for
   * the next process, `storage_unavailable` as `Turn.stop`.
   */
  stopTurn(turnId: string, caller: Principal): Promise<boolean | undefined>;
  /**
   * Answers an open confirmation (contract/confirmations.md#answering). Resolves once the answer is durable, not after the action.
   * @throws HelperError `nothing_to_answer` when it is unknown or answered, with what became of it where the caller may know
   * that; `unauthenticated` or `not_owner` when it is not the caller's; `invalid_request` when `remember` or `arguments` are
   * not allowed for it; `storage_unavailable` when the answer cannot be stored.
   */
  answerConfirmation(
    answer: ConfirmationAnswer,
    caller: Principal,
  ): Promise<{ readonly actionId: string; readonly outcome: 'approved' | 'declined' }>;
  /**
   * How a confirmation stands, for as long as the journal is kept (contract/confirmations.md#the-journal).
   * @throws HelperError `nothing_to_answer` for an unknown id; `unauthenticated` or `not_owner` when it is not the caller's;
   * `storage_unavailable` when the journal cannot be read.
   */
  confirmation(actionId: string, caller: Principal): Promise<ConfirmationState>;
  /** Ids of the conversations of a user that are open in this process. */
  openConversations(userKey: string): readonly string[];
  /**
   * Forgets what this process holds of deleted conversations: of all of a user's, or of one. Sessions get an empty conversation, and turns
   * are stopped. Resolves once these have ended; false: one of them still runs.
   */
  forgetConversations(meant: MeantConversations): Promise<boolean>;
  /**
   * Sets what new turns go by. Running turns keep what they began with; resolves once they have all ended. The stores MUST be
   * the same.
   */
  serveWith(services: TurnServices): Promise<void>;
  /** True from the first SIGTERM on: no new turns (contract/restarts.md#stopping). */
  readonly draining: boolean;
  readonly runningTurns: number;
  /** What goes on at this moment, for the parts that watch the server. */
  readonly live: LiveNumbers;
  /**
   * Takes up the turns that earlier processes have kept (contract/restarts.md#turns). Called when the actions can run, before the channels
   * open, and again when more actions have come: what was taken up stays so.
   */
  takeUpTurns(): Promise<void>;
  /**
   * Refuses new turns, waits for the running ones, and ends what is left after `graceMs` as `server_draining`. Turns that wait
   * for their user in a Native confirmation, that are kept from their beginning, or whose end the store does not take are
   * suspended instead.
   */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}
