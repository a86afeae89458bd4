import { atMost } from '../base/at-most.ts';
import { untilStopped } from '../base/until-stopped.ts';

/** Wakes one call that waits. */
type Wake = () => void;

/**
 * The calls that wait because other calls hold what is left of an account. A settled call wakes one of them for each of its accounts. The
 * woken call looks at the account again and then wakes the next one. Few calls therefore ask the store in vain.
 */
export class HeldQueue {
  readonly #waiting = new Map<string, Set<Wake>>();
  #settled = 0;

  /**
   * How many calls were settled so far. A caller compares two values: when they differ, a call was settled meanwhile, and the caller looks
   * again instead of waiting.
   */
  get settled(): number {
    return this.#settled;
  }

  /** Resolves when this call may look at the account again, or after `atMostMs`. Rejects with the reason of the signal. */
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

  /** Tells that a call of these accounts is settled. For each account, the call that has waited longest looks again. */
  settle(accounts: readonly string[]): void {
    this.#settled += 1;
    for (const account of accounts) this.wake(account);
  }

  /** Lets the call that has waited longest for this account look again. A call that has waited calls this once it has looked itself. */
  wake(account: string): void {
    const [first] = this.#waiting.get(account) ?? [];
    first?.();
  }
}
