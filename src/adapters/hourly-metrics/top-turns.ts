import type { CallerMetrics } from '../../core/ports/metrics.ts';
import type { TurnFigures } from '../../wire/admin-metrics.ts';
import { hourMs, startOf, stepMs } from './hour-book.ts';
import type { AskedRange, ModelPrices } from './range-report.ts';

type EndedTurn = Parameters<CallerMetrics['turnEnded']>[0];

/** The most turns of one table. */
const most = 10;
/** Milliseconds for which turns are kept by steps. */
const stepsKeptMs = 2 * hourMs;
/** Milliseconds for which they are kept by the hour. */
const keptMs = 24 * hourMs;

interface Counted {
  readonly at: number;
  readonly turn: Omit<TurnFigures, 'at'>;
}

interface Top {
  slowest: readonly Counted[];
  dearest: readonly Counted[];
}

const orders: Readonly<Record<keyof Top, (one: Counted, other: Counted) => number>> = {
  slowest: (one, other) => other.turn.durationMs - one.turn.durationMs,
  dearest: (one, other) => (other.turn.cost ?? 0) - (one.turn.cost ?? 0) || tokensOf(other) - tokensOf(one),
};

/**
 * The slowest and the dearest turns, by their ids: ten of each step of five minutes, and after two hours ten of each hour. In memory alone,
 * for a day at most, so it never holds more than some thousand turns.
 */
export class TopTurns {
  readonly #now: () => number;
  readonly #prices: () => ModelPrices;
  /** By the beginning of the step. */
  readonly #steps = new Map<number, Top>();
  /** By the beginning of the hour. */
  readonly #hours = new Map<number, Top>();

  /** `now`: epoch milliseconds. */
  constructor(now: () => number, prices: () => ModelPrices) {
    this.#now = now;
    this.#prices = prices;
  }

  get isEmpty(): boolean {
    this.#forget();
    return this.#steps.size + this.#hours.size === 0;
  }

  /** Turns that were refused have taken nothing, and are left out. */
  add({ turnId, channel, status, durationMs, usage }: EndedTurn): void {
    if (status === 'refused') return;
    this.#forget();
    const { inputTokens, outputTokens, model } = usage;
    const cost = costOf(usage, this.#prices());
    const turn = { turnId, channel, status, durationMs, model, inputTokens, outputTokens, cost };
    const at = this.#now();
    merge(this.#steps, startOf(at, stepMs), { slowest: [{ at, turn }], dearest: [{ at, turn }] });
  }

  /** The turns of a range that ended in the last 24 hours of this process. */
  report({ from, to }: Pick<AskedRange, 'from' | 'to'>): Record<keyof Top, readonly TurnFigures[]> {
    this.#forget();
    const tops = [...this.#steps.values(), ...this.#hours.values()];
    const best = (name: keyof Top): readonly TurnFigures[] =>
      tops
        .flatMap((top) => top[name].filter(({ at }) => at >= from && at < to))
        .sort(orders[name])
        .slice(0, most)
        .map(({ at, turn }) => ({ at: new Date(at).toISOString(), ...turn }));
    return { slowest: best('slowest'), dearest: best('dearest') };
  }

  #forget(): void {
    const now = this.#now();
    for (const [at, top] of this.#steps) {
      if (at + stepMs > now - stepsKeptMs) continue;
      this.#steps.delete(at);
      merge(this.#hours, startOf(at, hourMs), top);
    }
    for (const at of this.#hours.keys()) if (at + hourMs <= now - keptMs) this.#hours.delete(at);
  }
}

function merge(into: Map<number, Top>, key: number, more: Top): void {
  const known = into.get(key) ?? { slowest: [], dearest: [] };
  into.set(key, {
    slowest: [...known.slowest, ...more.slowest].sort(orders.slowest).slice(0, most),
    dearest: [...known.dearest, ...more.dearest].sort(orders.dearest).slice(0, most),
  });
}

function tokensOf({ turn }: Counted): number {
  return turn.inputTokens + turn.outputTokens;
}

/** By the model that answered last. Null where that has no price. */
function costOf({ inputTokens, outputTokens, model }: EndedTurn['usage'], prices: ModelPrices): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (price === undefined) return null;
  const cost = (inputTokens * price.inputPer1M + outputTokens * price.outputPer1M) / 1_000_000;
  return Math.round(cost * 1_000_000) / 1_000_000;
}
