import type { Logger } from '../../../core/ports/logger.ts';

/**
 * Why a message was not accepted. `oversized`: too long; `forged`: not sealed with a key of this server for this channel; `unreadable`:
 * sealed, but of another version; `readdressed`: for another replica; `untimely`: sent at another time, or the clocks of the replicas differ;
 * `late`: a call that nobody waits for any more; `replayed`: seen before; `stray`: an answer that nobody waits for; `overloaded`: of more
 * replicas than can be remembered.
 */
export type DropReason =
  'oversized' | 'forged' | 'unreadable' | 'readdressed' | 'untimely' | 'late' | 'replayed' | 'stray' | 'overloaded';

/** Reasons that are no sign of a fault or an attack: answers and calls come late now and then. */
const ordinary: ReadonlySet<DropReason> = new Set(['stray', 'late']);

const logEveryMs = 60_000;

/** Counts messages that were not accepted, and logs them once a minute at most. */
export class DroppedMessages {
  readonly #log: Logger;
  readonly #elapsed: () => number;
  readonly #counts = new Map<DropReason, number>();
  #loggedAt = -Infinity;

  constructor(log: Logger, elapsed: () => number) {
    this.#log = log;
    this.#elapsed = elapsed;
  }

  /** How many messages were dropped for each reason since the start. */
  get counts(): ReadonlyMap<DropReason, number> {
    return this.#counts;
  }

  drop(reason: DropReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (ordinary.has(reason) || this.#elapsed() - this.#loggedAt < logEveryMs) return;
    this.#loggedAt = this.#elapsed();
    this.#log.warn({ dropped: Object.fromEntries(this.#counts) }, 'messages between replicas were not accepted');
  }
}
