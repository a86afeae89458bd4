import type { SharedTurns, TurnHold } from '../../ports/turn-store.ts';

/** A turn that nobody has taken up after so many milliseconds does not hold the others up. */
const longestMoveMs = 1_000;
/** The fewest turns that are on their way at a time, and the milliseconds that one takes where somebody reads it. */
const fewestAtOnce = 32;
const usualMoveMs = 150;

type Hold = Pick<TurnHold, 'turnId' | 'epoch'>;

/**
 * The turns that are on their way from this replica to others (contract/replicas.md#turns). Readers wait for a turn on its way, so only some
 * turns set out at a time: all others are read meanwhile.
 */
export class MovingTurns {
  readonly #shared: Pick<SharedTurns, 'lost'>;
  readonly #most: number;
  readonly #elapsed: () => number;
  /** From then on nothing is held back: the time for all this is over. */
  readonly #until: number;
  readonly #moves = new Map<string, { readonly hold: Hold; readonly since: number }>();

  /** So many turns move at a time that `count` of them may move within `withinMs`. After this time all may move. `elapsed`: milliseconds. */
  constructor(
    shared: Pick<SharedTurns, 'lost'>,
    { count, withinMs, elapsed }: { readonly count: number; readonly withinMs: number; readonly elapsed: () => number },
  ) {
    this.#shared = shared;
    this.#most = Math.max(fewestAtOnce, Math.ceil((count * usualMoveMs) / Math.max(1, withinMs)));
    this.#elapsed = elapsed;
    this.#until = elapsed() + withinMs;
  }

  /** How many turns may set out now. Never rejects. */
  async room(): Promise<number> {
    if (this.#elapsed() >= this.#until) return Infinity;
    if (this.#moves.size > 0) {
      const taken = await this.#shared.lost([...this.#moves.values()].map(({ hold }) => hold)).catch(() => []);
      for (const turnId of taken) this.#moves.delete(turnId);
      for (const [turnId, { since }] of this.#moves)
        if (this.#elapsed() - since > longestMoveMs) this.#moves.delete(turnId);
    }
    return Math.max(0, this.#most - this.#moves.size);
  }

  /** A turn sets out. */
  add(hold: Hold): void {
    this.#moves.set(hold.turnId, { hold, since: this.#elapsed() });
  }
}
