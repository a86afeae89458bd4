/** Runs work one after the other, in the order of the calls, where it shares a key with earlier work. Other work does not wait. */
export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves and rejects as `work` does, even when earlier work of a key has failed. */
  async do<Value>(keys: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const before = keys.flatMap((key) => this.#last.get(key) ?? []);
    const next = before.length === 0 ? work() : Promise.allSettled(before).then(work);
    for (const key of keys) this.#last.set(key, next);
    try {
      return await next;
    } finally {
      for (const key of keys) if (this.#last.get(key) === next) this.#last.delete(key);
    }
  }
}
