import type { ApproveAnswer } from '../../wire/control-bodies.ts';
import type { TurnStreamEvent } from '../../wire/hub-events.ts';
import type { SendMessageOptions } from '../../wire/hub-methods.ts';
import type { RestoredSession } from '../../wire/session-bodies.ts';

/** One event of a turn: the fields of its hub event, and its name in `event` (contract/events.md). */
export type HelperEvent = TurnStreamEvent;

/** The events of one turn, in order, for one reader. Leaving the loop early is Stop. */
export type HelperTurn = AsyncIterableIterator<HelperEvent>;

/** What comes with a message: the same as on the hub (contract/hub.md). */
export interface SendOptions extends SendMessageOptions {
  /** Aborting it is Stop. A message that still waits for its turn is removed. */
  readonly signal?: AbortSignal;
}

/** How a confirmation is answered, beside yes and no (contract/confirmations.md#answering). */
export interface ApproveOptions {
  /** Other arguments than those that were shown, where the confirmation is `editable`. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Do not ask again in this session, where the confirmation has `canRemember`. */
  readonly remember?: boolean;
}

/** A conversation that was put back. */
export interface RestoredConversation extends RestoredSession {
  /** The events of the restored confirmations. The iteration ends at once when there are none. */
  readonly events: HelperTurn;
}

/** A user whom the host has signed in. */
export interface HelperUser {
  /**
   * The application must never give this id to another user, because memory, limits and confirmations use it. A token with this `sub`
   * belongs to the same user.
   */
  readonly id: string;
  readonly name?: string;
  readonly roles?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** One conversation of one user inside this process. Close it when the user has gone. */
export interface HelperSession {
  readonly conversationId: string;
  /**
   * Sends a message at once, read or not, and tells what happens in its turn. Messages run one at a time; the next ones wait.
   * Every message has one `TurnCompleted` at its end, unless `Helper.close` leaves its turn to the next process.
   * @throws HelperError `invalid_request` for wrong arguments.
   */
  send(text: string, options?: SendOptions): HelperTurn;
  /**
   * Answers a confirmation of this user. Resolves once the answer is stored, not after the action.
   * @throws HelperError `nothing_to_answer`, `unauthenticated`, `not_owner`, `invalid_request` or `storage_unavailable`.
   */
  approve(actionId: string, approved: boolean, options?: ApproveOptions): Promise<ApproveAnswer>;
  /**
   * Stops the running turn and drops the messages that wait. False: nothing was running.
   * @throws HelperError `storage_unavailable`, or `server_draining` for a turn that waits for the next process.
   */
  stop(): Promise<boolean>;
  /**
   * The conversation until its last ended turn, with what waits for the user, as sealed text.
   * @throws HelperError `payload_too_large`.
   */
  snapshot(): Promise<string>;
  /**
   * Replaces the conversation by a saved one of the same user.
   * @throws HelperError `snapshot_refused`, `turn_in_progress` or `server_draining`; then the conversation stays as it is.
   */
  restore(snapshot: string): Promise<RestoredConversation>;
  /** Ends what runs, and forgets the conversation. Resolves once the turn has ended, after two seconds at the latest. */
  close(): Promise<void>;
}

/** The assistant inside this process (contract/in-process.md). */
export interface Helper {
  /**
   * Opens a session for this user; without one the caller is anonymous, and actions that need a role are refused.
   * @throws HelperError `invalid_request` for a wrong user, `rate_limited` when the user has too many sessions open,
   * `overloaded` when all have, `server_draining` once the helper is closed.
   */
  session(options?: { readonly user?: HelperUser }): Promise<HelperSession>;
  /**
   * Ends as a server does at SIGTERM: no new turns, what runs may finish within `server.shutdownGrace`, the rest ends with
   * `server_draining`. Questions of `hitlMode: Native` wait for the next process instead: their events end without `TurnCompleted`.
   */
  close(): Promise<void>;
}
