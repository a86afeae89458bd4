import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../../core/ports/chat-model.ts';
import { outboundPool } from '../../shared/network/outbound.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { withExtras } from '../own-extras.ts';
import type { ReplyLimits, ReplyMemory } from '../reply-limits.ts';
import type { ThoughtHabit } from '../spoken-text.ts';
import { type BodyChange, RequestBodyWriter } from './request-body.ts';
import { sharedReadBuffer } from './shared-read-buffer.ts';
import { MissingExtras, UnknownField } from './refusal.ts';
import { WireCall, type WireCallOptions } from './wire-call.ts';
import type { WireEndpoint } from './wire-endpoint.ts';

/**
 * Milliseconds for which an idle socket stays open, because a conversation pauses while the user reads. A server that closes a socket
 * earlier announces it, or is asked again.
 */
const keepAliveMs = 30_000;

/** The most bytes of the answer to `warmUp` that are read, so that the connection can be kept. */
const maxWarmUpBytes = 64 * 1024;

/**
 * Any OpenAI-compatible chat endpoint (docs/architecture.md). Its text is pushed without an object for each token. It does not use the core
 * of LangChain, which would take a third of the memory of a server that needs nothing else.
 */
export class OpenAiWireChatModel implements ChatModel {
  readonly model: string;
  readonly provider: string;
  readonly isDemo = false;
  readonly extrasOf: string;
  readonly #log: Pick<Logger, 'debug'>;
  readonly #endpoint: WireEndpoint;
  readonly #headers: string[];
  readonly #bounds: Pick<WireCallOptions, 'timeoutMs' | 'totalTimeoutMs' | 'limits' | 'memory' | 'showsThoughts'>;
  readonly #pool: Dispatcher;
  /** How requests begin. What is learned from refusals counts for all once the server has taken it. */
  #body: RequestBodyWriter;
  readonly #habit: ThoughtHabit = { unopened: false };

  constructor(options: {
    readonly endpoint: WireEndpoint;
    readonly provider: string;
    readonly timeoutMs: number;
    readonly totalTimeoutMs: number;
    readonly limits: ReplyLimits;
    readonly memory: ReplyMemory;
    /** Whether what the model thinks is told to the sink. */
    readonly showsThoughts: boolean;
    /** Further fields of the request body. */
    readonly extraFields: Readonly<Record<string, unknown>>;
    readonly log: Pick<Logger, 'debug'>;
  }) {
    this.model = options.endpoint.model;
    this.provider = options.provider;
    this.#endpoint = options.endpoint;
    const { origin, path } = options.endpoint;
    // A query may hold a secret.
    this.extrasOf = `${origin}${path.split('?', 1).join('')} ${this.model}`;
    this.#log = options.log;
    this.#headers = [...options.endpoint.headers];
    const { timeoutMs, totalTimeoutMs, limits, memory, showsThoughts } = options;
    this.#bounds = { timeoutMs, totalTimeoutMs, limits, memory, showsThoughts };
    this.#body = new RequestBodyWriter({ model: this.model, extraFields: options.extraFields });
    // The server watches for silence itself, with one timer for connecting, waiting and reading. With HTTP/1.1 an abort can close a socket.
    this.#pool = outboundPool(this.#endpoint.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: timeoutMs,
      connect: { onread: sharedReadBuffer() },
    });
  }

  /**
   * Asks the model. A server that refuses a field by its name is asked once more without it, and one that misses a member of the messages
   * with a stand-in. This process does so from then on, where the server has taken such a request: a refusal may repeat the words of a user,
   * which must not change what the others send. Requests that are refused side by side each learn for themselves.
   */
  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const changes: BodyChange[] = [];
    for (let body = this.#body; ;) {
      request.signal.throwIfAborted();
      try {
        const reply = await this.#send(request, sink, body);
        // Others may have learned something else meanwhile.
        this.#body = changes.reduce((writer, change) => writer.with(change), this.#body);
        return reply;
      } catch (error) {
        const change = changeFor(error, { request, body });
        if (change === undefined) throw error;
        changes.push(change);
        body = body.with(change);
      }
    }
  }

  /** Opens a connection, which stays open for the first call. The answer does not matter, and the key is not sent. */
  async warmUp(coordinator: Pick<ModelRequest, 'instructions' | 'tools'>, signal: AbortSignal): Promise<void> {
    this.#body.write({ ...coordinator, messages: [], toolChoice: 'auto' });
    const { path } = this.#endpoint;
    const { body } = await this.#pool.request({ path, method: 'OPTIONS', headers: { accept: '*/*' }, signal });
    await body.dump({ limit: maxWarmUpBytes, signal });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #send(request: ModelRequest, sink: ReplySink, writer: RequestBodyWriter): Promise<ModelReply> {
    const { signal, flow, onRead } = request;
    const body = writer.write(request);
    const call = new WireCall({
      sink,
      signal,
      flow,
      habit: this.#habit,
      fields: writer.optionalFields,
      onRead,
      model: this.model,
      ...this.#bounds,
      clean: this.#endpoint.clean,
    });
    const { traceparent } = request;
    const headers = traceparent === undefined ? this.#headers : [...this.#headers, 'traceparent', traceparent];
    this.#pool.dispatch({ path: this.#endpoint.path, method: 'POST', headers, body }, call);
    const said = await call.result;
    const { extras } = call;
    const reply =
      extras === undefined ? said : withExtras(said, extras, { of: this.extrasOf, request, log: this.#log });
    // Tool calls are followed by another call. The pool has the socket ready for that call in the next turn of the event loop.
    if (reply.toolCalls.length > 0) await nextTurnOfTheLoop();
    return reply;
  }
}

/** How the request is to be written after a refusal; undefined where there is nothing to change. `body`: what has written it. */
function changeFor(
  error: unknown,
  { request, body }: { readonly request: ModelRequest; readonly body: RequestBodyWriter },
): BodyChange | undefined {
  if (error instanceof MissingExtras) return body.fillingIn(error.member);
  return error instanceof UnknownField ? body.leavingOut(error.field, request) : undefined;
}
