import { atMost } from '../base/at-most.ts';
import { untilStopped } from '../base/until-stopped.ts';

/** Lets one waiting call go on. */
type Wake = () => void;

/**
 * Calls that wait because what is left of an account is held for other calls. Each settlement lets one waiting call look into the store
 * again. A call that has looked lets the next one look. So only a few calls at a time ask the store in vain.
 */
export class HeldQueue {
  readonly #waiting = new Map<string, Set<Wake>>();
  #settled = 0;

  /**
   * How many calls were settled so far. A call compares this number before and after its look into the store. When it has changed, the call
   * looks again without waiting.
   */
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

  /** Notes that a call of these accounts is settled. For each account, the call that has waited longest looks again. */
  settle(accounts: readonly string[]): void {
    this.#settled += 1;
    for (const account of accounts) this.wake(account);
  }

  /** Lets the next waiting call of an account look. A call that has waited and looked MUST call this. */
  wake(account: string): void {
    const [first] = this.#waiting.get(account) ?? [];
    first?.();
  }
}
