import type { CallerLimit, TurnErrorCode } from './error-codes.ts';

/** What is left of a budget that has ended a turn (contract/events.md#members, `ErrorOccurred.budget`). */
interface EndedBudget {
  readonly remaining: number;
  readonly unit: 'tokens' | 'cost';
  /** RFC 3339. */
  readonly resetsAt: string;
}

/** A file of the message that could not be read, and why. */
export interface UnreadableFile {
  readonly name: string;
  readonly why: 'locked' | 'empty' | 'costly' | 'damaged';
}

interface TurnErrorOptions extends ErrorOptions {
  readonly retryable?: boolean;
  readonly limit?: CallerLimit;
  readonly isOverWindow?: boolean;
  readonly budget?: EndedBudget;
  readonly retryAfterMs?: number;
  readonly file?: UnreadableFile;
}

/**
 * Ends a turn as `refused` (the message was not accepted) or as `failed` (something broke while the turn ran), see contract/events.md.
 * `message` is for logs only. The user reads a text of the language catalogue, which is found by the code.
 */
export class TurnError extends Error {
  override readonly name = 'TurnError';
  readonly status: 'refused' | 'failed';
  readonly code: TurnErrorCode;
  readonly retryable: boolean;
  /** The limit of the caller, if the turn was refused because of it. */
  readonly limit: CallerLimit | undefined;
  /** The message does not fit the window of the model, although it is no longer than `maxMessageLength`. */
  readonly isOverWindow: boolean;
  /** The used-up budget, for the code `budget_exceeded` only. */
  readonly budget: EndedBudget | undefined;
  /** Milliseconds after which the message is let through, where that is known. */
  readonly retryAfterMs: number | undefined;
  /** For the code `file_unreadable` only. */
  readonly file: UnreadableFile | undefined;

  constructor(status: 'refused' | 'failed', code: TurnErrorCode, message: string, options?: TurnErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.retryable = options?.retryable ?? false;
    this.limit = options?.limit;
    this.isOverWindow = options?.isOverWindow ?? false;
    this.budget = options?.budget;
    this.retryAfterMs = options?.retryAfterMs;
    this.file = options?.file;
  }
}
