/** How a reply ended. `failed`: the provider itself gave up the reply. */
export type FinishKind = 'stop' | 'length' | 'content-filter' | 'failed';

/** The providers' own words for the end of a reply, in lower case. Any other word is an ordinary end. */
const kinds: ReadonlyMap<string, FinishKind> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content-filter'],
  ['refusal', 'content-filter'],
  ['safety', 'content-filter'],
  ['error', 'failed'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
  ['abort', 'failed'],
  ['insufficient_system_resource', 'failed'],
]);

/** What a provider's reason for the end of a reply means. */
export function finishKind(reason: string | undefined): FinishKind {
  return kinds.get(reason?.toLowerCase() ?? '') ?? 'stop';
}
