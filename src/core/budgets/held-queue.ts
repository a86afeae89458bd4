import { atMost } from '../base/at-most.ts';
import { untilStopped } from '../base/until-stopped.ts';

/** One call that waits. */
type Wake = () => void;

/**
 * Calls that wait because what is left of an account is held for others. Each settlement lets one of them look again, and whoever has
 * looked lets the next one, so that nobody asks the store in vain for long.
 */
export class HeldQueue {
  readonly #waiting = new Map<string, Set<Wake>>();
  #settled = 0;

  /** How many calls were settled so far. Whoever has looked compares: what was settled meanwhile is not waited for. */
  get settled(): number {
    return this.#settled;
  }

  /** Resolves when it is this call's turn to look again, or after these milliseconds. Rejects with the signal's reason. */
  async wait(account: string, atMostMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = (): void => {
      resolve(undefined);
    };
    const waiting = this.#waiting.get(account) ?? new Set();
    this.#waiting.set(account, waiting.add(wake));
    try {
      await untilStopped(atMost(atMostMs, promise), signal);
    } finally {
      wake();
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(account) === waiting) this.#waiting.delete(account);
    }
  }

  /** A call of these accounts is settled: the one that has waited longest for each of them looks again. */
  settle(accounts: readonly string[]): void {
    this.#settled += 1;
    for (const account of accounts) this.wake(account);
  }

  /** Whoever has looked lets the next one look. */
  wake(account: string): void {
    const [first] = this.#waiting.get(account) ?? [];
    first?.();
  }
}
