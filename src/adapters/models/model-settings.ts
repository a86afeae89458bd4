/** One entry of `models` with its defaults filled in (contract/models.md). Durations are milliseconds. */
export interface ModelSettings {
  /** What the entry is for: it answers, or turns texts into vectors. Left out, it answers. */
  readonly kind?: 'chat' | 'embeddings' | undefined;
  /** `openai`, `azure`, `demo`, or the name of an installed LangChain package. */
  readonly provider?: string | undefined;
  /** The name of a model that a plugin exports; instead of `provider`. */
  readonly plugin?: string | undefined;
  readonly model?: string | undefined;
  /** `none` sends no key, for servers that want none. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Azure: `https://NAME.openai.azure.com`. */
  readonly endpoint?: string | undefined;
  readonly deployment?: string | undefined;
  readonly apiVersion?: string | undefined;
  /** The class a LangChain package exports. */
  readonly class?: string | undefined;
  /** Constructor options of `class`; further fields of the request body for `openai` and `azure`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Left out, chat completions. */
  readonly api?: 'chat' | 'responses' | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Tokens that the model takes and gives in one call. */
  readonly contextWindow: number;
  /** The longest silence: while connecting, before the first byte, between two reads. 0 waits for ever. */
  readonly timeout: number;
  /** The longest time from the first byte sent to the end of the reply, for one attempt. */
  readonly totalTimeout: number;
  /** Of one line as the model sends it. */
  readonly maxLineBytes: number;
  /** Of the text and the tool calls of one reply. */
  readonly maxReplyBytes: number;
  readonly maxRetries: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Names of entries that are tried in order when a call fails before its first token. */
  readonly fallbacks: readonly string[];
  /** Calls in flight; more wait in order. Undefined: no limit. */
  readonly concurrency?: number | undefined;
}
