/** The value at `share` (0 to 1) of values in ascending order; NaN of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A figure of several rounds: the middle one, and how far the others lie apart. */
export interface Summary {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Summarises the rounds; all NaN of none. */
export function summarise(values: readonly number[]): Summary {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const lower = sorted[Math.floor(middle)] ?? Number.NaN;
  const upper = sorted[Math.ceil(middle)] ?? Number.NaN;
  return { median: (lower + upper) / 2, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}
