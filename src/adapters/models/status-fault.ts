import { ModelError } from '../../core/ports/chat-model.ts';
import { durationOf } from './durations.ts';
import { isTooLong, RequestTooLong, takenTokens } from './request-too-long.ts';
import { ModelSlip } from './with-slips.ts';

const maxWords = 500;
/** The most characters of a provider's words in the message itself. */
const maxSafeWords = 200;
const maxLabel = 64;
const isLabel = /^[\w.:-]+$/;
/** A code, or a place in a request such as `messages[0].content`. */
const isName = /^[\w.:[\]-]+$/;
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** With these statuses a provider refuses a key, a model or a rate. It has not read the request, so its words do not repeat it. */
const refusedUnread: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);

/** The codes of providers whose account is used up. Most of them come with a status that is otherwise worth another attempt. */
const quotaCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_not_active',
  'billing_hard_limit_reached',
  'insufficient_balance',
  'insufficient_credits',
]);
const modelCodes: ReadonlySet<string> = new Set([
  'model_not_found',
  'deploymentnotfound',
  'invalid_model',
  'model_not_supported',
  'model_decommissioned',
  'unknown_model',
]);
/** The code of Groq for a call that it does not take for one. */
export const slipCode = 'tool_use_failed';
const keyCodes: ReadonlySet<string> = new Set(['invalid_api_key', 'api_key_invalid', 'authentication_error']);

/** The answer of a provider that is no reply. */
export interface RefusedCall {
  readonly status: number;
  /** The provider's own words, which are cut here. */
  readonly detail: string;
  /** The provider's own code, such as `insufficient_quota`. */
  readonly reason?: string | undefined;
  /** The provider's own kind of fault, such as `invalid_request_error`. */
  readonly type?: string | undefined;
  /** The part of the request that the provider names. */
  readonly param?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** How many tokens the model takes, where a member of the answer tells. */
  readonly takes?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The fault that an HTTP status stands for. Only 408, 409, 425, 429 and 5xx are worth another attempt, unless the account has no money
 * left. With every other status the same request would be refused again. Words of the provider that may repeat the request are no part of
 * the message.
 */
export function statusFault(call: RefusedCall): ModelError {
  const { message, words } = wordingOf(call);
  const { cause, status } = call;
  const [providerCode, param] = [nameOf(call.reason), nameOf(call.param)];
  const facts = { transient: false, cause, words, status, providerCode, param };
  if (isContentRefusal(call.reason) || isRefusedByWords(call)) return new ModelError('model_refused', message, facts);
  if (isTooLong(call)) {
    const advice = `${message} (the request is longer than the model takes)`;
    return new RequestTooLong(advice, { ...facts, takes: call.takes ?? takenTokens(call.detail) });
  }
  switch (operatorsFault(call)) {
    case 'quota':
      return new ModelError('model_quota_exceeded', `${message} (the account has no quota or no money left)`, facts);
    case 'key': {
      const advice = `${message} (the provider refuses the key or its rights)`;
      return new ModelError('model_unavailable', advice, { ...facts, refused: 'key' });
    }
    case 'model': {
      const advice = `${message} (the provider knows no such model, or no such address)`;
      return new ModelError('model_misconfigured', advice, facts);
    }
    case undefined: {
      if (call.reason === slipCode) return new ModelSlip(message, { begun: false, ...facts });
      const transient = transientStatuses.has(call.status) || call.status >= 500;
      if (!transient) return new ModelError('model_misconfigured', message, { ...facts, refused: 'request' });
      return new ModelError('model_unavailable', message, { ...facts, transient, retryAfterMs: call.retryAfterMs });
    }
  }
}

/** What an operator has to mend: the account, the key, or the name of the model. Undefined for any other fault. */
function operatorsFault({ status, reason, type, detail }: RefusedCall): 'quota' | 'key' | 'model' | undefined {
  const names = [reason, type].map((name) => name?.toLowerCase() ?? '');
  const isOfRequest = status === 400 || status === 422;
  if (status === 402 || names.some((name) => quotaCodes.has(name))) return 'quota';
  if (isOfRequest && /credit balance is too low/i.test(detail)) return 'quota';
  if (names.some((name) => modelCodes.has(name))) return 'model';
  if (status === 401 || status === 403) return 'key';
  if (names.some((name) => keyCodes.has(name)) || (isOfRequest && isOfKey(detail))) return 'key';
  if (status === 404 || (isOfRequest && isOfModel(detail))) return 'model';
  return undefined;
}

/** The words of providers that have no code of their own for a key: Google, xAI. */
function isOfKey(detail: string): boolean {
  return /(?:incorrect|invalid|expired|missing) api.?key|api.?key (?:is )?(?:not valid|not found|invalid|expired)/i.test(
    detail,
  );
}

/** The words of providers that have no code of their own for a model: Amazon, OpenRouter. */
function isOfModel(detail: string): boolean {
  if (/model identifier is invalid|is not a valid model/i.test(detail)) return true;
  return /\bmodel\b/i.test(detail) && /\bdoes not exist\b/i.test(detail);
}

/** Whether a provider's code alone says what went wrong, as where an error stands in a stream and has no status. */
export function isTelling(reason: string | undefined): boolean {
  const name = reason?.toLowerCase() ?? '';
  if (name === slipCode || isContentRefusal(name) || isTooLong({ status: 500, detail: '', reason: name })) return true;
  return [quotaCodes, modelCodes, keyCodes].some((codes) => codes.has(name));
}

/** Whether a provider's code says that its content filter turned the message away. */
export function isContentRefusal(reason: string | undefined): boolean {
  return reason === 'content_filter' || reason === 'content_policy_violation';
}

/** The words of providers whose content filter has no code of its own: OpenAI, DeepSeek. */
function isRefusedByWords({ status, detail }: RefusedCall): boolean {
  return status === 400 && /flagged as potentially violating|content exists risk/i.test(detail);
}

/** A name that a provider gives. A text that is no name, for example because it has spaces, is none. */
function nameOf(name: string | undefined): string | undefined {
  return name !== undefined && name.length <= maxLabel && isName.test(name) ? name : undefined;
}

/** Names that a provider gives a fault, in parentheses. A text that is no name, for example because it has spaces, is left out. */
export function labelled(...names: readonly (string | undefined)[]): string {
  const known = names.filter((name) => name !== undefined && name.length <= maxLabel && isLabel.test(name));
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

/** The value of `Retry-After`, as seconds, a time with units or a date, or of `retry-after-ms`, in milliseconds. Undefined when there is none. */
export function retryAfter(header: (name: string) => string | undefined, now: number): number | undefined {
  const milliseconds = Number(header('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const value = header('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const duration = durationOf(value);
  if (duration !== undefined) return duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
