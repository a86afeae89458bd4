import type { CallerLimit, TurnErrorCode } from './error-codes.ts';

/** What is left of a budget that has ended a turn (contract/events.md#members, `ErrorOccurred.budget`). */
interface EndedBudget {
  readonly remaining: number;
  readonly unit: 'tokens' | 'cost';
  /** RFC 3339. */
  readonly resetsAt: string;
}

interface TurnErrorOptions extends ErrorOptions {
  readonly retryable?: boolean;
  readonly limit?: CallerLimit;
  readonly isOverWindow?: boolean;
  readonly budget?: EndedBudget;
}

/**
 * Ends a turn as `refused` (the message was not taken on) or `failed` (something broke on the way), contract/events.md.
 * `message` is for logs only: what the user reads comes from the language catalogue, by code.
 */
export class TurnError extends Error {
  override readonly name = 'TurnError';
  readonly status: 'refused' | 'failed';
  readonly code: TurnErrorCode;
  readonly retryable: boolean;
  /** The limit of the caller that refused the turn, if that is why it ended. */
  readonly limit: CallerLimit | undefined;
  /** The message does not fit the window of the model, although it is no longer than `maxMessageLength`. */
  readonly isOverWindow: boolean;
  /** Of `budget_exceeded`. */
  readonly budget: EndedBudget | undefined;

  constructor(status: 'refused' | 'failed', code: TurnErrorCode, message: string, options?: TurnErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.retryable = options?.retryable ?? false;
    this.limit = options?.limit;
    this.isOverWindow = options?.isOverWindow ?? false;
    this.budget = options?.budget;
  }
}
