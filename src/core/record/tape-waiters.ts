/** Code that waits until so many lines of a tape are stored. */
interface Waiter {
  readonly upTo: number;
  readonly resolve: () => void;
  /** When it is left out, the waiter goes on waiting while the store fails. */
  readonly reject: ((error: unknown) => void) | undefined;
}

/** The code that waits for the lines of one tape. */
export class TapeWaiters {
  /** Why lines are not stored at present; undefined while the store takes them. */
  fault: unknown;
  #waiting: readonly Waiter[] = [];

  /** Resolves once `upTo` lines are stored. While the store fails it goes on waiting. */
  until(upTo: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#add({ upTo, resolve: () => resolve(undefined), reject: undefined });
    return promise;
  }

  /** As `until`, but rejects once the store fails. */
  attempt(upTo: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    this.#add({ upTo, resolve: () => resolve(undefined), reject: (error) => reject(error) });
    return promise;
  }

  stored(count: number): void {
    const done = this.#waiting.filter(({ upTo }) => upTo <= count);
    this.#waiting = this.#waiting.filter(({ upTo }) => upTo > count);
    for (const { resolve } of done) resolve();
  }

  /** The store has failed, for the reason `cause`. */
  failed(cause: unknown): void {
    this.fault = cause;
    const waiters = this.#waiting;
    this.#waiting = waiters.filter(({ reject }) => reject === undefined);
    for (const { reject } of waiters) reject?.(new Error('the record of the turn cannot be stored', { cause }));
  }

  /** Whoever waits now waits for ever. */
  forget(): void {
    this.#waiting = [];
  }

  #add(waiter: Waiter): void {
    this.#waiting = [...this.#waiting, waiter];
  }
}
