/** One entry of `models` with its defaults filled in (contract/models.md). Durations are milliseconds. */
export interface ModelSettings {
  /** Whether the model answers, or turns texts into vectors. Left out: it answers. */
  readonly kind?: 'chat' | 'embeddings' | undefined;
  /** `openai`, `azure`, `demo`, or the name of an installed LangChain package. */
  readonly provider?: string | undefined;
  /** The name of a model that a plugin exports; instead of `provider`. */
  readonly plugin?: string | undefined;
  readonly model?: string | undefined;
  /** `none` sends no key, for servers that need none. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Azure: `https://NAME.openai.azure.com`. */
  readonly endpoint?: string | undefined;
  readonly deployment?: string | undefined;
  readonly apiVersion?: string | undefined;
  /** The class that a LangChain package exports. */
  readonly class?: string | undefined;
  /** Constructor options of `class`. For `openai` and `azure`, further fields of the request body. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Left out: chat completions. */
  readonly api?: 'chat' | 'responses' | undefined;
  /** `summary`: what the model thinks before a reply is shown with it. Left out: it is not. */
  readonly showThinking?: false | 'summary' | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Tokens that the model takes and gives in one call. */
  readonly contextWindow: number;
  /** Milliseconds of the longest silence: while connecting, before the first byte, and between two reads. 0 waits for ever. */
  readonly timeout: number;
  /** Milliseconds from the first byte sent to the end of the reply, for one attempt. */
  readonly totalTimeout: number;
  /** The most bytes of one line as the model sends it. */
  readonly maxLineBytes: number;
  /** The most bytes of the text and the tool calls of one reply. */
  readonly maxReplyBytes: number;
  readonly maxRetries: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Names of entries that are tried in order when a call fails before its first token. */
  readonly fallbacks: readonly string[];
  /** The most calls in flight. Further calls wait in order. Undefined: there is no limit. */
  readonly concurrency?: number | undefined;
}
