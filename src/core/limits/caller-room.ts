import type { CountedCaller } from './counted-caller.ts';

export interface CallerRoomOptions {
  /** How much one signed-in user may hold. */
  readonly perUser: number;
  /** How much all anonymous callers of one address may hold together. */
  readonly perAddress: number;
  /** How much all callers may hold together. Default: no such bound. */
  readonly inAll?: number;
}

/** A part of the room that a caller holds until it is released. */
export interface Place {
  /** Gives the part back. A second call does nothing. */
  release(): void;
}

/** Bounds what callers hold at the same time: connections, running turns, bytes that wait. */
export class CallerRoom {
  readonly #options: CallerRoomOptions;
  readonly #held: Readonly<Record<CountedCaller['kind'], Map<string, number>>> = {
    user: new Map(),
    address: new Map(),
  };
  #inAll = 0;

  constructor(options: CallerRoomOptions) {
    this.#options = options;
  }

  /**
   * Whether this caller has room for so much more. An unknown caller is bound only by what all callers hold together.
   */
  has(caller: CountedCaller | undefined, amount = 1): boolean {
    const { perUser, perAddress, inAll = Infinity } = this.#options;
    if (this.#inAll + amount > inAll) return false;
    if (caller === undefined) return true;
    return this.#heldBy(caller) + amount <= (caller.kind === 'user' ? perUser : perAddress);
  }

  /** Gives a caller this much of the room. Undefined when there is too little room. */
  take(caller: CountedCaller | undefined, amount = 1): Place | undefined {
    return this.has(caller, amount) ? this.hold(caller, amount) : undefined;
  }

  /** Counts what a caller holds in any case, even without room. */
  hold(caller: CountedCaller | undefined, amount = 1): Place {
    this.#add(caller, amount);
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#add(caller, -amount);
      },
    };
  }

  #heldBy({ kind, key }: CountedCaller): number {
    return this.#held[kind].get(key) ?? 0;
  }

  #add(caller: CountedCaller | undefined, amount: number): void {
    this.#inAll += amount;
    if (caller === undefined) return;
    const held = this.#heldBy(caller) + amount;
    if (held > 0) this.#held[caller.kind].set(caller.key, held);
    else this.#held[caller.kind].delete(caller.key);
  }
}
