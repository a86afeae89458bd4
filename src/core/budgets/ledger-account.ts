import { randomId } from '../base/random-id.ts';
import type { BudgetAccounts, BudgetHold, BudgetUse } from '../ports/budget-store.ts';

/** How many more calls like the one that needs it are covered in the store at a time. */
const callsAhead = 16;
/** The part of what is left of a budget that is covered ahead at most. A crash may use it up. */
const shareAhead = 1 / 20;

/** An amount that the store holds for calls of this process. */
interface Cover {
  readonly id: string;
  readonly amount: number;
}

/** A hold that the store is told to replace with a spent amount, until it has confirmed. */
interface Released {
  readonly id: string;
  readonly amount: number;
  /** The part of `amount` that `stored` counts only once the store has confirmed. */
  readonly rest: number;
}

/**
 * One account of a ledger, in one window. Once `cover` resolves, the store counts at least as much as is spent and held here. Figures that
 * the store has not confirmed are taken for the lower of what it may count.
 */
export class LedgerAccount {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
  spent: number;
  held = 0;
  readonly #store: Pick<BudgetAccounts, 'hold' | 'settle'>;
  /** What the store counts as spent, at least. */
  #stored: number;
  /** The oldest first. */
  #covers: readonly Cover[] = [];
  #released: readonly Released[] = [];
  #covering: Promise<void> | undefined;
  #confirming: Promise<void> | undefined;
  #isOver = false;

  /** `use` is what the store counts. What it holds belongs to no call of this process, so nobody would settle it, and it counts as spent. */
  constructor({ account, spent, held, endsAt }: BudgetUse, store: Pick<BudgetAccounts, 'hold' | 'settle'>) {
    this.name = account;
    this.endsAt = endsAt;
    this.spent = spent + held;
    this.#stored = spent + held;
    this.#store = store;
  }

  /** What is spent or held. */
  get taken(): number {
    return this.spent + this.held;
  }

  /** Whether the store counts exactly what is spent, and holds exactly what is held. */
  get isExact(): boolean {
    if (this.#covering !== undefined || this.#released.length > 0) return false;
    return amountOf(this.#covers) === this.#needed && (this.#isOver || this.spent === this.#stored);
  }

  /** Whether nothing of the account is under way, so that it can be read from the store again. */
  get isWritten(): boolean {
    return this.isExact && this.held === 0 && this.#covers.length === 0;
  }

  /** What the store has to hold at least. */
  get #needed(): number {
    return this.#isOver ? 0 : this.held;
  }

  /** Whether the store counts at least what is taken. */
  get isCovered(): boolean {
    return this.#isOver || this.#stored + amountOf(this.#covers) >= this.taken;
  }

  /** Another window has begun, in which nothing of this one counts. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Resolves once the store covers what is taken. `hold` is the hold that needs it: calls like it are covered ahead. Without one, nothing is
   * covered ahead. Rejects when the store fails.
   */
  async cover(hold?: BudgetHold): Promise<void> {
    while (!this.isCovered) {
      this.#covering ??= this.#coverMore(hold).finally(() => {
        this.#covering = undefined;
      });
      await this.#covering;
    }
  }

  /**
   * Has the store count what was really spent, and hold no more than calls need that are under way. One call at a time. Rejects when the
   * store fails; the next call then goes on.
   */
  async write(): Promise<void> {
    await this.#covering?.catch(() => undefined);
    await this.cover();
    await this.#confirm();
    if (this.isExact) return;
    if (this.#needed > 0) await this.#hold(this.#needed);
    for (const cover of this.#covers) if (this.#canSpare(cover)) await this.#release(cover);
  }

  async #coverMore(hold: BudgetHold | undefined): Promise<void> {
    // While the store fails, this keeps further holds from being tried that it may have made all the same.
    await this.#confirm();
    // A share of what is left can only be told where there is a limit.
    const left = Math.max(0, (hold?.below ?? 0) - this.taken);
    const ahead = Math.floor(Math.min(callsAhead * (hold?.amount ?? 0), left * shareAhead));
    const missing = this.taken - this.#stored - amountOf(this.#covers);
    if (missing > 0) await this.#hold(missing + ahead);
  }

  async #hold(amount: number): Promise<void> {
    const id = randomId();
    const { name: account, endsAt } = this;
    try {
      // The window that began with this account may be over by now, and its calls still count in it.
      const isHeld = await this.#store.hold(id, [{ account, amount, below: undefined, endsAt }], endsAt - 1);
      if (!isHeld) throw new Error('the store refuses to cover calls of a budget');
    } catch (error) {
      this.#released = [...this.#released, { id, amount: 0, rest: 0 }];
      throw error;
    }
    this.#covers = [...this.#covers, { id, amount }];
  }

  /** Calls that have begun meanwhile may need more than was held for them when the writing began. */
  #canSpare({ amount }: Cover): boolean {
    return amountOf(this.#covers) - amount >= this.#needed;
  }

  async #release(cover: Cover): Promise<void> {
    const amount = this.spent - this.#stored;
    const counted = Math.min(amount, cover.amount);
    this.#covers = this.#covers.filter((each) => each !== cover);
    this.#stored += counted;
    this.#released = [...this.#released, { id: cover.id, amount, rest: amount - counted }];
    await this.#confirm();
  }

  /** A failed store may have made a change all the same. It makes each one once, so a change is told again as it was. */
  async #confirm(): Promise<void> {
    while (this.#released.length > 0) {
      this.#confirming ??= this.#confirmAll().finally(() => {
        this.#confirming = undefined;
      });
      await this.#confirming;
    }
  }

  async #confirmAll(): Promise<void> {
    for (let [first] = this.#released; first !== undefined; [first] = this.#released) {
      const { id, amount, rest } = first;
      await this.#store.settle(id, [{ account: this.name, amount }]);
      this.#released = this.#released.filter((each) => each.id !== id);
      this.#stored += rest;
    }
  }
}

function amountOf(covers: readonly Cover[]): number {
  let sum = 0;
  for (const { amount } of covers) sum += amount;
  return sum;
}
