import type { ReleasedIds } from './turn-messages.ts';

/** Milliseconds in which a turn that is free is left to the replica of its reader. */
const readersFirstMs = 700;

/** Milliseconds in which turns whose time is over are taken up together. */
const togetherMs = 100;

/** How the replica takes up turns of others. */
export interface TakingUp {
  /** Takes up these turns, which are free. */
  readonly these: (turnIds: readonly string[]) => void;
  /** Takes up all free turns but those that are left to their readers. */
  readonly all: () => void;
}

/**
 * Has taken up what other replicas let go of (contract/replicas.md#turns). A turn that was read is left to the replica of its reader first. Then
 * any replica takes it up, as it does at once with a turn that nobody reads.
 */
export class ReadersFirst {
  readonly #takeUp: TakingUp;
  readonly #left = new Set<string>();
  #next: NodeJS.Timeout | undefined;

  constructor(takeUp: TakingUp) {
    this.#takeUp = takeUp;
  }

  /** Whether the turn is left to the replica of its reader now. */
  isLeft(turnId: string): boolean {
    return this.#left.has(turnId);
  }

  /** Another replica has let go of these turns, or of some that it has not named. */
  released({ turnIds, unread }: ReleasedIds): void {
    if (unread.length > 0) this.#takeUp.these(unread);
    const read = turnIds.filter((turnId) => !unread.includes(turnId));
    if (read.length === 0 && unread.length > 0) return;
    for (const turnId of read) this.#left.add(turnId);
    setTimeout(() => {
      for (const turnId of read) this.#left.delete(turnId);
      this.#next ??= setTimeout(() => {
        this.#next = undefined;
        this.#takeUp.all();
      }, togetherMs).unref();
    }, readersFirstMs).unref();
  }
}
