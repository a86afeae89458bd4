import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { Pool } from 'undici';
import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../../core/ports/chat-model.ts';
import type { ReplyLimits, ReplyMemory } from '../reply-limits.ts';
import { RequestBodyWriter } from './request-body.ts';
import { sharedReadBuffer } from './shared-read-buffer.ts';
import { UnknownField, WireCall, type WireCallOptions } from './wire-call.ts';
import type { WireEndpoint } from './wire-endpoint.ts';

/**
 * Milliseconds a socket stays open: a conversation pauses while the user reads. A server that closes earlier says so,
 * or is asked again.
 */
const keepAliveMs = 30_000;

/** Bytes of the answer to `warmUp` that are read for the sake of the connection. */
const maxWarmUpBytes = 64 * 1024;

/**
 * Any OpenAI-compatible chat endpoint (docs/architecture.md): pushed text, no object per token. It stands beside the LangChain
 * models, not on top of their core, which would be a third of the memory of a server that needs nothing else.
 */
export class OpenAiWireChatModel implements ChatModel {
  readonly model: string;
  readonly provider: string;
  readonly isDemo = false;
  readonly #endpoint: WireEndpoint;
  readonly #headers: string[];
  readonly #bounds: Pick<WireCallOptions, 'timeoutMs' | 'totalTimeoutMs' | 'limits' | 'memory'>;
  readonly #pool: Pool;
  readonly #body: RequestBodyWriter;

  constructor(options: {
    readonly endpoint: WireEndpoint;
    readonly provider: string;
    readonly timeoutMs: number;
    readonly totalTimeoutMs: number;
    readonly limits: ReplyLimits;
    readonly memory: ReplyMemory;
    /** Further fields of the request body. */
    readonly extraFields: Readonly<Record<string, unknown>>;
  }) {
    this.model = options.endpoint.model;
    this.provider = options.provider;
    this.#endpoint = options.endpoint;
    this.#headers = [...options.endpoint.headers];
    const { timeoutMs, totalTimeoutMs, limits, memory } = options;
    this.#bounds = { timeoutMs, totalTimeoutMs, limits, memory };
    this.#body = new RequestBodyWriter({ model: this.model, extraFields: options.extraFields });
    // The watch for silence is ours (one for connecting, waiting and reading), and HTTP/1.1 lets an abort close a socket.
    this.#pool = new Pool(this.#endpoint.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: timeoutMs,
      connect: { onread: sharedReadBuffer() },
    });
  }

  /** A server that does not know a field is asked once more without it, and not again with it in this process. */
  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    for (;;) {
      request.signal.throwIfAborted();
      try {
        return await this.#send(request, sink);
      } catch (error) {
        if (!(error instanceof UnknownField) || !this.#body.leaveOut(error.field, request)) throw error;
      }
    }
  }

  /** Any answer will do: what stays is the connection. The key stays at home. */
  async warmUp(coordinator: Pick<ModelRequest, 'instructions' | 'tools'>, signal: AbortSignal): Promise<void> {
    this.#body.write({ ...coordinator, messages: [], toolChoice: 'auto' });
    const { path } = this.#endpoint;
    const { body } = await this.#pool.request({ path, method: 'OPTIONS', headers: { accept: '*/*' }, signal });
    await body.dump({ limit: maxWarmUpBytes, signal });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #send(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const { signal, flow } = request;
    const body = this.#body.write(request);
    const call = new WireCall({
      sink,
      signal,
      flow,
      model: this.model,
      ...this.#bounds,
      clean: this.#endpoint.clean,
    });
    const { traceparent } = request;
    const headers = traceparent === undefined ? this.#headers : [...this.#headers, 'traceparent', traceparent];
    this.#pool.dispatch({ path: this.#endpoint.path, method: 'POST', headers, body }, call);
    const reply = await call.result;
    // Tool calls are followed by another call, and the pool has the socket ready for it in the next turn of the loop.
    if (reply.toolCalls.length > 0) await nextTurnOfTheLoop();
    return reply;
  }
}
