import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../../core/ports/logger.ts';
import { ToolInterrupted, ToolUnanswered, ToolUnavailable } from '../../../core/tools/tool-faults.ts';
import { TurnStopped } from '../../../core/turn/live/turn-stopped.ts';
import { CircuitBreaker } from '../../shared/circuit-breaker.ts';
import { type ApiAnswer, type ApiConnection, ExchangeFault } from './api-connection.ts';
import type { ApiRequest } from './build-request.ts';
import { wordsOfRefusal } from './read-answer.ts';

/** How often a request is sent again, and the milliseconds before the first retry. The wait doubles each time. */
const maxRetries = 2;
const retryDelayMs = 100;
const passingStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** With these statuses nobody knows whether a write has reached the system behind a gateway. */
const unansweredStatuses: ReadonlySet<number> = new Set([502, 504]);

/** One call of an operation. */
export interface ApiCall {
  readonly request: ApiRequest;
  /** The operation, for the log. */
  readonly operation: string;
  readonly callId: string;
  /** Whether the call changes nothing, so that it may be made twice. */
  readonly readOnly: boolean;
  readonly signal: AbortSignal;
}

/** Calls one API. Reads are repeated where that may help, and an API that fails again and again is left alone for a while. */
export class ApiClient {
  readonly #name: string;
  readonly #connection: Pick<ApiConnection, 'send'>;
  readonly #log: Logger;
  readonly #breaker: CircuitBreaker;

  constructor(name: string, connection: Pick<ApiConnection, 'send'>, log: Logger) {
    this.#name = name;
    this.#connection = connection;
    this.#log = log;
    this.#breaker = new CircuitBreaker(() => performance.now());
  }

  get isPaused(): boolean {
    return this.#breaker.isPaused;
  }

  /**
   * The answer of a call that succeeded.
   * @throws ToolUnavailable when the API is paused or cannot be reached. @throws ToolInterrupted when a write may have taken effect.
   * @throws ToolUnanswered for a fault of the API. @throws Error with the API's own words when it refuses. @throws the signal's reason when
   * the signal aborted.
   */
  async call(call: ApiCall): Promise<ApiAnswer> {
    if (this.#breaker.isPaused) throw new ToolUnavailable(`${this.#name} is paused: it failed several times in a row`);
    const answer = await this.#sendWithRetries(call).catch((error: unknown) => {
      throw this.#faultOf(error, call);
    });
    const { status } = answer;
    const told = `${this.#name} answered with status ${String(status)}`;
    if (status >= 500) this.#failed(call, told);
    else this.#breaker.succeeded();
    if (status >= 200 && status < 300) return answer;
    if (status < 400) {
      // A server may redirect after it has done what it was asked for. Two statuses say that it has not.
      const isDone = status !== 307 && status !== 308;
      const redirected = `${told}, a redirect, which is not followed`;
      throw isDone && !call.readOnly ? new ToolInterrupted(redirected) : new ToolUnanswered(redirected);
    }
    if (unansweredStatuses.has(status) && !call.readOnly) throw new ToolInterrupted(told);
    if (status >= 500) throw new ToolUnanswered(told);
    const words = wordsOfRefusal(answer);
    throw new Error(words === '' ? told : `${told}: ${words}`);
  }

  async #sendWithRetries({ request, readOnly, signal }: ApiCall): Promise<ApiAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= maxRetries;
      const answer = await this.#connection.send(request, signal).catch((error: unknown) => {
        if (!(error instanceof ExchangeFault) || isLast || !mayRepeat(error, readOnly)) throw error;
        return error;
      });
      const isFault = answer instanceof ExchangeFault;
      if (!isFault && (isLast || !readOnly || !passingStatuses.has(answer.status))) return answer;
      await wait(retryDelayMs * 2 ** attempt, undefined, { signal });
    }
  }

  /** The error for the caller when the API has not answered. */
  #faultOf(error: unknown, call: ApiCall): unknown {
    if (call.signal.aborted) {
      if (!(call.signal.reason instanceof TurnStopped)) this.#failed(call, 'it did not answer in time');
      return call.signal.reason;
    }
    if (!(error instanceof ExchangeFault)) return error;
    this.#failed(call, error.message);
    if (error.kind !== 'not-connected' && !call.readOnly) return new ToolInterrupted(error.message, { cause: error });
    if (error.kind === 'too-large') return new Error(error.message, { cause: error });
    return new ToolUnavailable(`${this.#name} cannot be reached: ${error.message}`, { cause: error });
  }

  #failed({ operation, callId }: ApiCall, reason: string): void {
    this.#log.warn({ api: this.#name, operation, callId, reason }, 'a call of an API failed');
    if (this.#breaker.failed()) this.#log.warn({ api: this.#name }, 'an API failed too often: it is paused for 10 s');
  }
}

/** Whether a request may be sent again. A write may be only when nothing of it was sent before. */
function mayRepeat({ kind }: ExchangeFault, readOnly: boolean): boolean {
  return kind === 'not-connected' || (kind === 'broken' && readOnly);
}
