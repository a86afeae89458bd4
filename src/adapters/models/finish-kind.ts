/** How a reply ended. `failed`: the provider itself gave up the reply. `slip`: the model wrote a call that is none. */
export type FinishKind = 'stop' | 'length' | 'content-filter' | 'failed' | 'slip';

/** The providers' own words for the end of a reply, in lower case. Any other word is an ordinary end. */
const kinds: ReadonlyMap<string, FinishKind> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['repetition', 'length'],
  ['error_limit', 'length'],
  ['content_filter', 'content-filter'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['refusal', 'content-filter'],
  ['safety', 'content-filter'],
  ['image_safety', 'content-filter'],
  ['prohibited_content', 'content-filter'],
  ['blocklist', 'content-filter'],
  ['spii', 'content-filter'],
  ['recitation', 'content-filter'],
  ['error_toxic', 'content-filter'],
  ['error', 'failed'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
  ['timeout', 'failed'],
  ['tool_use_failed', 'slip'],
  ['malformed_function_call', 'slip'],
  ['unexpected_tool_call', 'slip'],
  ['malformed_model_output', 'slip'],
  ['malformed_tool_use', 'slip'],
  ['abort', 'failed'],
  ['insufficient_system_resource', 'failed'],
]);

/** What a provider's reason for the end of a reply means. */
export function finishKind(reason: string | undefined): FinishKind {
  return kinds.get(reason?.toLowerCase() ?? '') ?? 'stop';
}
