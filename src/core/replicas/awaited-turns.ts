import { atMost } from '../base/at-most.ts';

/** A wait for one turn to become free. It is told of everything since its beginning, and MUST be ended. */
export interface TurnWait {
  /** Resolves with true once the turn is free, and with false after `ms` milliseconds. @throws the reason of the signal. */
  within(ms: number, signal?: AbortSignal): Promise<boolean>;
  end(): void;
}

/** Those who wait here for turns that other replicas let go of (contract/replicas.md#turns). */
export class AwaitedTurns {
  readonly #waiting = new Map<string, Set<() => void>>();

  begin(turnId: string): TurnWait {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    let isFree = false;
    const told = (): void => {
      isFree = true;
      resolve(undefined);
    };
    const waiting = this.#waiting.get(turnId) ?? new Set();
    this.#waiting.set(turnId, waiting.add(told));
    return {
      within: async (ms, signal) => {
        signal?.throwIfAborted();
        const onAbort = (): void => reject(signal?.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
        await atMost(ms, promise).finally(() => signal?.removeEventListener('abort', onAbort));
        return isFree;
      },
      end: () => {
        waiting.delete(told);
        if (waiting.size === 0 && this.#waiting.get(turnId) === waiting) this.#waiting.delete(turnId);
      },
    };
  }

  /** These turns are free. */
  released(turnIds: readonly string[]): void {
    for (const turnId of turnIds) for (const told of this.#waiting.get(turnId) ?? []) told();
  }
}
