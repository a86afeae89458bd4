import type { RefusalReason, RequestErrorCode, SnapshotFault } from './error-codes.ts';

interface HelperErrorOptions extends ErrorOptions {
  readonly retryAfterMs?: number;
  readonly refusal?: RefusalReason;
  readonly snapshotFault?: SnapshotFault;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The one error class of this server for what a caller did wrong or asked in vain (contract/errors.md#problem-documents).
 * The message states the fact and what to do; it may be shown to the caller, so it never holds a secret, a path of the
 * machine or another user's data. The original error travels in `cause`.
 */
export class HelperError extends Error {
  override readonly name = 'HelperError';
  readonly code: RequestErrorCode;
  /** Milliseconds after which the same request may go well. */
  readonly retryAfterMs: number | undefined;
  /** Given where a door stays shut; the caller is not told. */
  readonly refusal: RefusalReason | undefined;
  /** Given where a snapshot cannot be made or taken; the caller is not told. */
  readonly snapshotFault: SnapshotFault | undefined;

  /** Further members of the answer's problem document. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: RequestErrorCode, message: string, options: HelperErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.refusal = options.refusal;
    this.snapshotFault = options.snapshotFault;
    this.details = options.details ?? {};
  }
}
