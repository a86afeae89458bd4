import type { DirectCalls } from './direct/direct-calls.ts';
import type { FollowUpMessages } from './conversations/follow-ups.ts';
import type { ConfirmationState } from './confirmations/confirmation-state.ts';
import type { ConfirmationAnswer } from './confirmations/edited-arguments.ts';
import type { OwnerFault } from './errors/error-codes.ts';
import type { ChannelName } from './events/turn-event.ts';
import type { Principal } from './identity/principal.ts';
import type { LiveNumbers } from './ports/metrics.ts';
import type { UiActions } from './request/ui-actions.ts';
import type { MeantConversations } from './sessions/forget-conversations.ts';
import type { Session } from './sessions/session.ts';
import type { TurnServices } from './turn/live/turn-services.ts';
import type { Turn } from './turn/live/turn.ts';

/** What the channels may ask of the core. Every method about a turn is asynchronous, because the turn may run in another process. */
export interface Assistant {
  /** Calls of actions that come without a turn (contract/mcp-server.md). */
  readonly direct: DirectCalls;
  /** Without a `principal` the caller is anonymous, under a key of its own. */
  openSession(options: {
    readonly channel: ChannelName;
    readonly id?: string;
    readonly principal?: Principal;
    /** The caller's own `Authorization` header, for actions that pass it on; never kept, never logged. */
    readonly authorization?: string | undefined;
    /** As `TurnCaller.credential`. */
    readonly credential?: string | undefined;
    /**
     * The key by which turns and waiting messages of an anonymous caller are counted. Left out: they are not counted.
     */
    readonly address?: string;
    /** The page behind the connection. In the turns of this session the model is offered what the page offers. */
    readonly uiActions?: Pick<UiActions, 'offered'>;
    /** Gets the turn that a restored snapshot begins in this session, for its events to be read. */
    readonly onCopy?: (turn: Turn) => void;
  }): Session;
  /** A session of this process. It belongs to a connection, and the connection is in this process. */
  findSession(sessionId: string): Session | undefined;
  /**
   * Resolves once the store has a turn that this process has begun with `SendOptions.detached`.
   * @throws HelperError `overloaded`, `server_draining` or `turn_in_progress` for a turn that was refused before it began;
   * `storage_unavailable` when the store does not take the turn, which is stopped then.
   */
  untilKept(turn: Turn): Promise<void>;
  /**
   * A turn that runs, or that ended less than `server.resumeWindow` ago. Undefined also when the turn is not the caller's: then `onForeign` is
   * told why.
   */
  findTurn(turnId: string, caller: Principal, onForeign?: (reason: OwnerFault) => void): Promise<Turn | undefined>;
  /**
   * As `findTurn`, for a part of the server that knows whose the turn is. `later`: the turn is of an earlier process, and waits to be taken
   * up in this one.
   */
  followTurn(turnId: string): Promise<Turn | 'later' | undefined>;
  /**
   * Stops a turn for its user. When the turn is the running turn of a session, the messages that wait behind it are dropped too
   * (contract/hub.md). Resolves with false when nothing was running, and with undefined when there is no such turn.
   * @throws HelperError `unauthenticated` or `not_owner` when the turn is not the caller's, `server_draining` when the turn waits for the
   * next process, `storage_unavailable` as `Turn.stop`.
   */
  stopTurn(turnId: string, caller: Principal): Promise<boolean | undefined>;
  /**
   * Answers an open confirmation (contract/confirmations.md#answering). Resolves once the answer is durable, which may be before the action
   * has run.
   * @throws HelperError `nothing_to_answer` when the confirmation is unknown or was answered before. The details give its outcome where the
   * caller may know that. `unauthenticated` or `not_owner` when the confirmation is not the caller's; `invalid_request` when `remember` or
   * `arguments` are not allowed for it; `storage_unavailable` when the answer cannot be stored.
   */
  answerConfirmation(
    answer: ConfirmationAnswer,
    caller: Principal,
  ): Promise<{ readonly actionId: string; readonly outcome: 'approved' | 'declined' }>;
  /**
   * The state of a confirmation, for as long as the journal keeps it (contract/confirmations.md#the-journal).
   * @throws HelperError `nothing_to_answer` for an unknown id; `unauthenticated` or `not_owner` when the confirmation is not the caller's;
   * `storage_unavailable` when the journal cannot be read.
   */
  confirmation(actionId: string, caller: Principal): Promise<ConfirmationState>;
  /**
   * The turn that a confirmation of the caller belongs to, as `followTurn` has it.
   * @throws HelperError as `confirmation`.
   */
  turnOfConfirmation(actionId: string, caller: Principal): Promise<Turn | 'later' | undefined>;
  /**
   * The other replica on which a turn runs, or can be read. Undefined when that is this one, or none (contract/replicas.md#turns).
   * @throws HelperError `cluster_unavailable` when the replica of the turn cannot be reached; the reason of the signal.
   */
  replicaOfTurn(turnId: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * The other replica that has a question of a program, open or not (contract/replicas.md#programs). Undefined when that is this one, or none.
   * @throws HelperError as `replicaOfTurn`.
   */
  replicaOfQuestion(actionId: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * What the user of a session could say next (contract/sessions.md#follow-ups). Nothing while a turn runs or waits, and where no follow-ups
   * are suggested. @throws the reason of the signal once it aborts.
   */
  followUps(session: Session, signal: AbortSignal): Promise<FollowUpMessages>;
  /** Whether messages are checked before they are answered (contract/guardrails.md#messages). */
  readonly checksMessages: boolean;
  /** Ids of the conversations of a user that are open in this process or another replica. */
  openConversations(userKey: string): readonly string[] | Promise<readonly string[]>;
  /**
   * Forgets what this process and other replicas hold of deleted conversations: of all conversations of a user, or of one. Sessions get an empty
   * conversation, and turns are stopped. Resolves once these turns have ended. Resolves with false when one of them still runs.
   */
  forgetConversations(meant: MeantConversations): Promise<boolean>;
  /**
   * Replaces the services of new turns. Running turns keep the services they began with. Resolves once these turns have all ended. The
   * stores MUST be the same.
   */
  serveWith(services: TurnServices): Promise<void>;
  /** True from the first SIGTERM on. Then no new turn begins (contract/restarts.md#stopping). */
  readonly draining: boolean;
  /** Whether the turns of this process go on in other replicas now, because this one ends (contract/replicas.md#turns). */
  readonly handsOver: boolean;
  readonly runningTurns: number;
  /** The numbers of the present moment, for the parts that watch the server. */
  readonly live: LiveNumbers;
  /**
   * Takes up the turns that earlier processes have kept (contract/restarts.md#turns). Called before the channels open, once the actions can
   * run. Called again when more actions have come. A turn that was taken up before is not taken up a second time.
   */
  takeUpTurns(): Promise<void>;
  /**
   * Refuses new turns and waits for the running ones. After `graceMs` the turns that still run end as `server_draining`. Three kinds of
   * turns are suspended instead: turns that wait for their user in a Native confirmation, turns that are kept from their beginning, and
   * turns whose end the store does not take.
   */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}
