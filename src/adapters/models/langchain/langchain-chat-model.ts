import {
  type ChatModel,
  ModelError,
  type ModelErrorCode,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
  type ToolDeclaration,
} from '../../../core/ports/chat-model.ts';
import type { HostedOffer } from '../../../core/ports/hosted-tools.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { finishKind } from '../finish-kind.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { secretsIn, without } from '../model-secrets.ts';
import { isRefusedFor, withExtras } from '../own-extras.ts';
import { type ReplyLimits, type ReplyMemory, ReplyMeter, ReplyTooLarge } from '../reply-limits.ts';
import type { PromptCache } from './anthropic-cache.ts';
import { withBoundedLines } from './bounded-fetch.ts';
import type { ThoughtHabit } from '../spoken-text.ts';
import { ToldThought } from '../told-thought.ts';
import { ChunkCollector } from './chunk-collector.ts';
import { HostedCollector } from './hosted-collector.ts';
import { hostedToolsWire } from './hosted-tools-wire.ts';
import { langChainFault } from './langchain-fault.ts';
import { messageLikes, openAiTools } from './message-likes.ts';
import { RawEvents } from './raw-events.ts';
import { ForgottenHistory, isForgotten, markOf, restOfHistory, type RestOfHistory } from './service-history.ts';
import { ModelSlip } from '../with-slips.ts';
import type { StreamingModel } from './streaming-model.ts';
import { StreamWatch } from './stream-watch.ts';

export interface LangChainChatModelOptions {
  readonly chat: StreamingModel;
  /** The same model at temperature 0. Left out: the temperature cannot be set. */
  readonly exact?: StreamingModel | undefined;
  readonly model: string;
  readonly provider: string;
  /** The longest silence in milliseconds; 0 waits for ever. */
  readonly timeoutMs: number;
  /** The longest time of one call in milliseconds. */
  readonly totalTimeoutMs: number;
  readonly limits: ReplyLimits;
  /** The memory that all calls share. */
  readonly memory: ReplyMemory;
  /** Whether the provider always names why a reply ended. If so, a reply without a reason was cut. */
  readonly namesItsEnd: boolean;
  /** Whether the provider keeps conversations. If so, it is sent only the messages that it lacks (`useServiceManagedHistory`). */
  readonly keepsHistory?: boolean;
  /** Whether the provider has tools of its own (contract/hosted-tools.md). */
  readonly hasHostedTools?: boolean;
  /** The same model for each choice of tools that the model's package would not send. */
  readonly choosing?: Readonly<Record<'none' | 'required', StreamingModel>> | undefined;
  /** As `ChatModel.extrasOf`. */
  readonly extrasOf: string;
  readonly log: Pick<Logger, 'debug'>;
  /** Whether what the model thinks is told to the sink. */
  readonly showsThoughts: boolean;
  /** How the provider is told what comes again. Left out: it is not told. */
  readonly cache?: PromptCache | undefined;
  /** Cleans a provider's text of secrets. */
  readonly clean: (text: string) => string;
}

/** A model with its tools, for each choice of tools. */
type BoundModels = Partial<Record<ModelRequest['toolChoice'], StreamingModel>>;

/** Any LangChain chat model behind our port, read through `.stream()` (docs/architecture.md). */
export class LangChainChatModel implements ChatModel {
  readonly model: string;
  readonly provider: string;
  readonly isDemo = false;
  readonly extrasOf: string;
  readonly #options: LangChainChatModelOptions;
  /** False for a model that does not take temperature 0. */
  #canBeExact: boolean;
  readonly #habit: ThoughtHabit = { unopened: false };
  /** Models with their tools, by the offer of the provider's tools if there is one, then by the tools of this server. */
  readonly #bound = new WeakMap<object, WeakMap<readonly ToolDeclaration[], BoundModels>>();

  constructor(options: LangChainChatModelOptions) {
    this.model = options.model;
    this.provider = options.provider;
    this.extrasOf = options.extrasOf;
    this.#options = options;
    this.#canBeExact = options.exact !== undefined;
  }

  /**
   * Asks the model. A model that does not take temperature 0 is asked once more without it. After that this process asks it without
   * temperature 0 only.
   */
  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    try {
      return await this.#stream(request, sink);
    } catch (error) {
      if (!this.#isExact(request) || !isRefusedFor(error, /temperature/i)) throw error;
      this.#canBeExact = false;
      return this.#stream(request, sink);
    }
  }

  #isExact({ temperature, tools }: ModelRequest): boolean {
    return temperature === 0 && tools.length === 0 && this.#canBeExact;
  }

  async #stream(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    request.signal.throwIfAborted();
    if (this.#options.keepsHistory !== true) return this.#call(request, { sink, request, previous: undefined });
    return this.#goOn(request, sink);
  }

  /** Sends the messages that the provider lacks. When the provider has lost the conversation, all of it is sent. */
  async #goOn(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const rest = restOfHistory(request, this.model);
    try {
      return await this.#call(request, { sink, ...rest });
    } catch (error) {
      if (!(error instanceof ForgottenHistory)) throw error;
      return this.#call(request, { sink, request, previous: undefined });
    }
  }

  async #call(
    request: ModelRequest,
    { sink, ...rest }: RestOfHistory & { readonly sink: ReplySink },
  ): Promise<ModelReply> {
    const { limits, memory } = this.#options;
    const meter = new ReplyMeter({ memory, maxReplyBytes: limits.maxReplyBytes, onRead: request.onRead });
    const thought = ToldThought.for(sink, this.#options.showsThoughts);
    const told = thought?.sink ?? sink;
    const hosted =
      this.#offerOf(request) === undefined
        ? undefined
        : new HostedCollector({
            meter,
            report: (progress) => told.hosted?.(progress),
            clean: (text) => without(this.#headersOf(request), text),
          });
    const raw = new RawEvents(meter, (item) => hosted?.began(item));
    const collector = new ChunkCollector({
      sink: told,
      thought,
      habit: this.#habit,
      model: this.model,
      meter,
      hosted,
      raw,
    });
    const watch = new StreamWatch(request.signal, this.#options);
    try {
      const chat = this.#withTools(request);
      const onBytes = (bytes: Uint8Array): void => raw.add(bytes);
      const { traceparent } = request;
      await withBoundedLines({ maxLineBytes: limits.maxLineBytes, traceparent, onBytes }, async () => {
        const { previous } = rest;
        const { cache, hasHostedTools } = this.#options;
        const options = { ...cache?.call, ...(previous === undefined ? {} : { previous_response_id: previous }) };
        const messages = messageLikes(rest.request, hasHostedTools, cache?.instructions);
        const stream = await watch.next(() => chat.stream(messages, { signal: watch.signal, ...options }));
        await watch.read(stream, request.flow, (chunk) => {
          collector.add(chunk);
        });
      });
      if (this.#options.namesItsEnd && !collector.complete) throw new Error('the reply ended too early');
      const reply = collector.reply();
      const { extrasOf: of, log } = this.#options;
      return this.#marked(withExtras(reply, collector.extras(reply), { of, request, log }), collector.id, request);
    } catch (error) {
      request.signal.throwIfAborted();
      if (rest.previous !== undefined && !collector.begun && isForgotten(error)) throw new ForgottenHistory();
      // Some packages throw where the provider has only said why it ended.
      const fault = finishKind(raw.reason) === 'content-filter' ? collector.refusal() : error;
      throw this.#fault(fault, request, { begun: collector.begun, outOfTime: watch.outOfTime });
    } finally {
      meter.release();
      watch.close();
    }
  }

  /**
   * Adds the mark from which the next request goes on. After a reply with calls the provider wants their results first, so such a reply
   * gets no mark.
   */
  #marked(reply: ModelReply, id: string | undefined, request: ModelRequest): ModelReply {
    if (this.#options.keepsHistory !== true || id === undefined || reply.finish !== 'stop') return reply;
    return { ...reply, mark: markOf(id, this.model, request) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #offerOf({ hosted }: ModelRequest): HostedOffer | undefined {
    return this.#options.hasHostedTools === true ? hosted : undefined;
  }

  /** Tools are bound once for each list of tools, because providers translate every schema when they bind. */
  #withTools(request: ModelRequest): StreamingModel {
    const { tools, toolChoice } = request;
    const offer = this.#offerOf(request);
    const { chat, exact } = this.#options;
    if (tools.length === 0 && offer === undefined) return exact !== undefined && this.#isExact(request) ? exact : chat;
    const known = this.#boundTo(tools, offer);
    const own = this.#options.cache?.tools(openAiTools(tools)) ?? openAiTools(tools);
    const all = [...own, ...(offer === undefined ? [] : hostedToolsWire(offer))];
    // With `none` the tools stay declared: some providers refuse a history of tool calls without them.
    known[toolChoice] ??= this.#bind(all, toolChoice);
    return known[toolChoice];
  }

  #bind(tools: readonly object[], choice: ModelRequest['toolChoice']): StreamingModel {
    const { chat, choosing } = this.#options;
    const model = choice === 'auto' ? chat : (choosing?.[choice] ?? chat);
    const isSaid = choice === 'auto' || choosing !== undefined;
    const bound = model.bindTools?.(tools, isSaid ? undefined : { tool_choice: toolChoiceOfLangChain[choice] });
    if (bound !== undefined) return bound;
    throw new ModelError('model_unavailable', 'this model cannot call tools', { transient: false });
  }

  #boundTo(tools: readonly ToolDeclaration[], offer: HostedOffer | undefined): BoundModels {
    const byTools = this.#bound.get(offer ?? this) ?? new WeakMap<readonly ToolDeclaration[], BoundModels>();
    this.#bound.set(offer ?? this, byTools);
    const known = byTools.get(tools) ?? {};
    byTools.set(tools, known);
    return known;
  }

  /** The headers of the MCP servers that the provider is sent. It, and the tools of those servers, may repeat them. */
  #headersOf(request: ModelRequest): readonly string[] {
    return this.#offerOf(request)?.servers.flatMap(({ headers }) => secretsIn(headers)) ?? [];
  }

  #fault(
    error: unknown,
    request: ModelRequest,
    { begun, outOfTime }: { readonly begun: boolean; readonly outOfTime: string | undefined },
  ): ModelError {
    if (outOfTime !== undefined) return finalFault('model_timeout', `the model ${outOfTime}`, begun);
    if (error instanceof ReplyTooLarge) return finalFault('model_unavailable', error.message, begun);
    if (error instanceof InterruptedReply || error instanceof ModelSlip) return error;
    const clean = (text: string): string => without(this.#headersOf(request), this.#options.clean(text));
    return langChainFault(error, { begun, clean });
  }
}

/** The words for choices of tools that all of LangChain's models understand. */
const toolChoiceOfLangChain = { none: 'none', required: 'any' } as const;

/** A fault after which the call is not repeated. */
function finalFault(code: ModelErrorCode, message: string, begun: boolean): ModelError {
  return begun ? new InterruptedReply(code, message) : new ModelError(code, message, { transient: false });
}
