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
import { replyFrom, shownReply } from './shown-reply.ts';
import { WrongShape } from '../wrong-shape.ts';

/** The layer that one plugin has made around a model, or a model of its own, and the limits of its calls. */
export interface PipelineLayer {
  /** What faults name: `configureChatClientPipeline of the plugin cases`. */
  readonly label: string;
  /** The function `run` of the object that the plugin has returned. */
  readonly run: PipelineModel['run'];
  /** The most UTF-16 units of a reply, JSON-escaped. */
  readonly maxReplyLength: number;
  /** Milliseconds for which a plugin may be idle. It is idle when it neither asks the model beneath nor writes anything. */
  readonly idleMs: number;
  /** Whether faults repeat the plugin's words, which may repeat what users said (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive: boolean;
}

const callIsOver = 'the call is over';

/** The model, or the next layer, beneath a layer. */
type Beneath = Pick<ChatModel, 'run'>;

/** The calls under way, by their requests. A plugin hands such a request on, which tells to which call it belongs. */
const calls = new WeakMap<ModelRequest, PipelineCall>();

/**
 * One call of a layer. The user sees the text that was pushed, whatever the plugin returns. After the end of the call nothing is pushed any
 * more. Faults of the plugin become faults of a model. Faults of the model beneath stay as they are.
 */
export class PipelineCall {
  readonly #layer: PipelineLayer;
  readonly #request: ModelRequest;
  readonly #sink: ReplySink;
  /** The sink that the plugin gets. */
  readonly #own: PipelineSink = { text: (piece: unknown) => this.#push(JSON.stringify(String(piece)).slice(1, -1)) };
  readonly #pushed: string[] = [];
  /** What the models beneath have replied in this call, by the objects that the plugin got. */
  readonly #replies = new Map<object, ModelReply>();
  readonly #faults = new Set<unknown>();
  /** Ends the calls that still run beneath after the plugin has replied or failed. */
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  #length = 0;
  #running = 0;
  #isOpen = true;
  #idle: NodeJS.Timeout | undefined;

  constructor(layer: PipelineLayer, request: ModelRequest, sink: ReplySink) {
    this.#layer = layer;
    // The copy makes the request unique, because two calls may be made with one request.
    this.#request = { ...request };
    this.#sink = sink;
    calls.set(this.#request, this);
    // A caller who waits gets this rejection from `run`. Without a caller it must not count as unhandled.
    this.#ended.promise.catch(() => undefined);
  }

  /** Asks the model beneath with the request that a plugin hands on. Rejects with TypeError when the request belongs to no call. */
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

  /** A sink that the plugin has made itself gets plain text. The sink that the plugin was given gets the text as the model writes it. */
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
      const takeBack = sink === this.#own ? this.#takingBack() : undefined;
      const reply = await model.run({ ...request, signal }, this.#sinkFor(take, takeBack));
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
    // Without this error, a plugin might go on writing for ever.
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

  /** Takes back what is pushed from now on. What was pushed before is shown again. */
  #takingBack(): () => void {
    const before = this.#pushed.length;
    return () => {
      if (!this.#isOpen) return;
      this.#pushed.length = before;
      this.#sink.takeBack?.();
      for (const piece of this.#pushed) this.#sink.text(piece);
    };
  }

  /**
   * A sink must not throw into the model, so an error of the plugin in its sink ends the call. Progress of the provider's own calls goes to
   * the user directly, without the plugin.
   */
  #sinkFor(take: (escaped: string) => void, takeBack: (() => void) | undefined): ReplySink {
    return {
      ...(takeBack === undefined ? {} : { takeBack }),
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

  /** The reply of the plugin. Its text is the text that the user was shown. */
  #replyOf(given: unknown): ModelReply {
    const reply = replyFrom(given, this.#replies);
    if (this.#pushed.length === 0) this.#own.text(reply.text);
    const text = unescaped(this.#pushed.join(''));
    return text === reply.text ? reply : { ...withoutMark(reply), text };
  }

  /** Watches for an idle plugin. While the model beneath is asked, the model's own limits apply instead. */
  #watch(): void {
    clearTimeout(this.#idle);
    if (this.#running > 0 || !this.#isOpen) return;
    const { idleMs } = this.#layer;
    this.#idle = setTimeout(() => {
      this.#end('model_timeout', `did nothing for ${String(idleMs)} ms`);
    }, idleMs);
  }

  #end(code: ModelError['code'], what: string): void {
    const fault = new ModelError(code, `${this.#layer.label} ${what}`, { transient: false });
    this.#faults.add(fault);
    this.#isOpen = false;
    this.#ended.reject(fault);
  }

  #faultOf(error: unknown): ModelError {
    const { label, includeSensitive } = this.#layer;
    const name = error instanceof Error ? error.name : typeof error;
    const ofServer = error instanceof WrongShape ? `${name}: ${error.message}` : name;
    const told = includeSensitive ? describeError(error) : ofServer;
    const message = `${label} has failed: ${told}`;
    return new ModelError('model_unavailable', message, { transient: false, cause: faultPlace(error) });
  }
}

/** Unescapes a piece of a JSON string. */
function unescaped(escaped: string): string {
  return String(JSON.parse(`"${escaped}"`));
}

function withoutMark({ mark: _, ...reply }: ModelReply): ModelReply {
  return reply;
}
