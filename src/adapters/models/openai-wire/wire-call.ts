import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type ModelReply, type ModelError, type ReadFlow, type ReplySink } from '../../../core/ports/chat-model.ts';
import { type Flushable, flushAfterReads } from '../../../core/base/flush-round.ts';
import { connectionReason } from '../../shared/connection-reason.ts';
import { describeError } from '../../shared/describe-error.ts';
import type { ReadExtras } from '../own-extras.ts';
import { type ReplyLimits, type ReplyMemory, ReplyMeter, ReplyTooLarge } from '../reply-limits.ts';
import { retryAfter } from '../status-fault.ts';
import type { ThoughtHabit } from '../spoken-text.ts';
import { AnswerReader } from './answer-reader.ts';
import { refusal } from './refusal.ts';
import { ReplyAssembler } from './reply-assembler.ts';
import { unpackerTo } from './unpacker.ts';

const maxErrorBytes = 16 * 1024;
/** Milliseconds to wait for the words of a refused call. The status alone says enough. */
const errorBodyMs = 1_000;
/**
 * Milliseconds that a response may take to end after the end mark of the reply. Only after a response has ended can the next call use its
 * socket.
 */
const lingerMs = 100;

type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

export interface WireCallOptions {
  readonly sink: ReplySink;
  readonly signal: AbortSignal;
  readonly flow: ReadFlow;
  /** The fields of the request that can be left out. */
  readonly fields: readonly string[];
  /** What earlier calls have shown of the model. */
  readonly habit: ThoughtHabit;
  /** The model's name as configured. */
  readonly model: string;
  /** The longest silence in milliseconds; 0 waits for ever. */
  readonly timeoutMs: number;
  /** The longest time in milliseconds from the start of the call to the end of the reply. */
  readonly totalTimeoutMs: number;
  readonly limits: ReplyLimits;
  /** The memory that all calls share. */
  readonly memory: ReplyMemory;
  /** Told of each further piece of the reply, in bytes. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Whether what the model thinks is told to the sink. */
  readonly showsThoughts: boolean;
  /** Cleans a provider's text of secrets. */
  readonly clean: (text: string) => string;
}

/**
 * One HTTP call to the model as an undici handler. It pauses reading while the flow is paused, and it settles once. An abort, a silence and
 * a fault close the socket. After a complete response the pool keeps the socket.
 */
export class WireCall implements Dispatcher.DispatchHandler, Flushable {
  readonly result: Promise<ModelReply>;
  readonly #options: WireCallOptions;
  readonly #assembler: ReplyAssembler;
  readonly #reader: AnswerReader;
  readonly #meter: ReplyMeter;
  readonly #resolve: (reply: ModelReply) => void;
  readonly #reject: (error: unknown) => void;
  readonly #overdue: NodeJS.Timeout;
  #silence: NodeJS.Timeout | undefined;
  #heardAt = performance.now();
  readonly #onAbort = (): void => {
    this.flush();
    this.#fail(this.#options.signal.reason);
  };
  /** Waits only for the end of the response. */
  readonly #linger = (): void => {
    this.#awaitAtMost(lingerMs, () => {
      this.#succeed();
    });
  };
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #over = false;
  /** Whether text that has arrived waits until all that has arrived is read. */
  #isReading = false;
  #status = 0;
  #contentType = '';
  #retryAfterMs: number | undefined;
  #received = 0;
  #errorBody: Buffer[] = [];
  /** Undefined where the answer is not packed. */
  #unpacking: Transform | undefined;

  constructor(options: WireCallOptions) {
    this.#options = options;
    const { maxLineBytes, maxReplyBytes } = options.limits;
    this.#meter = new ReplyMeter({ ...options, maxReplyBytes });
    this.#assembler = new ReplyAssembler({ ...options, meter: this.#meter });
    this.#reader = new AnswerReader(this.#assembler, { maxLineBytes, maxReplyBytes, meter: this.#meter });
    const { promise, resolve, reject } = Promise.withResolvers<ModelReply>();
    this.result = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#watch(options.timeoutMs);
    this.#overdue = setTimeout(
      () => this.#giveUp(`took longer than ${String(options.totalTimeoutMs)} ms`),
      options.totalTimeoutMs,
    );
  }

  /** What the provider may want back with the reply. */
  get extras(): ReadExtras | undefined {
    return this.#assembler.extras;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('the call was given up before it was sent'));
    this.#heard();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    this.#heard();
    if (status < 200) return;
    this.#status = status;
    this.#contentType = headerOf(headers, 'content-type') ?? 'none';
    this.#unpacking = unpackerTo(
      {
        data: (chunk) => {
          this.#take(controller, chunk);
        },
        end: () => {
          this.#ended();
        },
        error: (error) => {
          this.#fail(this.#assembler.fault(`the answer cannot be unpacked: ${errorText(error)}`));
        },
      },
      headerOf(headers, 'content-encoding'),
    );
    if (status === 200) return;
    this.#retryAfterMs = retryAfter((name) => headerOf(headers, name), Date.now());
    this.#awaitAtMost(errorBodyMs, () => {
      this.#fail(this.#refusedCall());
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#unpacking === undefined) this.#take(controller, chunk);
    else this.#unpacking.write(chunk);
  }

  /** Takes a piece of the answer. */
  #take(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#assembler.ended) return;
    this.#received += chunk.length;
    if (this.#status !== 200) {
      this.#takeErrorBody(chunk);
      return;
    }
    if (!this.#isReading) {
      this.#isReading = true;
      this.#heard();
      flushAfterReads(this);
    }
    try {
      this.#reader.push(chunk);
      this.#afterRead(controller);
    } catch (error) {
      this.#fail(this.#faultOf(error));
    }
  }

  /** Passes on the text of the pieces that came with one read. */
  flush(): void {
    this.#isReading = false;
    if (this.#settled) return;
    try {
      this.#assembler.passOn();
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseEnd(): void {
    if (this.#unpacking === undefined) this.#ended();
    else this.#unpacking.end();
  }

  #ended(): void {
    this.#over = true;
    clearTimeout(this.#silence);
    if (this.#settled) return;
    if (this.#status !== 200) {
      this.#fail(this.#refusedCall());
      return;
    }
    try {
      this.#reader.end();
    } catch (error) {
      this.#fail(this.#faultOf(error));
      return;
    }
    if (this.#assembler.complete) this.#succeed();
    else this.#fail(this.#assembler.fault(`the reply ended too early (content type ${this.#contentType})`));
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#over = true;
    clearTimeout(this.#silence);
    if (this.#settled) return;
    if (this.#status === 200 && this.#assembler.complete) this.#succeed();
    else if (this.#status !== 0 && this.#status !== 200) this.#fail(this.#refusedCall());
    else this.#fail(this.#assembler.fault(`the connection to the model failed: ${errorText(error)}`, { cause: error }));
  }

  /** Checks after `milliseconds` whether there was silence. One timer serves many reads, because moving it at each read would cost more. */
  #watch(milliseconds: number): void {
    if (this.#options.timeoutMs > 0) this.#silence = setTimeout(() => this.#silent(), milliseconds);
  }

  #silent(): void {
    const left = this.#heardAt + this.#options.timeoutMs - performance.now();
    if (this.#options.flow.paused || left > 0) {
      this.#watch(left > 0 ? left : this.#options.timeoutMs);
    } else {
      this.#giveUp(`was silent for ${String(this.#options.timeoutMs)} ms`);
    }
  }

  /** Ends a call whose model has run out of time. A reply that is complete by then is still used. */
  #giveUp(because: string): void {
    if (this.#assembler.complete) this.#succeed();
    else this.#fail(this.#assembler.fault(`the model ${because}`, { timeout: true }));
  }

  #afterRead(controller: Dispatcher.DispatchController): void {
    // In most cases the end of the response has arrived in the same read.
    if (this.#assembler.ended) queueMicrotask(this.#linger);
    else if (this.#options.flow.paused) this.#pause(controller);
  }

  #pause(controller: Dispatcher.DispatchController): void {
    controller.pause();
    this.#options.flow.onResume(() => {
      this.#heard();
      controller.resume();
    });
  }

  /** Notes that the model is not silent. */
  #heard(): void {
    this.#heardAt = performance.now();
  }

  /** Replaces the watch for silence by a wait for something else. */
  #awaitAtMost(milliseconds: number, then: () => void): void {
    clearTimeout(this.#silence);
    if (!this.#settled) this.#silence = setTimeout(then, milliseconds);
  }

  #takeErrorBody(chunk: Buffer): void {
    if (this.#received <= maxErrorBytes) this.#errorBody.push(chunk);
    else this.#fail(this.#refusedCall());
  }

  #refusedCall(): ModelError {
    const body = Buffer.concat(this.#errorBody).toString('utf8');
    const { clean, fields } = this.#options;
    return refusal({ status: this.#status, body, retryAfterMs: this.#retryAfterMs, clean, fields });
  }

  #faultOf(error: unknown): unknown {
    return error instanceof ReplyTooLarge ? this.#assembler.tooLarge(error.message) : error;
  }

  #succeed(): void {
    try {
      const reply = this.#assembler.reply();
      this.#settle();
      this.#closeSocket();
      this.#resolve(reply);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#closeSocket();
    this.#reject(error);
  }

  #settle(): void {
    this.#settled = true;
    this.#meter.release();
    clearTimeout(this.#overdue);
    clearTimeout(this.#silence);
    this.#unpacking?.destroy();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  #closeSocket(): void {
    if (!this.#over) this.#controller?.abort(new Error('the call was given up'));
  }
}

function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function errorText(error: Error): string {
  return connectionReason(error) ?? describeError(error);
}
