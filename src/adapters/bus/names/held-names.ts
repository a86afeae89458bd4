import { BusAway } from '../../../core/ports/bus-away.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { mostNames } from '../bus-limits.ts';
import type { Carrier, HeldName } from '../carrier.ts';

/** How many names are kept with one command. */
const atOnce = 500;

/** The names that this replica owns. They are kept, all together, as long as it holds them. */
export class HeldNames {
  readonly #carrier: Carrier;
  readonly #log: Logger;
  readonly #held = new Map<string, HeldName>();
  /** Names that this replica is about to own. */
  readonly #claimed = new Set<string>();
  readonly #keeping: NodeJS.Timeout;

  constructor(carrier: Carrier, log: Logger, everyMs: number) {
    this.#carrier = carrier;
    this.#log = log;
    this.#keeping = setInterval(() => void this.keep(), everyMs);
  }

  async own(name: string, ttlMs: number): Promise<boolean> {
    if (this.#held.has(name) || this.#claimed.has(name)) return false;
    if (this.#held.size + this.#claimed.size >= mostNames) throw new BusAway('this replica owns too many names');
    this.#claimed.add(name);
    try {
      const isOwned = await this.#carrier.own(name, ttlMs);
      if (isOwned) this.#held.set(name, { name, ttlMs });
      return isOwned;
    } finally {
      this.#claimed.delete(name);
    }
  }

  async disown(name: string): Promise<void> {
    if (!this.#held.delete(name)) return;
    await this.#carrier.disown([name]).catch(() => undefined);
  }

  /** Keeps all names, also those that were forgotten meanwhile. Names that another replica has taken are let go. */
  async keep(): Promise<void> {
    const all = [...this.#held.values()];
    try {
      for (let first = 0; first < all.length; first += atOnce) {
        const lost = await this.#carrier.keep(all.slice(first, first + atOnce));
        for (const name of lost) this.#held.delete(name);
        if (lost.length > 0) this.#log.warn({ names: lost.length }, 'another replica owns what this one had owned');
      }
    } catch {
      this.#log.debug({}, 'the names of this replica could not be kept: the next time will do');
    }
    await this.#letGo(all);
  }

  async close(): Promise<void> {
    clearInterval(this.#keeping);
    const names = [...this.#held.keys()];
    this.#held.clear();
    if (names.length > 0) await this.#carrier.disown(names).catch(() => undefined);
  }

  /** A name that was disowned while all names were kept may have been written again. */
  async #letGo(kept: readonly HeldName[]): Promise<void> {
    const gone = kept.map(({ name }) => name).filter((name) => !this.#held.has(name));
    if (gone.length > 0) await this.#carrier.disown(gone).catch(() => undefined);
  }
}
