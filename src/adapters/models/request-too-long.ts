import { ModelError } from '../../core/ports/chat-model.ts';

/** The provider finds a request longer than the model takes. The same request, shortened, may succeed. */
export class RequestTooLong extends ModelError {
  /** How many tokens the model takes, where the provider tells. */
  readonly takes: number | undefined;

  constructor(
    message: string,
    { takes, ...options }: Partial<ModelError['facts']> & { readonly takes?: number | undefined },
  ) {
    super('model_unavailable', message, { ...options, transient: false });
    this.takes = takes;
  }
}

/** The codes of providers for such a request. */
const codes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'too_many_prompt_tokens',
  'tokens_limit_reached',
  'model_max_prompt_tokens_exceeded',
  'request_too_large',
]);

/** The words of providers that have no code for it, in lower case. */
const phrases: readonly string[] = [
  'prompt is too long',
  'prompt too long',
  'input is too long',
  'input too long',
  'too many tokens',
  'too many total text bytes',
  'maximum context length',
  'maximum prompt length',
  'maximum model length',
  'maximum input length',
  'context length',
  'context limit',
  'context window',
  'context size',
  'maximum number of tokens',
  'tokens exceed the',
  'max_new_tokens` must be',
  '`inputs` must have less than',
  'tokens to keep from the initial prompt',
  'total length of all messages is too long',
  'too large for model with',
];

/** Whether an answer of a provider says that the request is too long for the model. */
export function isTooLong(answer: {
  readonly status: number;
  readonly detail: string;
  readonly reason?: string | undefined;
  readonly type?: string | undefined;
}): boolean {
  const { status, detail, reason, type } = answer;
  if ([reason, type].some((name) => name !== undefined && codes.has(name.toLowerCase()))) return true;
  // Groq answers with 413 where its limit of tokens in a minute is less than the request.
  if (status === 413) return reason !== 'rate_limit_exceeded';
  if (status !== 400 && status !== 422) return false;
  const words = detail.toLowerCase();
  return phrases.some((phrase) => words.includes(phrase));
}

/** Most characters of a provider's words in which its limit is looked for. */
const mostRead = 2_000;
/** No model that a server answers with takes less, so a smaller number is about something else. */
const leastWindow = 1_000;

/** What stands before the limit of a model, or behind it, in the words of providers. */
const limits: readonly RegExp[] = [
  /(?:\d|\btokens) ?> ?(\d[\d,]{2,11})/,
  /\bmaximum (?:context|prompt|model|input) length (?:is|of) (\d[\d,]{2,11})/i,
  /\bmaximum number of tokens(?: allowed)?:? ?\(?(\d[\d,]{2,11})/i,
  /\bcontext (?:size|length|window) ?\((\d[\d,]{2,11})/i,
  /\bcontext (?:size|length|window) (?:is|of)(?: only)? (\d[\d,]{2,11})/i,
  /\b(\d[\d,]{2,11}) maximum context length/i,
  /\blimit of (\d[\d,]{2,11})/i,
  /\bmax size: (\d[\d,]{2,11})/i,
  /\bmust (?:be <=|have less than) (\d[\d,]{2,11})/i,
];

/** How many tokens a model takes, by the words with which its provider refuses a request that is too long. Undefined where it does not tell. */
export function takenTokens(words: string): number | undefined {
  const text = words.slice(0, mostRead);
  for (const limit of limits) {
    const digits = limit.exec(text)?.[1];
    const tokens = Number(digits?.replaceAll(',', '') ?? Number.NaN);
    if (tokens >= leastWindow) return tokens;
  }
  return undefined;
}
