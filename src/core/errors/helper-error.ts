import type { RequestErrorCode } from './error-codes.ts';

/**
 * The one error class of this server for what a caller did wrong or asked in vain (wire.md 1 and 8).
 * The message states the fact and what to do; it may be shown to the caller, so it never holds a secret, a path of the
 * machine or another user's data. The original error travels in `cause`.
 */
export class HelperError extends Error {
  override readonly name = 'HelperError';
  readonly code: RequestErrorCode;

  constructor(code: RequestErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
