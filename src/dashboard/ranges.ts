/** The ranges that the page offers, with their number of hours. The last hour of a range is the running one. */
export const hoursOfRange = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type RangeName = keyof typeof hoursOfRange;
export const rangeNames = Object.keys(hoursOfRange) as readonly RangeName[]; // the keys are these names

export interface Span {
  /** Epoch milliseconds. `to` is in the same unit. */
  readonly from: number;
  readonly to: number;
  /** The unit of its entries: hours, or steps of five minutes. */
  readonly step: '1h' | '5m';
}

const hourMs = 60 * 60 * 1000;
const stepMs = { '1h': hourMs, '5m': 5 * 60 * 1000 } as const;

/**
 * The span of a range at the time `now`. The range of one hour has steps of five minutes, so that it covers the last 60 minutes and not an
 * hour of the clock.
 */
export function spanOf(range: RangeName, now: number): Span {
  const step = range === 'hour' ? '5m' : '1h';
  const to = (Math.floor(now / stepMs[step]) + 1) * stepMs[step];
  return { from: to - hoursOfRange[range] * hourMs, to, step };
}

/** The span before a span, of the same length. Null when the server no longer keeps its figures. */
export function spanBefore({ from, to, step }: Span, retentionMs: number): Span | null {
  const before = { from: from - (to - from), to: from, step };
  // The last two hours are kept however short the retention is.
  const kept = step === '5m' ? Math.max(retentionMs, 2 * hourMs) : retentionMs;
  return before.from < to - kept ? null : before;
}

/** The ranges of which all figures are kept. */
export function offeredRanges(retentionMs: number): readonly RangeName[] {
  return rangeNames.filter((name) => name === 'hour' || hoursOfRange[name] * hourMs <= retentionMs);
}
