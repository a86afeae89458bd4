import type { ActionStatus, ConfirmationDecider, ConfirmationOutcome } from '../events/turn-event.ts';
import type { TurnHold } from './turn-store.ts';

/** Where a confirmed call stands (contract/confirmations.md#the-journal). Rows only move forward. */
export type JournalState = 'requested' | 'answered' | 'executing' | 'done';

export interface JournalEntry {
  readonly actionId: string;
  readonly callId: string;
  readonly turnId: string;
  readonly conversationId: string;
  readonly action: string;
  /** SHA-256 (hex) of the canonical arguments the user was shown: an approval is bound to them. */
  readonly argumentsHash: string;
  /** The arguments as JSON text. */
  readonly arguments: string;
  /** The agent that asked. */
  readonly agent: string;
  /** The owner's user key; null for a confirmation whose `actionId` is the capability (SSE). */
  readonly owner: string | null;
  /** The position of the call in its turn. The keys of the call begin with this text. */
  readonly path?: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
}

/** What was decided, by whom, and with which arguments when the user changed them. */
export interface JournalAnswer {
  readonly answer: ConfirmationOutcome;
  /** A rule approves in the user's place (contract/confirmations.md#rules-in-place-of-the-user, `autoApprovalRules`). */
  readonly by: ConfirmationDecider;
  /** The arguments as the user changed them; the entry keeps those that were shown. */
  readonly edited?: { readonly arguments: string; readonly argumentsHash: string };
  /** Allowed only with `approved`. The row becomes `executing` in the same change. `call` is kept for a call that may be made again. */
  readonly executing?: { readonly call?: string };
  /** Who presented the answer: a user key, or a keyed hash of the address; null for an answer that nobody presented. */
  readonly who?: string | null;
}

export interface JournalRow extends JournalEntry {
  /** Empty for an entry without a path. */
  readonly path: string;
  readonly state: JournalState;
  readonly answer: ConfirmationOutcome | null;
  /** Null until the question is answered. */
  readonly answeredBy: ConfirmationDecider | null;
  /** Who presented the answer, where the answer said so. */
  readonly answeredWho: string | null;
  /** The arguments as the user changed them. Null when the call runs with the arguments that were shown. */
  readonly editedArguments: string | null;
  readonly outcome: ActionStatus | null;
  /**
   * What the core needs to make the call again under its id. Only the core understands this text. Null when the call may not be made again,
   * and once the call is done.
   */
  readonly call: string | null;
  /** How often the call was made again. */
  readonly retries: number;
  /** Epoch milliseconds, as all times of a row; null for a step that was not taken. */
  readonly answeredAt: number | null;
  readonly executingAt: number | null;
  readonly doneAt: number | null;
}

/** What replicas need beside, where several of them use one journal at the same time (contract/replicas.md#left-behind). */
export interface SharedJournal {
  /** The rows that are not `done`, that no living replica holds, and whose turn is not kept. By `requestedAt`, then `actionId`. */
  leftBehind(): Promise<readonly JournalRow[]>;
  /**
   * Ends such a row: an executing call as `unknown`, an approved one as `cancelled`, and a question as cancelled by the system. Resolves with
   * false, without any change, when the row has moved since it was read, or is not such a row any more.
   */
  abandon(row: Pick<JournalRow, 'actionId' | 'state'>, at: number): Promise<boolean>;
  /** The calls that ended as `unknown` at `since` or later (epoch milliseconds), and that no living replica holds. */
  interrupted(since: number): Promise<readonly JournalRow[]>;
}

/**
 * The write-ahead journal of confirmed calls (contract/confirmations.md#the-journal). Every method MUST have made its change durable before
 * it resolves. Every method MUST reject with `StepRefused` when the row is not in the state that the step starts from, so that no step
 * happens twice. Any other error says that the store failed: the change may or may not have been made. Changes of one confirmation MUST be
 * made in the order of the calls, also when the caller does not wait between the calls. A read sees every change that was acknowledged before the read was
 * called.
 */
export interface ConfirmationJournal {
  /** Left out where one process at a time uses the journal. Where it is there, `requested` makes this replica the holder of the row. */
  readonly shared?: SharedJournal;
  /** With `under`, the row is created only if the turn is stored with this epoch and at least that many lines. */
  requested(entry: JournalEntry, under?: TurnHold): Promise<void>;
  /**
   * Sees to it that a question that nobody was told of is over. Its row ends as cancelled by the system where it is `requested`. Where there is
   * none, a row begins that is over, so that a `requested` of the same entry which comes later is refused.
   */
  withdrawn(entry: JournalEntry, at: number): Promise<void>;
  /**
   * Moves a row from `requested` to `answered`, or to `executing` when the answer says so. An answer other than `approved` ends the row as
   * `done` with its status. A question that is put again from a snapshot has its own row for the same call. Of all rows of a call, only one
   * MUST become approved or declined, also when several are answered at the same moment. For the other rows these two answers are rejected.
   */
  answered(actionId: string, answer: JournalAnswer, at: number): Promise<void>;
  /** Moves an approved row from `answered` to `executing`. `call` is kept for a call that may be made again. */
  executing(actionId: string, at: number, call?: string): Promise<void>;
  /** Counts that a call which is `executing` is about to be made again. */
  retried(actionId: string): Promise<void>;
  /**
   * Moves a row from one of the states `from` to `done`. Without `from`, every state except `done` is accepted. Deletes the kept `call`.
   */
  done(actionId: string, outcome: ActionStatus, at: number, from?: readonly JournalState[]): Promise<void>;
  find(actionId: string): Promise<JournalRow | undefined>;
  /** All rows of a call, by `requestedAt`, then `actionId`. */
  ofCall(callId: string): Promise<readonly JournalRow[]>;
  /** All rows of a turn, in the same order. */
  ofTurn(turnId: string): Promise<readonly JournalRow[]>;
  /** Rows that are not `done`: what a crash left behind. */
  unfinished(): Promise<readonly JournalRow[]>;
  /**
   * The calls of this owner with this action and these arguments (canonical JSON, as the user left or changed them) that run, or that ran and
   * ended at `since` or later (epoch milliseconds). A few of them, the newest first.
   */
  ranSince(
    call: Pick<JournalEntry, 'action' | 'arguments'> & { readonly owner: string },
    since: number,
  ): Promise<readonly JournalRow[]>;
  /** How many questions wait for an answer, and since when the oldest of them does (epoch milliseconds; null when none waits). */
  waiting(): Promise<{ readonly count: number; readonly oldestAt: number | null }>;
  /**
   * Replaces a user key with `pseudonym`, both as the owner of a row and as the one who answered (contract/sessions.md#erasing). Resolves
   * with the number of rows that had the key.
   */
  rename(userKey: string, pseudonym: string): Promise<number>;
  /**
   * Deletes rows of calls without a turn that ended without an approval: of this owner all but the newest `keep`. Resolves with how many.
   */
  dropUnapproved(owner: string, keep: number): Promise<number>;
  /**
   * Deletes rows that were done before `before`, and those that were withdrawn or have expired before `withdrawn` (epoch milliseconds; left out:
   * only with the others), of calls without a turn and of users who are not signed in. Resolves with how many.
   */
  purge(before: number, withdrawn?: number): Promise<number>;
  close(): Promise<void>;
}
