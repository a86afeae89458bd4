/** The ranges that the page offers, by their hours. The one that runs is the last of them. */
export const hoursOfRange = { hour: 2, day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type RangeName = keyof typeof hoursOfRange;
export const rangeNames = Object.keys(hoursOfRange) as readonly RangeName[]; // the keys are these names

export interface Span {
  /** Epoch milliseconds, as `to`. */
  readonly from: number;
  readonly to: number;
}

const hourMs = 60 * 60 * 1000;

/** The hours of a range, as seen at `now`. */
export function spanOf(range: RangeName, now: number): Span {
  const to = (Math.floor(now / hourMs) + 1) * hourMs;
  return { from: to - hoursOfRange[range] * hourMs, to };
}

/**
 * The time before a span, as long as it is; null where it would compare what cannot be compared: figures of that time are not kept any
 * more, or the hour that runs is too much of the span.
 */
export function spanBefore({ from, to }: Span, retentionMs: number): Span | null {
  const before = { from: from - (to - from), to: from };
  const isTooShort = to - from < hoursOfRange.day * hourMs;
  return isTooShort || before.from < to - retentionMs ? null : before;
}

/** The ranges of which all figures are kept. */
export function offeredRanges(retentionMs: number): readonly RangeName[] {
  return rangeNames.filter((name) => name === 'hour' || hoursOfRange[name] * hourMs <= retentionMs);
}
