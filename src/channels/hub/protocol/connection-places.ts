/** Room for one connection; whoever was given it gives it back. */
export interface Place {
  /** Does nothing a second time. */
  release(): void;
}

/** Counts the connections there are and those about to be, in all and per caller. */
export class ConnectionPlaces {
  readonly #perKey = new Map<string, number>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  takenBy(key: string): number {
    return this.#perKey.get(key) ?? 0;
  }

  take(key: string): Place {
    this.#taken += 1;
    this.#perKey.set(key, this.takenBy(key) + 1);
    let isTaken = true;
    return {
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#taken -= 1;
        const left = this.takenBy(key) - 1;
        if (left > 0) this.#perKey.set(key, left);
        else this.#perKey.delete(key);
      },
    };
  }
}
