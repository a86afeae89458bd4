import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { ToolInterrupted, ToolUnanswered, ToolUnavailable } from '../../core/tools/tool-faults.ts';
import { TurnStopped } from '../../core/turn/live/turn-stopped.ts';
import { type CallbackConnection, ExchangeFault, type ExchangeReply } from './callback-connection.ts';
import { CircuitBreaker } from '../shared/circuit-breaker.ts';
import { UnusableAnswer } from './read-result.ts';

/** How often a request is sent again (extending-2-04), and the milliseconds before the first retry. The wait doubles each time. */
const maxRetries = 2;
const retryDelayMs = 100;
const passingStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/**
 * A gateway answers with this status when the system behind it gave no answer. A write may have reached that system.
 */
const unansweredStatuses: ReadonlySet<number> = new Set([502, 504]);

export interface CallbackRequest<Answer> {
  readonly type: 'action' | 'toolResult' | 'search' | 'guardrail';
  /** The `webhook-id`: the same for every attempt. */
  readonly id: string;
  readonly trace: string;
  /** The trace context of the span for this call. Undefined when the call has no span. */
  readonly span?: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the callback changes nothing, so that it may be asked twice. */
  readonly readOnly: boolean;
  readonly authorization?: string | undefined;
  /** The tenant of the user for whom the callback is asked. Undefined when no tenant is known. */
  readonly tenant?: string | undefined;
  readonly signal: AbortSignal;
  /** Reads the answer. @throws UnusableAnswer, or an Error with the callback's own message. */
  readonly read: (text: string) => Answer;
}

type AnyRequest = CallbackRequest<unknown>;

export interface CallbackClientOptions {
  readonly name: string;
  readonly connection: Pick<CallbackConnection, 'send'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
}

/**
 * Asks one callback. Retries requests that are safe to repeat, and pauses when requests fail again and again
 * (contract/plugins.md#callbacks).
 */
export class CallbackClient {
  readonly #options: CallbackClientOptions;
  readonly #breaker: CircuitBreaker;

  constructor(options: CallbackClientOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.now);
  }

  get isPaused(): boolean {
    return this.#breaker.isPaused;
  }

  /**
   * @throws ToolUnavailable when the callback is paused or cannot be reached. @throws ToolInterrupted when a write may have taken effect.
   * @throws ToolUnanswered for another status than 200. @throws Error with the callback's own message when it refuses. @throws the signal's
   * reason when the signal aborted.
   */
  async ask<Answer>(request: CallbackRequest<Answer>): Promise<Answer> {
    const { name, metrics } = this.#options;
    if (this.#breaker.isPaused) {
      metrics.of(request.tenant).callbackAsked({ callback: name, type: request.type, outcome: 'paused' });
      throw new ToolUnavailable(`${name} is paused: it failed several times in a row`);
    }
    const reply = await this.#sendWithRetries(request).catch((error: unknown) => {
      throw this.#faultOf(error, request);
    });
    const status = `${name} answered with status ${String(reply.status)}`;
    if (reply.status >= 500) this.#failed(request, status);
    else this.#answered(request);
    if (unansweredStatuses.has(reply.status) && !request.readOnly) throw new ToolInterrupted(status);
    if (reply.status !== 200) throw new ToolUnanswered(status);
    return this.#read(reply.text, request);
  }

  #read<Answer>(text: string, { id, readOnly, read }: CallbackRequest<Answer>): Answer {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof UnusableAnswer)) throw error;
      const { name, log } = this.#options;
      log.warn({ callback: name, id, reason: error.message }, 'a callback gave an answer that cannot be used');
      throw readOnly ? error : new ToolInterrupted(error.message, { cause: error });
    }
  }

  async #sendWithRetries(request: AnyRequest): Promise<ExchangeReply> {
    const body = JSON.stringify(request.body);
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.#send(request, body).catch((error: unknown) => {
        if (!(error instanceof ExchangeFault) || attempt >= maxRetries || !mayRepeat(error, request)) throw error;
        return error;
      });
      if (!(reply instanceof ExchangeFault)) {
        const isPassing = request.readOnly && passingStatuses.has(reply.status);
        if (!isPassing || attempt >= maxRetries) return reply;
      }
      await wait(retryDelayMs * 2 ** attempt, undefined, { signal: request.signal });
    }
  }

  #send({ id, trace, span, authorization, signal }: AnyRequest, body: string): Promise<ExchangeReply> {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    return this.#options.connection.send({ method: 'POST', id, body, trace, span, headers, signal });
  }

  /** The error for the caller when the callback has not answered. */
  #faultOf(error: unknown, request: AnyRequest): unknown {
    const { name } = this.#options;
    if (request.signal.aborted) {
      if (!(request.signal.reason instanceof TurnStopped)) this.#failed(request, 'it did not answer in time');
      return request.signal.reason;
    }
    if (!(error instanceof ExchangeFault)) return error;
    this.#failed(request, error.message);
    if (error.kind !== 'not-connected' && !request.readOnly)
      return new ToolInterrupted(error.message, { cause: error });
    if (error.kind === 'too-large') return new Error(error.message, { cause: error });
    return new ToolUnavailable(`${name} cannot be reached: ${error.message}`, { cause: error });
  }

  #answered({ type, tenant }: AnyRequest): void {
    this.#breaker.succeeded();
    const { name, metrics } = this.#options;
    metrics.of(tenant).callbackAsked({ callback: name, type, outcome: 'answered' });
  }

  #failed({ type, id, tenant }: AnyRequest, reason: string): void {
    const { name, log, metrics } = this.#options;
    metrics.of(tenant).callbackAsked({ callback: name, type, outcome: 'failed' });
    log.warn({ callback: name, type, id, reason }, 'a callback failed');
    if (this.#breaker.failed()) log.warn({ callback: name }, 'a callback failed too often: it is paused for 10 s');
  }
}

/** Whether a request may be sent again. A write may be only when nothing of it was sent before (contract/plugins.md#callbacks). */
function mayRepeat(fault: ExchangeFault, { readOnly }: AnyRequest): boolean {
  return fault.kind === 'not-connected' || (fault.kind === 'broken' && readOnly);
}
