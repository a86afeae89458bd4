import { ModelError } from '../../core/ports/chat-model.ts';

const maxWords = 500;
/** The most characters of a provider's words in the message itself. */
const maxSafeWords = 200;
const maxLabel = 64;
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** With these statuses a provider refuses a key, a model or a rate. It has not read the request, so its words do not repeat it. */
const refusedUnread: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);

/** The answer of a provider that is no reply. */
export interface RefusedCall {
  readonly status: number;
  /** The provider's own words, which are cut here. */
  readonly detail: string;
  /** The provider's own code, such as `insufficient_quota`. */
  readonly reason?: string | undefined;
  /** The provider's own kind of fault, such as `invalid_request_error`. */
  readonly type?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The fault that an HTTP status stands for. Only 408, 409, 425, 429 and 5xx are worth another attempt, unless the account has no money
 * left. Words of the provider that may repeat the request are no part of the message.
 */
export function statusFault(call: RefusedCall): ModelError {
  const { message, words } = wordingOf(call);
  const { cause } = call;
  if (isContentRefusal(call.reason))
    return new ModelError('model_refused', message, { transient: false, cause, words });
  if (call.status === 401 || call.status === 403) {
    const advice = `${message} (the provider refuses the key or its rights: see apiKey of this model)`;
    return new ModelError('model_unavailable', advice, { transient: false, isKeyRefused: true, cause, words });
  }
  const transient = (transientStatuses.has(call.status) || call.status >= 500) && call.reason !== 'insufficient_quota';
  return new ModelError('model_unavailable', message, { transient, retryAfterMs: call.retryAfterMs, cause, words });
}

/** Whether a provider's code says that its content filter turned the message away. */
export function isContentRefusal(reason: string | undefined): boolean {
  return reason === 'content_filter' || reason === 'content_policy_violation';
}

/** Names that a provider gives a fault, in parentheses. A text that is no name, for example because it has spaces, is left out. */
export function labelled(...names: readonly (string | undefined)[]): string {
  const known = names.filter((name) => name !== undefined && name.length <= maxLabel && /^[\w.:-]+$/.test(name));
  return known.length === 0 ? '' : ` (${[...new Set(known)].join(', ')})`;
}

/** Words of a provider that are no part of the message, cut to a useful length. */
export function wordsOf(detail: string): string | undefined {
  const words = detail.trim().slice(0, maxWords);
  return words === '' ? undefined : words;
}

function wordingOf({ status, detail, reason, type }: RefusedCall): { message: string; words: string | undefined } {
  const answered = `the model answered ${String(status)}${labelled(type, reason)}`;
  const words = wordsOf(detail);
  if (words === undefined) return { message: answered, words };
  if (!refusedUnread.has(status)) return { message: answered, words };
  return { message: `${answered}: ${words.slice(0, maxSafeWords)}`, words: undefined };
}

/** The value of `Retry-After`, in either form, or of `retry-after-ms`, in milliseconds. Undefined when there is none. */
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
