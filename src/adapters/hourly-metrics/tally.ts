import { partsOf, type SeriesKind } from './series.ts';
import type { HourValues } from './stored-hour.ts';

interface Counted {
  readonly parts: readonly string[];
  readonly value: number;
}

/** The series of one hour or of several hours together, which can be summed up by the parts of their names. */
export class Tally {
  /** The counts by kind, then by name. */
  readonly #series = new Map<string, Map<string, Counted[]>>();

  constructor(values: HourValues) {
    for (const [series, value] of values) this.#take(series, value);
  }

  /** The names within a kind, in alphabetical order. */
  names(kind: SeriesKind): readonly string[] {
    return [...(this.#series.get(kind)?.keys() ?? [])].sort();
  }

  /** The first parts within a name, in alphabetical order. */
  parts(kind: SeriesKind, name: string): readonly string[] {
    return [...new Set(this.#found(kind, name, []).map(({ parts }) => parts[0] ?? ''))].sort();
  }

  /** The sum of a kind. With a name, only the series of this name count. With further parts, only series with these parts count. */
  sum(kind: SeriesKind, name?: string, ...parts: readonly string[]): number {
    return this.#found(kind, name, parts).reduce((sum, { value }) => sum + value, 0);
  }

  /** The highest value of a name. */
  highest(kind: SeriesKind, name: string): number {
    return this.#found(kind, name, []).reduce((highest, { value }) => Math.max(highest, value), 0);
  }

  /** How many durations were counted in each bucket of a name. Without a name, the kind has only the empty name. */
  buckets(kind: SeriesKind, name = ''): ReadonlyMap<number, number> {
    const buckets = new Map<number, number>();
    for (const { parts, value } of this.#found(kind, name, [])) {
      const bucket = Number(parts[0]);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + value);
    }
    return buckets;
  }

  #found(kind: SeriesKind, name: string | undefined, parts: readonly string[]): readonly Counted[] {
    const byName = this.#series.get(kind) ?? new Map<string, Counted[]>();
    const counted = name === undefined ? [...byName.values()].flat() : (byName.get(name) ?? []);
    return counted.filter((each) => parts.every((part, index) => each.parts[index] === part));
  }

  #take(series: string, value: number): void {
    const [kind = '', name = '', ...parts] = partsOf(series);
    const byName = this.#series.get(kind) ?? new Map<string, Counted[]>();
    this.#series.set(kind, byName);
    const counted = byName.get(name) ?? [];
    byName.set(name, counted);
    counted.push({ parts, value });
  }
}
