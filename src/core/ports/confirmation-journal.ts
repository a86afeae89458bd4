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
  /** Where in its turn the call stands: the beginning of its keys. */
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
  /** With `approved` alone: the row becomes `executing` in the same change. `call` is kept for one that may be made again. */
  readonly executing?: { readonly call?: string };
  /** Who presented the answer: a user key, or a keyed hash of the address; null for an answer that nobody presented. */
  readonly who?: string | null;
}

export interface JournalRow extends JournalEntry {
  /** Empty for an entry without one. */
  readonly path: string;
  readonly state: JournalState;
  readonly answer: ConfirmationOutcome | null;
  /** Null until it was answered. */
  readonly answeredBy: ConfirmationDecider | null;
  /** Who presented the answer, where the answer said so. */
  readonly answeredWho: string | null;
  /** As the user changed them; null when the call runs as it was shown. */
  readonly editedArguments: string | null;
  readonly outcome: ActionStatus | null;
  /** What it takes to make the call again under its id, as text only the core understands; null when it may not be, and once it is done. */
  readonly call: string | null;
  /** How often it was made again. */
  readonly retries: number;
  /** Epoch milliseconds, as all times of a row; null for a step that was not taken. */
  readonly answeredAt: number | null;
  readonly executingAt: number | null;
  readonly doneAt: number | null;
}

/**
 * The write-ahead journal of confirmed calls (contract/confirmations.md#the-journal). Every method MUST have made its change durable before it
 * resolves, and MUST reject with `StepRefused` when the row is not in the state it moves on from, so that no step happens
 * twice. Any other error says that the store failed: the change may then have been made or not. Changes MUST be made in
 * the order in which they were called, without the caller waiting in between; a read sees every change that was
 * acknowledged before the read was called.
 */
export interface ConfirmationJournal {
  /** With `under`, the row is born only if the turn is stored with this epoch and at least that many lines. */
  requested(entry: JournalEntry, under?: TurnHold): Promise<void>;
  /**
   * `requested` → `answered`, or `executing` where the answer says so; an answer other than `approved` ends the row as `done` with its status. A question that is put
   * again from a snapshot has a row of its own for the same call: of all rows of a call one alone MUST become approved or
   * declined, whoever answers at the same moment; for the others these two answers are rejected.
   */
  answered(actionId: string, answer: JournalAnswer, at: number): Promise<void>;
  /** `answered` (approved) → `executing`. `call` is kept for one that may be made again. */
  executing(actionId: string, at: number, call?: string): Promise<void>;
  /** Counts that a call which is `executing` is about to be made again. */
  retried(actionId: string): Promise<void>;
  /** From one of the states `from`, all but `done` when left out, → `done`. Forgets the call that was kept. */
  done(actionId: string, outcome: ActionStatus, at: number, from?: readonly JournalState[]): Promise<void>;
  find(actionId: string): Promise<JournalRow | undefined>;
  /** All rows of a call, by `requestedAt`, then `actionId`. */
  ofCall(callId: string): Promise<readonly JournalRow[]>;
  /** All rows of a turn, in the same order. */
  ofTurn(turnId: string): Promise<readonly JournalRow[]>;
  /** Rows that are not `done`: what a crash left behind. */
  unfinished(): Promise<readonly JournalRow[]>;
  /** How many questions wait for an answer, and since when the oldest of them does (epoch milliseconds; null when none waits). */
  waiting(): Promise<{ readonly count: number; readonly oldestAt: number | null }>;
  /**
   * Puts `pseudonym` in the place of a user key, wherever a row says by it whose it is or who answered (contract/sessions.md#erasing).
   * Resolves with how many rows had it.
   */
  rename(userKey: string, pseudonym: string): Promise<number>;
  /** Deletes rows that were done before `before` (epoch milliseconds). Resolves with how many. */
  purge(before: number): Promise<number>;
  close(): Promise<void>;
}
