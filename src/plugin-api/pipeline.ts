/** A message as a chat model is sent it. Frozen: it is the same for the conversation, whatever a plugin does with it. */
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

/** A tool that a model calls. `arguments` is the JSON that it wrote. */
export interface PipelineToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A tool as a model is told of it. `parameters` is a JSON Schema. */
export interface PipelineTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * One call of a chat model. The model beneath takes the request that it is handed, or a copy with changes: `{ ...request, instructions }`. An
 * object made from nothing is refused.
 */
export interface PipelineRequest {
  readonly instructions: string;
  /** The conversation, its newest message last. */
  readonly messages: readonly PipelineMessage[];
  /** The same array for as long as the tools are the same. */
  readonly tools: readonly PipelineTool[];
  /** `none`: the model must answer in words. `required`: it must call a tool. */
  readonly toolChoice: 'auto' | 'none' | 'required';
  /** Aborts when the turn is stopped: end what you do, and reject. */
  readonly signal: AbortSignal;
}

/** Takes the text of a reply while it is written. What it is given is what the user sees. Throws once the call is over. */
export interface PipelineSink {
  text(piece: string): void;
}

/** What came of a call. */
export interface PipelineReply {
  /** The whole text. Where nothing was given to the sink, it is shown at once; else what was given to the sink counts. */
  readonly text: string;
  /** Each goes through the same checks, roles and questions as if the model had written it. */
  readonly toolCalls: readonly PipelineToolCall[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedInputTokens?: number };
  /** The model's name as its provider reports it. */
  readonly model: string;
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
}

/**
 * A chat model with its retries and fallbacks (contract/models.md#own-layers). A plugin makes another one around it:
 * `hooks.configureChatClientPipeline`.
 */
export interface PipelineModel {
  /** The configured model id. */
  readonly model: string;
  readonly provider: string;
  /**
   * Answers a request. Handed the sink that it was called with, the model beneath writes straight to the user; with a sink of its own, a
   * plugin sees each piece and decides what of it goes on. Rejects with an `Error` that has a `code`, such as `model_unavailable`, where no
   * model answers.
   */
  run(request: PipelineRequest, sink: PipelineSink): Promise<PipelineReply>;
}
