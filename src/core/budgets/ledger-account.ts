import { randomId } from '../base/random-id.ts';
import type { BudgetHold, BudgetStore, BudgetUse } from '../ports/budget-store.ts';

/** How many more calls like the one that needs it are covered in the store at a time. */
const callsAhead = 16;
/** The part of what is left of a budget that is covered ahead at most. A crash may use it up. */
const shareAhead = 1 / 20;

/** An amount that the store holds for calls of this process. */
interface Cover {
  readonly id: string;
  readonly amount: number;
}

/** One account of a ledger, in one window. The store counts at least as much as is spent and held here. */
export class LedgerAccount {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
  spent: number;
  held: number;
  readonly #store: BudgetStore;
  /** What the store counts as spent. */
  #written: number;
  #covers: Cover[] = [];
  #covering: Promise<void> | undefined;

  /** `use` is what the store counts. */
  constructor({ account, spent, held, endsAt }: BudgetUse, store: BudgetStore) {
    this.name = account;
    this.endsAt = endsAt;
    this.spent = spent;
    this.held = held;
    this.#written = spent + held;
    this.#store = store;
  }

  /** What is spent or held. */
  get taken(): number {
    return this.spent + this.held;
  }

  /** Whether the store counts exactly what is spent and held. */
  get isWritten(): boolean {
    return this.#covers.length === 0 && this.taken === this.#written;
  }

  /** Whether the store counts at least what is taken. */
  get isCovered(): boolean {
    return this.#written + amountOf(this.#covers) >= this.taken;
  }

  /** Resolves once the store covers what is taken. `hold` is the latest hold that was added to `held`. Rejects when the store fails. */
  async cover(hold: BudgetHold, now: number): Promise<void> {
    while (!this.isCovered) {
      this.#covering ??= this.#coverMore(hold, now).finally(() => {
        this.#covering = undefined;
      });
      await this.#covering;
    }
  }

  /** Replaces the covers in the store with what was really spent, and with what is held now. */
  async write(): Promise<void> {
    if (this.isWritten) return;
    const kept = this.held === 0 ? [] : [await this.#hold(this.held, this.endsAt - 1)];
    const covered = this.spent + amountOf(kept);
    // Calls that began meanwhile need the earlier covers.
    if (covered < this.taken) {
      this.#covers.push(...kept);
      return;
    }
    const covers = this.#covers;
    const more = this.spent - this.#written;
    this.#covers = kept;
    this.#written = this.spent;
    for (const [index, { id }] of covers.entries()) {
      await this.#store.settle(id, [{ account: this.name, amount: index === 0 ? more : 0 }]);
    }
  }

  async #coverMore({ amount, below }: BudgetHold, now: number): Promise<void> {
    const left = below === undefined ? Infinity : Math.max(0, below - this.taken);
    const ahead = Math.floor(Math.min(callsAhead * amount, left * shareAhead));
    const missing = this.taken - this.#written - amountOf(this.#covers);
    this.#covers.push(await this.#hold(missing + ahead, now));
  }

  async #hold(amount: number, now: number): Promise<Cover> {
    const id = randomId();
    await this.#store.hold(id, [{ account: this.name, amount, below: undefined, endsAt: this.endsAt }], now);
    return { id, amount };
  }
}

function amountOf(covers: readonly Cover[]): number {
  return covers.reduce((sum, { amount }) => sum + amount, 0);
}
