import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { Pool } from 'undici';
import type {
  ChatModel,
  ModelReply,
  ModelRequest,
  ReplySink,
  ToolDeclaration,
} from '../../../core/ports/chat-model.ts';
import { aiMessage, fromLangChain, lastChunk, textChunk, toolDeclarations, wireToolChoice } from './langchain-wire.ts';
import { type BodyContent, RequestBodyWriter } from './request-body.ts';
import { sharedReadBuffer } from './shared-read-buffer.ts';
import { TextQueue } from './text-queue.ts';
import { UnknownField, WireCall } from './wire-call.ts';
import type { WireEndpoint } from './wire-endpoint.ts';

/** Options of one call through the LangChain interface; `tools` in the OpenAI form. */
export interface WireCallSettings extends BaseChatModelCallOptions {
  readonly tools?: readonly unknown[];
}

interface Exchange {
  readonly content: BodyContent;
  readonly signal: AbortSignal;
  readonly flow: ModelRequest['flow'];
}

/** A conversation pauses while the user reads; a server that closes earlier says so, or is asked again. */
const keepAliveMs = 30_000;
const endlessFlow: ModelRequest['flow'] = { paused: false, onResume: () => undefined };
const noTools: readonly ToolDeclaration[] = [];

/**
 * Any OpenAI-compatible chat endpoint (architecture.md 4). `run` is the server's own, fast way: pushed text, no object
 * per token. Beside it this is an ordinary LangChain chat model (`invoke`, `stream`, `bindTools`), for whoever wants one.
 */
export class OpenAiWireChatModel extends BaseChatModel<WireCallSettings> implements ChatModel {
  readonly model: string;
  readonly provider: string;
  readonly isDemo = false;
  readonly #endpoint: WireEndpoint;
  readonly #headers: string[];
  readonly #timeoutMs: number;
  readonly #pool: Pool;
  readonly #body: RequestBodyWriter;
  readonly #declarations = new WeakMap<readonly unknown[], readonly ToolDeclaration[]>();

  constructor(options: {
    readonly endpoint: WireEndpoint;
    readonly provider: string;
    readonly timeoutMs: number;
    /** Further fields of the request body. */
    readonly extraFields: Readonly<Record<string, unknown>>;
  }) {
    // Nothing of the endpoint goes up: LangChain keeps its constructor's fields in what it serialises.
    super({});
    this.model = options.endpoint.model;
    this.provider = options.provider;
    this.#endpoint = options.endpoint;
    this.#headers = [...options.endpoint.headers];
    this.#timeoutMs = options.timeoutMs;
    this.#body = new RequestBodyWriter({ model: this.model, extraFields: options.extraFields });
    // The watch for silence is ours (one for connecting, waiting and reading), and HTTP/1.1 lets an abort close a socket.
    this.#pool = new Pool(this.#endpoint.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: options.timeoutMs,
      connect: { onread: sharedReadBuffer() },
    });
  }

  static override lc_name(): string {
    return 'OpenAiWireChatModel';
  }

  override _llmType(): string {
    return 'openai-wire';
  }

  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const { instructions, messages, tools, signal, flow } = request;
    const toolChoice = request.toolChoice === 'none' ? 'none' : undefined;
    return this.#exchange({ content: { instructions, messages, tools, toolChoice }, signal, flow }, sink);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const reply = await this.#exchange(this.#exchangeOf(messages, options), { text: () => undefined });
    return { generations: [{ text: reply.text, message: aiMessage(reply) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const giveUp = new AbortController();
    const exchange = this.#exchangeOf(messages, options);
    const queue = new TextQueue();
    const signal = AbortSignal.any([exchange.signal, giveUp.signal]);
    const reply = this.#exchange({ ...exchange, signal }, queue);
    queue.endWith(reply);
    try {
      for await (const text of queue) {
        const chunk = textChunk(text);
        yield chunk;
        await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
      }
      yield lastChunk(await reply);
    } finally {
      giveUp.abort();
    }
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<WireCallSettings>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, WireCallSettings> {
    return this.withConfig({ ...kwargs, tools: tools.map((tool) => convertToOpenAITool(tool)) });
  }

  #exchangeOf(messages: readonly BaseMessage[], options: this['ParsedCallOptions']): Exchange {
    const content: BodyContent = {
      ...fromLangChain(messages),
      tools: this.#declared(options.tools),
      toolChoice: wireToolChoice(options.tool_choice),
      stop: options.stop,
    };
    return { content, signal: options.signal ?? new AbortController().signal, flow: endlessFlow };
  }

  #declared(tools: readonly unknown[] | undefined): readonly ToolDeclaration[] {
    if (tools === undefined) return noTools;
    const known = this.#declarations.get(tools);
    if (known !== undefined) return known;
    const declarations = toolDeclarations(tools);
    this.#declarations.set(tools, declarations);
    return declarations;
  }

  /** A server that does not know `stream_options` is asked once more without it, and not again in this process. */
  async #exchange(exchange: Exchange, sink: ReplySink): Promise<ModelReply> {
    exchange.signal.throwIfAborted();
    try {
      return await this.#send(exchange, sink);
    } catch (error) {
      if (!(error instanceof UnknownField) || !this.#body.includeUsage) throw error;
      this.#body.includeUsage = false;
      exchange.signal.throwIfAborted();
      return this.#send(exchange, sink);
    }
  }

  async #send({ content, signal, flow }: Exchange, sink: ReplySink): Promise<ModelReply> {
    const body = this.#body.write(content);
    const clean = (text: string): string => this.#clean(text);
    const call = new WireCall({ sink, signal, flow, model: this.model, timeoutMs: this.#timeoutMs, clean });
    this.#pool.dispatch({ path: this.#endpoint.path, method: 'POST', headers: this.#headers, body }, call);
    const reply = await call.result;
    // Tool calls are followed by another call, and the pool has the socket ready for it in the next turn of the loop.
    if (reply.toolCalls.length > 0) await nextTurnOfTheLoop();
    return reply;
  }

  #clean(text: string): string {
    return this.#endpoint.secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text);
  }
}
