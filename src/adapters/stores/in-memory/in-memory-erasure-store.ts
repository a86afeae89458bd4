import type { ErasureStore } from '../../../core/ports/erasure-store.ts';

/** The marks of erased users for `storage.type: memory`. They end with the process. */
export class InMemoryErasureStore implements ErasureStore {
  readonly #erasedAt = new Map<string, number>();

  mark(mark: string, at: number): Promise<void> {
    this.#erasedAt.set(mark, at);
    return Promise.resolve();
  }

  erasedAt(marks: readonly string[]): Promise<number | undefined> {
    const times = marks.flatMap((mark) => this.#erasedAt.get(mark) ?? []);
    return Promise.resolve(times.length === 0 ? undefined : Math.max(...times));
  }

  /** What this process has given a time is no later than its next time. */
  latest(): Promise<number | undefined> {
    return Promise.resolve(undefined);
  }

  forget(before: number): Promise<void> {
    for (const [mark, at] of this.#erasedAt) if (at < before) this.#erasedAt.delete(mark);
    return Promise.resolve();
  }
}
