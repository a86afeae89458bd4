import type { RefusalReason, RequestErrorCode, SnapshotFault } from './error-codes.ts';

interface HelperErrorOptions extends ErrorOptions {
  readonly retryAfterMs?: number;
  readonly refusal?: RefusalReason;
  readonly snapshotFault?: SnapshotFault;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The only error class of this server for a request that is wrong or cannot be fulfilled (contract/errors.md#problem-documents). The
 * message states the fact and what to do. It may be shown to the caller, so it never holds a secret, a path of the machine or another
 * user's data. `cause` holds the original error.
 */
export class HelperError extends Error {
  override readonly name = 'HelperError';
  readonly code: RequestErrorCode;
  /** Milliseconds after which the same request may go well. */
  readonly retryAfterMs: number | undefined;
  /** Why the caller was not let in. The caller is not told. */
  readonly refusal: RefusalReason | undefined;
  /** Why a snapshot cannot be made or taken. The caller is not told. */
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
