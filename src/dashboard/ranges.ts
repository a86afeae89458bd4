/** The ranges that the page offers, with their number of hours. The last hour of a range is the running one. */
export const hoursOfRange = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type RangeName = keyof typeof hoursOfRange;
export const rangeNames = Object.keys(hoursOfRange) as readonly RangeName[]; // the keys are these names

/** Whole days in the time zone of the browser, as `2026-11-30`. Both belong to the range. */
export interface DayRange {
  readonly fromDay: string;
  readonly toDay: string;
}

export type Range = RangeName | DayRange;

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
export function spanOf(range: Range, now: number): Span {
  if (typeof range !== 'string') return spanOfDays(range, now);
  const step = range === 'hour' ? '5m' : '1h';
  const to = (Math.floor(now / stepMs[step]) + 1) * stepMs[step];
  return { from: to - hoursOfRange[range] * hourMs, to, step };
}

/** Whole hours, since figures are kept by the hour. The running hour is the last one. */
function spanOfDays({ fromDay, toDay }: DayRange, now: number): Span {
  const from = Math.floor(startOfDay(fromDay) / hourMs) * hourMs;
  const end = new Date(startOfDay(toDay));
  end.setDate(end.getDate() + 1);
  const running = (Math.floor(now / hourMs) + 1) * hourMs;
  const to = Math.min(Math.ceil(end.getTime() / hourMs) * hourMs, running);
  return { from: Math.min(from, to - hourMs), to, step: '1h' };
}

function startOfDay(day: string): number {
  return new Date(`${day}T00:00`).getTime();
}

/** A day as a field for days writes it. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The range of these days, whichever comes first. Null where one of them is no day. */
export function rangeOfDays(one: string, other: string): DayRange | null {
  const areDays = [one, other].every((day) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(startOfDay(day)));
  if (!areDays) return null;
  return one <= other ? { fromDay: one, toDay: other } : { fromDay: other, toDay: one };
}

/** The range that an address names; the last day where it names none. */
export function rangeInAddress({ searchParams }: URL): Range {
  const days = rangeOfDays(searchParams.get('from') ?? '', searchParams.get('to') ?? '');
  const asked = searchParams.get('range');
  return (asked === 'days' ? days : rangeNames.find((name) => name === asked)) ?? 'day';
}

/** Writes a range into an address, as `rangeInAddress` reads it. */
export function withRange(address: URL, range: Range): URL {
  const { searchParams } = address;
  const days = typeof range === 'string' ? null : range;
  searchParams.set('range', typeof range === 'string' ? range : 'days');
  for (const [name, day] of [
    ['from', days?.fromDay],
    ['to', days?.toDay],
  ] as const) {
    if (day === undefined) searchParams.delete(name);
    else searchParams.set(name, day);
  }
  return address;
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
