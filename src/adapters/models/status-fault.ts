import { ModelError } from '../../core/ports/chat-model.ts';

const maxDetailLength = 500;
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What a provider answered instead of a reply. */
export interface RefusedCall {
  readonly status: number;
  /** The provider's own words; cut here. */
  readonly detail: string;
  /** The provider's own code, such as `insufficient_quota`. */
  readonly reason?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The fault an HTTP status stands for. Only 408, 409, 425, 429 and 5xx are worth another attempt, and not when the
 * account has run dry.
 */
export function statusFault(call: RefusedCall): ModelError {
  const detail = call.detail.trim().slice(0, maxDetailLength);
  const message = `the model answered ${String(call.status)}${detail === '' ? '' : `: ${detail}`}`;
  if (isContentRefusal(call.reason))
    return new ModelError('model_refused', message, { transient: false, cause: call.cause });
  if (call.status === 401 || call.status === 403) {
    const advice = `${message} (the provider refuses the key or its rights: see apiKey of this model)`;
    return new ModelError('model_unavailable', advice, { transient: false, isKeyRefused: true, cause: call.cause });
  }
  const transient = (transientStatuses.has(call.status) || call.status >= 500) && call.reason !== 'insufficient_quota';
  return new ModelError('model_unavailable', message, {
    transient,
    retryAfterMs: call.retryAfterMs,
    cause: call.cause,
  });
}

/** Whether a provider's code says that its content filter turned the message away. */
export function isContentRefusal(reason: string | undefined): boolean {
  return reason === 'content_filter' || reason === 'content_policy_violation';
}

/** `Retry-After` in either form, and `retry-after-ms`, as milliseconds; undefined when there is none. */
export function retryAfter(header: (name: string) => string | undefined, now: number): number | undefined {
  const milliseconds = Number(header('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const value = header('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
