import type { SharedNames } from '../ports/replica-bus.ts';

/** Milliseconds for which other replicas know the questions of a replica that has died. */
const ownedMs = 60_000;

interface Entered {
  readonly name: string;
  /** The other replica that has the question. Undefined: this one. Never rejects. */
  readonly place: Promise<string | undefined>;
  /** Calls that are under way. */
  calls: number;
}

/**
 * Which replica has the question about a call that names none (contract/replicas.md#programs). While a replica holds the question, or makes
 * such a call, it owns a name on the bus. While the bus is away, each replica asks by itself.
 */
export class CallsElsewhere {
  readonly #names: () => SharedNames | undefined;
  readonly #isHeld: (key: string) => boolean;
  readonly #entered = new Map<string, Entered>();

  /** `isHeld`: whether this replica has a question under this key. */
  constructor(names: () => SharedNames | undefined, isHeld: (key: string) => boolean) {
    this.#names = names;
    this.#isHeld = isHeld;
  }

  /** The other replica that a call belongs to. Undefined: this one. `leave` MUST follow once the call is over. */
  async enter(key: string): Promise<string | undefined> {
    const names = this.#names();
    if (names === undefined) return undefined;
    const name = names.secretName(`question ${key}`);
    const entered = this.#entered.get(key) ?? { name, place: placeOf(names, name), calls: 0 };
    this.#entered.set(key, entered);
    entered.calls += 1;
    return entered.place;
  }

  leave(key: string): void {
    const entered = this.#entered.get(key);
    if (entered === undefined) return;
    entered.calls -= 1;
    this.#letGo(key);
  }

  /** This replica has a question no more. */
  freed(key: string): void {
    this.#letGo(key);
  }

  #letGo(key: string): void {
    const entered = this.#entered.get(key);
    if (entered === undefined || entered.calls > 0 || this.#isHeld(key)) return;
    this.#entered.delete(key);
    // Lets go of nothing where another replica has the name.
    void this.#names()?.disown(entered.name);
  }
}

async function placeOf(names: SharedNames, name: string): Promise<string | undefined> {
  try {
    if (await names.own(name, ownedMs)) return undefined;
    const owner = await names.ownerOf(name);
    return owner === names.replica ? undefined : owner;
  } catch {
    return undefined;
  }
}
