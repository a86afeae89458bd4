import type { TurnErrorCode } from './error-codes.ts';

/**
 * Ends a turn as `refused` (the message was not taken on) or `failed` (something broke on the way), contract/events.md.
 * `message` is for logs only: what the user reads comes from the language catalogue, by code.
 */
export class TurnError extends Error {
  override readonly name = 'TurnError';
  readonly status: 'refused' | 'failed';
  readonly code: TurnErrorCode;
  readonly retryable: boolean;

  constructor(
    status: 'refused' | 'failed',
    code: TurnErrorCode,
    message: string,
    options?: ErrorOptions & { retryable?: boolean },
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.retryable = options?.retryable ?? false;
  }
}
