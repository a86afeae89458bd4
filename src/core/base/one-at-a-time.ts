/** Runs the work of one key one after the other, in the order of the calls. Different keys do not wait for each other. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves and rejects as `work` does, even when earlier work of the key has failed. */
  async do<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const next = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, next);
    try {
      return await next;
    } finally {
      if (this.#last.get(key) === next) this.#last.delete(key);
    }
  }
}
