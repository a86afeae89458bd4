/** A message in the form that a chat model gets. It is frozen, so a plugin cannot change the conversation. */
export type PipelineMessage =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly PipelineImage[] }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly PipelineToolCall[] }
  | { readonly role: 'tool'; readonly text: string; readonly callId: string; readonly name: string };

/** A picture of a message. */
export interface PipelineImage {
  readonly name: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  readonly data: string;
}

/** A call of a tool by the model. `arguments` is the JSON that the model wrote. */
export interface PipelineToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A tool in the form that a model gets. `parameters` is a JSON Schema. */
export interface PipelineTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * One call of a chat model. A plugin must pass the model beneath the request that it got, or a changed copy of it: `{ ...request,
 * instructions }`. Any other object is refused.
 */
export interface PipelineRequest {
  readonly instructions: string;
  /** The conversation, its newest message last. */
  readonly messages: readonly PipelineMessage[];
  /** The array stays the same object while the tools stay the same. */
  readonly tools: readonly PipelineTool[];
  /** `none`: the model must answer in words. `required`: it must call a tool. */
  readonly toolChoice: 'auto' | 'none' | 'required';
  /** Aborts when the turn is stopped. The plugin must then end its work and reject. */
  readonly signal: AbortSignal;
}

/** Takes the text of a reply while it is written. The user sees the text that the sink gets. Throws after the call has ended. */
export interface PipelineSink {
  text(piece: string): void;
}

/** The result of a call. */
export interface PipelineReply {
  /** The whole text. When the sink got no text, the user sees this text at once. Otherwise the text that the sink got counts. */
  readonly text: string;
  /** Each call gets the same checks, roles and questions as a call that the model wrote. */
  readonly toolCalls: readonly PipelineToolCall[];
  /** Every call of the model beneath counts in budgets by itself. What is stated here beyond those calls counts too. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedInputTokens?: number };
  /** The model's name as its provider reports it. */
  readonly model: string;
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
}

/**
 * A chat model with its retries and fallbacks (contract/models.md#own-layers). A plugin can put its own model around it:
 * `hooks.configureChatClientPipeline`.
 */
export interface PipelineModel {
  /** The configured model id. */
  readonly model: string;
  readonly provider: string;
  /**
   * Answers a request. When a plugin passes on its own sink, the model beneath writes directly to the user. With another sink, the plugin
   * sees each piece of text and decides what to pass on. When no model answers, it rejects with an `Error` that has a `code`, such as
   * `model_unavailable`.
   */
  run(request: PipelineRequest, sink: PipelineSink): Promise<PipelineReply>;
}
