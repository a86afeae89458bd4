import type { ActionStatus, ConfirmationDecider, ConfirmationOutcome } from '../turn/turn-event.ts';

/** Where a confirmed call stands (wire.md 5). Rows only move forward. */
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
  /** Epoch milliseconds. */
  readonly requestedAt: number;
}

/** What was decided, by whom, and with which arguments when the user changed them. */
export interface JournalAnswer {
  readonly answer: ConfirmationOutcome;
  /** A rule approves in the user's place (service.md 2.6, `AutoApprovalRules`). */
  readonly by: ConfirmationDecider;
  /** The arguments as the user changed them; the entry keeps those that were shown. */
  readonly edited?: { readonly arguments: string; readonly argumentsHash: string };
}

export interface JournalRow extends JournalEntry {
  readonly state: JournalState;
  readonly answer: ConfirmationOutcome | null;
  /** Null until it was answered. */
  readonly answeredBy: ConfirmationDecider | null;
  /** As the user changed them; null when the call runs as it was shown. */
  readonly editedArguments: string | null;
  readonly outcome: ActionStatus | null;
  /** What it takes to make the call again under its id, as text only the core understands; null when it may not be, and once it is done. */
  readonly call: string | null;
  /** How often it was made again. */
  readonly retries: number;
}

/**
 * The write-ahead journal of confirmed calls (wire.md 5). Every method MUST have made its change durable before it
 * resolves, and MUST reject when the row is not in the state it moves on from, so that no step happens twice.
 */
export interface ConfirmationJournal {
  requested(entry: JournalEntry): Promise<void>;
  /**
   * `requested` → `answered`; an answer other than `approved` ends the row as `done` with its status. A question that is put
   * again from a snapshot has a row of its own for the same call: of all rows of a call one alone MUST become approved or
   * declined, whoever answers at the same moment; for the others these two answers are rejected.
   */
  answered(actionId: string, answer: JournalAnswer, at: number): Promise<void>;
  /** `answered` (approved) → `executing`. `call` is kept for one that may be made again. */
  executing(actionId: string, at: number, call?: string): Promise<void>;
  /** Counts that a call which is `executing` is about to be made again. */
  retried(actionId: string): Promise<void>;
  /** → `done`. Forgets the call that was kept. */
  done(actionId: string, outcome: ActionStatus, at: number): Promise<void>;
  find(actionId: string): Promise<JournalRow | undefined>;
  /** The row under which a call was approved or declined; undefined while it was not. */
  decided(callId: string): Promise<JournalRow | undefined>;
  /** Rows that are not `done`: what a crash left behind. */
  unfinished(): Promise<readonly JournalRow[]>;
  /** Deletes rows that were done before `before` (epoch milliseconds). */
  purge(before: number): Promise<void>;
  close(): Promise<void>;
}
