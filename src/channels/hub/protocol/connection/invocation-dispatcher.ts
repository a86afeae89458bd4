import type { ClientMessage, Invocation } from '../codec/client-message.ts';
import type { HubCall, HubMethod, InvocationMethod, StreamMethod } from '../hub-application.ts';
import { errorTexts, HubArgumentError, HubError } from '../hub-errors.ts';
import type { HubLimits, HubLog } from '../hub-limits.ts';
import type { HubConnection } from './hub-connection.ts';

/** Finds a method by its name in any case. */
export type MethodLookup<State> = ReadonlyMap<string, HubMethod<State>>;

/** Prepares the lookup once per hub; .NET and JavaScript clients spell names differently. */
export function methodLookup<State>(methods: Readonly<Record<string, HubMethod<State>>>): MethodLookup<State> {
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}

export interface DispatcherOptions<State> {
  readonly connection: HubConnection;
  readonly state: State;
  readonly methods: MethodLookup<State>;
  readonly limits: HubLimits;
  readonly log: HubLog;
}

/** A call that runs or waits: how to cancel it, and what runs after its result. */
interface PendingCall {
  readonly invocation: Pick<Invocation, 'target' | 'invocationId'>;
  readonly abort: AbortController;
  readonly afterResult: (() => void)[];
  readonly call: HubCall;
}

/**
 * Runs the calls of one connection. Methods run one after the other; `concurrent` methods and streams run beside them. The number of each
 * kind is limited. A cancel message takes effect at once.
 */
export class InvocationDispatcher<State> {
  readonly #options: DispatcherOptions<State>;
  readonly #cancellable = new Map<string, AbortController>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = false;
  #concurrent = 0;
  #streams = 0;

  constructor(options: DispatcherOptions<State>) {
    this.#options = options;
  }

  receive(message: ClientMessage): void {
    if (message.kind === 'cancel-invocation') this.#cancellable.get(message.invocationId)?.abort();
    else if (message.kind === 'invocation' || message.kind === 'stream-invocation') this.#dispatch(message);
  }

  /** Called when the connection has ended. Waiting calls do not start. Running calls end by themselves, and their results are dropped. */
  abandon(): void {
    this.#waiting.length = 0;
    this.#cancellable.clear();
  }

  #dispatch(invocation: Invocation): void {
    const method = this.#options.methods.get(invocation.target.toLowerCase());
    const refusal = this.#refusal(invocation, method);
    if (method === undefined || refusal !== undefined) {
      this.#sendError(invocation, refusal ?? errorTexts.unknownMethod(invocation.target));
      return;
    }
    const pending = this.#pendingCall(invocation);
    if (method.kind === 'stream') void this.#runStream(method, pending);
    else if (method.concurrent) void this.#runConcurrent(method, pending);
    else this.#enqueue(() => this.#run(method, pending));
  }

  #refusal(invocation: Invocation, method: HubMethod<State> | undefined): string | undefined {
    const { target, invocationId } = invocation;
    if (method === undefined) return errorTexts.unknownMethod(target);
    if (method.kind === 'stream' && invocation.kind === 'invocation') return errorTexts.streaming(target);
    if (method.kind === 'invocation' && invocation.kind === 'stream-invocation') return errorTexts.notStreaming(target);
    if (invocationId !== undefined && this.#cancellable.has(invocationId)) return errorTexts.idInUse(invocationId);
    if (invocation.arguments.length > method.parameters || invocation.streamIds.length > 0) {
      return errorTexts.badArguments(target);
    }
    return this.#isFull(method) ? hubErrorText(target, 'Too many calls of this connection are running.') : undefined;
  }

  #isFull(method: HubMethod<State>): boolean {
    const { limits } = this.#options;
    if (method.kind === 'stream') return this.#streams >= limits.maxStreams;
    if (method.concurrent) return this.#concurrent >= limits.maxConcurrentInvocations;
    return this.#waiting.length >= limits.maxWaitingInvocations;
  }

  #pendingCall({ target, invocationId, arguments: given, traceparent }: Invocation): PendingCall {
    const abort = new AbortController();
    const afterResult: (() => void)[] = [];
    if (invocationId !== undefined) this.#cancellable.set(invocationId, abort);
    const call = {
      connection: this.#options.connection,
      arguments: given,
      traceparent,
      signal: abort.signal,
      forgetArguments: () => {
        call.arguments = [];
      },
      afterResult: (callback: () => void) => afterResult.push(callback),
    };
    return { invocation: { target, invocationId }, abort, afterResult, call };
  }

  #enqueue(run: () => Promise<void>): void {
    this.#waiting.push(run);
    if (!this.#running) void this.#runWaiting();
  }

  async #runWaiting(): Promise<void> {
    this.#running = true;
    for (let run = this.#waiting.shift(); run !== undefined; run = this.#waiting.shift()) await run();
    this.#running = false;
  }

  async #runConcurrent(method: InvocationMethod<State>, pending: PendingCall): Promise<void> {
    this.#concurrent += 1;
    await this.#run(method, pending);
    this.#concurrent -= 1;
  }

  /** Never rejects. */
  async #run(method: InvocationMethod<State>, pending: PendingCall): Promise<void> {
    const { invocation, call } = pending;
    const { invocationId } = invocation;
    try {
      const result = await method.invoke(this.#options.state, call);
      this.#release(pending);
      if (invocationId !== undefined) this.#options.connection.write((codec) => codec.result(invocationId, result));
    } catch (error) {
      this.#release(pending);
      this.#fail(invocation, error, errorTexts.failed(invocation.target));
      return;
    }
    this.#runAfterResult(pending);
  }

  #runAfterResult({ afterResult, invocation }: PendingCall): void {
    try {
      for (const callback of afterResult) callback();
    } catch (error) {
      this.#options.log.warn({ method: invocation.target, error }, 'a hub method failed after its result');
    }
  }

  /** Never rejects. */
  async #runStream(method: StreamMethod<State>, pending: PendingCall): Promise<void> {
    const { invocation, call } = pending;
    const { connection, state } = this.#options;
    // Guaranteed by the codec: a stream invocation has an id.
    const invocationId = invocation.invocationId ?? '';
    let base: string = errorTexts.failed(invocation.target);
    this.#streams += 1;
    try {
      const done = method.open(state, call, {
        send: (item) => {
          connection.write((codec) => codec.streamItem(invocationId, item));
        },
        sendJson: (json) => {
          connection.write((codec) => codec.streamItemJson(invocationId, json));
        },
      });
      base = errorTexts.streamFailed;
      await done;
      connection.write((codec) => codec.streamEnd(invocationId));
    } catch (error) {
      this.#fail(invocation, error, base);
    } finally {
      this.#release(pending);
      this.#streams -= 1;
    }
  }

  #release({ invocation, abort }: PendingCall): void {
    const { invocationId } = invocation;
    if (invocationId !== undefined && this.#cancellable.get(invocationId) === abort) {
      this.#cancellable.delete(invocationId);
    }
  }

  #fail(invocation: PendingCall['invocation'], error: unknown, text: string): void {
    const { log } = this.#options;
    // Never the connection's id: it is the capability of an anonymous caller.
    const fields = { method: invocation.target, error };
    if (error instanceof HubArgumentError) {
      log.debug(fields, 'a hub call had wrong arguments');
      this.#sendError(invocation, errorTexts.badArguments(invocation.target));
    } else if (error instanceof HubError) {
      this.#sendError(invocation, `${text} HubException: ${error.message}`);
    } else {
      log.warn(fields, 'a hub method failed');
      this.#sendError(invocation, text);
    }
  }

  #sendError({ invocationId }: PendingCall['invocation'], text: string): void {
    if (invocationId === undefined) return;
    this.#options.connection.write((codec) => codec.error(invocationId, text));
  }
}

function hubErrorText(target: string, message: string): string {
  return `${errorTexts.failed(target)} HubException: ${message}`;
}
