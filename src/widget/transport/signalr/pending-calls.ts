import { faultIn, type ServerMessage } from './hub-messages.ts';

/** Options of a call. */
export interface CallOptions {
  /** Ends the wait, and tells the server. */
  readonly signal?: AbortSignal | undefined;
  /** Takes each item of a stream. */
  readonly onItem?: ((item: unknown) => void) | undefined;
}

interface PendingCall {
  readonly onItem: CallOptions['onItem'];
  readonly settle: (fault: Error | null, result?: unknown) => void;
}

/** The calls that wait for the server's answer. */
export class PendingCalls {
  readonly #calls = new Map<string, PendingCall>();
  #nextId = 0;

  /** Sends a call under an id of its own. Resolves with its result. For a stream it resolves when the stream has ended. */
  make(send: (message: object) => void, call: object, { signal, onItem }: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const invocationId = String(this.#nextId++);
      send({ ...call, invocationId });
      const onAbort = (): void => {
        settle(signal?.reason as Error); // every caller aborts with an error
        send({ type: 5, invocationId });
      };
      const settle = (fault: Error | null, result?: unknown): void => {
        this.#calls.delete(invocationId);
        signal?.removeEventListener('abort', onAbort);
        if (fault === null) resolve(result);
        else reject(fault);
      };
      signal?.addEventListener('abort', onAbort);
      this.#calls.set(invocationId, { onItem, settle });
    });
  }

  /** Takes an item or the answer of a call. A call that is not in the list was given up meanwhile. */
  receive(message: Extract<ServerMessage, { readonly type: 2 | 3 }>): void {
    const call = this.#calls.get(message.invocationId);
    if (message.type === 2) call?.onItem?.(message.item);
    else call?.settle(faultIn(message), message.result);
  }

  /** Rejects all waiting calls. */
  abandon(fault: Error): void {
    for (const call of [...this.#calls.values()]) call.settle(fault);
  }
}
