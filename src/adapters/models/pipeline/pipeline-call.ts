import {
  type ChatModel,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../../core/ports/chat-model.ts';
import type { PipelineModel, PipelineReply, PipelineSink } from '../../../plugin-api/pipeline.ts';
import { describeError } from '../../shared/describe-error.ts';
import { faultPlace } from '../fault-place.ts';
import { handedOn, shownRequest } from './shown-request.ts';
import { checkedReply, shownReply } from './shown-reply.ts';

/** What one plugin has made around a model, and the bounds of its calls. */
export interface PipelineLayer {
  readonly plugin: string;
  /** Of the object that the plugin has returned. */
  readonly run: PipelineModel['run'];
  /** UTF-16 units of a reply, JSON-escaped. */
  readonly maxReplyLength: number;
  /** Milliseconds for which a plugin may neither ask the model beneath nor write anything. */
  readonly idleMs: number;
  /** Whether faults say what the plugin says, which may repeat what users said (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive: boolean;
}

const callIsOver = 'the call is over';

/** What answers beneath a layer. */
type Beneath = Pick<ChatModel, 'run'>;

/** Calls that are under way, by the requests that they were begun with. A plugin hands such a request on, and so names its call. */
const calls = new WeakMap<ModelRequest, PipelineCall>();

/**
 * One call of a layer. What reaches the user is what was pushed, whatever the plugin returns; after the end nothing does any more. Its
 * faults are those of a model, and those of the model beneath pass as they are.
 */
export class PipelineCall {
  readonly #layer: PipelineLayer;
  readonly #request: ModelRequest;
  readonly #sink: ReplySink;
  /** What the plugin is handed. */
  readonly #own: PipelineSink = { text: (piece: unknown) => this.#push(JSON.stringify(String(piece)).slice(1, -1)) };
  readonly #pushed: string[] = [];
  readonly #replies = new WeakMap<object, ModelReply>();
  readonly #faults = new Set<unknown>();
  /** Ends what still runs beneath once the plugin has replied or failed. */
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  #length = 0;
  #running = 0;
  #isOpen = true;
  #idle: NodeJS.Timeout | undefined;

  constructor(layer: PipelineLayer, request: ModelRequest, sink: ReplySink) {
    this.#layer = layer;
    // An object of its own: two calls may be made with one request.
    this.#request = { ...request };
    this.#sink = sink;
    calls.set(this.#request, this);
    // Whoever waits has been told by then.
    this.#ended.promise.catch(() => undefined);
  }

  /** Asks the model beneath for what a plugin hands on. Rejects with TypeError when that is no request of a call. */
  static async ask(model: Beneath, given: unknown, sink: PipelineSink): Promise<PipelineReply> {
    const { first, request } = handedOn(given);
    const call = calls.get(first);
    if (call === undefined) throw new TypeError('the request belongs to no call');
    return call.#ask(model, request, sink);
  }

  async run(): Promise<ModelReply> {
    const { signal } = this.#request;
    signal.throwIfAborted();
    const onAbort = (): void => {
      this.#ended.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#watch();
    try {
      const running = Promise.resolve(this.#layer.run(shownRequest(this.#request), this.#own));
      return this.#replyOf(await Promise.race([running, this.#ended.promise]));
    } catch (error) {
      signal.throwIfAborted();
      throw this.#faults.has(error) ? error : this.#faultOf(error);
    } finally {
      this.#isOpen = false;
      this.#closing.abort(new Error('the plugin has replied'));
      clearTimeout(this.#idle);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** A sink of the plugin's own is given plain text; the one that it was handed is written to as the model writes. */
  async #ask(model: Beneath, request: ModelRequest, sink: PipelineSink): Promise<PipelineReply> {
    if (!this.#isOpen) throw new Error(callIsOver);
    const take = (escaped: string): void => {
      if (sink === this.#own) this.#push(escaped);
      else sink.text(unescaped(escaped));
    };
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    this.#running += 1;
    this.#watch();
    try {
      const reply = await model.run({ ...request, signal }, this.#sinkFor(take));
      const shown = shownReply(reply);
      this.#replies.set(shown, reply);
      return shown;
    } catch (error) {
      this.#faults.add(error);
      throw error;
    } finally {
      this.#running -= 1;
      this.#watch();
    }
  }

  #push(escaped: string): void {
    // A plugin that goes on writing is told so, or it might do it for ever.
    if (!this.#isOpen) throw new Error(callIsOver);
    if (escaped === '') return;
    this.#length += escaped.length;
    if (this.#length > this.#layer.maxReplyLength) {
      this.#end('model_unavailable', `has written more than ${String(this.#layer.maxReplyLength)} characters`);
      return;
    }
    this.#pushed.push(escaped);
    this.#sink.text(escaped);
    if (this.#running === 0) this.#watch();
  }

  /**
   * A sink must not throw into the model: what a plugin throws there ends its call. How calls of the provider get on is told past the plugin.
   */
  #sinkFor(take: (escaped: string) => void): ReplySink {
    return {
      text: (escaped) => {
        try {
          take(escaped);
        } catch (error) {
          this.#ended.reject(error);
        }
      },
      hosted: (progress) => {
        if (this.#isOpen) this.#sink.hosted?.(progress);
      },
    };
  }

  /** What the user was shown is what the reply says. */
  #replyOf(given: unknown): ModelReply {
    const known = typeof given === 'object' && given !== null ? this.#replies.get(given) : undefined;
    const reply = known ?? checkedReply(given);
    if (this.#pushed.length === 0) this.#own.text(reply.text);
    const text = unescaped(this.#pushed.join(''));
    return text === reply.text ? reply : { ...withoutMark(reply), text };
  }

  /** While the model beneath is asked, its own limits hold. */
  #watch(): void {
    clearTimeout(this.#idle);
    if (this.#running > 0 || !this.#isOpen) return;
    const { idleMs } = this.#layer;
    this.#idle = setTimeout(() => {
      this.#end('model_timeout', `did nothing for ${String(idleMs)} ms`);
    }, idleMs);
  }

  #end(code: ModelError['code'], what: string): void {
    const fault = new ModelError(code, `configureChatClientPipeline of the plugin ${this.#layer.plugin} ${what}`, {
      transient: false,
    });
    this.#faults.add(fault);
    this.#isOpen = false;
    this.#ended.reject(fault);
  }

  #faultOf(error: unknown): ModelError {
    const { plugin, includeSensitive } = this.#layer;
    const name = error instanceof Error ? error.name : typeof error;
    const told = includeSensitive ? describeError(error) : name;
    const message = `configureChatClientPipeline of the plugin ${plugin} has failed: ${told}`;
    return new ModelError('model_unavailable', message, { transient: false, cause: faultPlace(error) });
  }
}

/** A piece of a JSON string as it reads. */
function unescaped(escaped: string): string {
  return String(JSON.parse(`"${escaped}"`));
}

function withoutMark({ mark: _, ...reply }: ModelReply): ModelReply {
  return reply;
}
