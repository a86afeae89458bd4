import type { ClientCompletion } from '../codec/client-message.ts';

/**
 * Why a client's handler gave no result. `failed`: it threw, or there is none. `timed-out`: no answer in time; clients
 * that know no results never answer. `disconnected`: the connection ended first. `overloaded`: too many calls wait.
 */
export type ClientInvocationFault = 'failed' | 'timed-out' | 'disconnected' | 'overloaded';

/** A call of the client that brought no result. The message of a `failed` one is the client's own text: untrusted. */
export class ClientInvocationError extends Error {
  override readonly name = 'ClientInvocationError';
  readonly fault: ClientInvocationFault;

  constructor(fault: ClientInvocationFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export interface ClientInvocationOptions {
  readonly timeoutMs: number;
  /** When it aborts, the call rejects with the signal's reason. The client's handler is not told. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** The calls of one connection that wait for the client's answer. Their ids are the server's own: `s1`, `s2` … */
export class ClientInvocations {
  readonly #limit: number;
  readonly #waiting = new Map<string, Waiting>();
  #last = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Sends a call under a new id, and resolves to its result. @throws ClientInvocationError, or the signal's reason */
  async ask(send: (invocationId: string) => void, { timeoutMs, signal }: ClientInvocationOptions): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#waiting.size >= this.#limit) {
      throw new ClientInvocationError('overloaded', 'Too many calls wait for this client.');
    }
    this.#last += 1;
    const invocationId = `s${String(this.#last)}`;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      reject(new ClientInvocationError('timed-out', `The client has not answered for ${String(timeoutMs / 1000)} s.`));
    }, timeoutMs);
    const giveUp = (): void => {
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp);
    this.#waiting.set(invocationId, { resolve, reject });
    try {
      send(invocationId);
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.#waiting.delete(invocationId);
    }
  }

  /** Takes an answer of the client. Nobody waits for an answer with an unknown id, or for one that came too late. */
  settle({ invocationId, error, result }: ClientCompletion): void {
    const waiting = this.#waiting.get(invocationId);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new ClientInvocationError('failed', error));
  }

  /** The connection has ended: no answer can come. */
  abandon(): void {
    for (const { reject } of this.#waiting.values()) reject(disconnected());
  }
}

/** The fault of a call whose connection has ended. */
export function disconnected(): ClientInvocationError {
  return new ClientInvocationError('disconnected', 'The connection ended before the client answered.');
}
