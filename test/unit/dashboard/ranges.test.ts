import { describe, expect, it } from 'vitest';
import {
  dayOf,
  offeredRanges,
  rangeInAddress,
  rangeOfDays,
  spanBefore,
  spanOf,
  withRange,
} from '../../../src/dashboard/ranges.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.parse('2026-11-22T10:20:00Z');
const thisHour = Date.parse('2026-11-22T11:00:00Z');

describe('the ranges of the dashboard', () => {
  it('end with the hour that runs', () => {
    expect(spanOf('day', now)).toEqual({ from: thisHour - dayMs, to: thisHour, step: '1h' });
    // The last sixty minutes are meant and not the hour of the clock. They include the current five minutes.
    const to = Date.parse('2026-11-22T10:25:00Z');
    expect(spanOf('hour', now)).toEqual({ from: to - hourMs, to, step: '5m' });
  });

  it('are compared with the time before where that is kept', () => {
    const day = spanOf('day', now);
    expect(spanBefore(day, 7 * dayMs)).toEqual({
      from: thisHour - 2 * dayMs,
      to: thisHour - dayMs,
      step: '1h',
    });
    expect(spanBefore(spanOf('week', now), 7 * dayMs)).toBeNull();
    expect(spanBefore(spanOf('week', now), 14 * dayMs)).not.toBeNull();
    const hour = spanOf('hour', now);
    expect(spanBefore(hour, hourMs)).toEqual({ from: hour.from - hourMs, to: hour.from, step: '5m' });
  });

  it('are offered as far as figures are kept', () => {
    expect(offeredRanges(7 * dayMs)).toEqual(['hour', 'day', 'week']);
    expect(offeredRanges(30 * dayMs)).toEqual(['hour', 'day', 'week', 'month']);
    expect(offeredRanges(hourMs)).toEqual(['hour']);
  });

  // proves service-13-21
  it('may be days of the browser, from the beginning of the first to the end of the last one', () => {
    const span = spanOf({ fromDay: '2026-11-02', toDay: '2026-11-04' }, now);
    expect([dayOf(span.from), new Date(span.from).getHours()]).toEqual(['2026-11-02', 0]);
    expect([dayOf(span.to), new Date(span.to).getHours()]).toEqual(['2026-11-05', 0]);
    expect(span.step).toBe('1h');
    // Today has no more hours than those that have begun.
    const today = dayOf(now);
    expect(spanOf({ fromDay: today, toDay: today }, now).to).toBe(thisHour);
    expect(spanOf({ fromDay: '2026-12-24', toDay: '2026-12-24' }, now)).toMatchObject({ from: thisHour - hourMs });
  });

  // proves service-13-21
  it('stand in the address, and are read from there', () => {
    const days = { fromDay: '2026-11-02', toDay: '2026-11-04' };
    const address = withRange(new URL('https://helper.example/helper/admin?language=de'), days);
    expect(address.search).toBe('?language=de&range=days&from=2026-11-02&to=2026-11-04');
    expect(rangeInAddress(address)).toEqual(days);
    expect(withRange(address, 'week').search).toBe('?language=de&range=week');
    expect(rangeInAddress(address)).toBe('week');
    for (const search of ['', '?range=year', '?range=days', '?range=days&from=x&to=2026-11-04'])
      expect(rangeInAddress(new URL(`https://helper.example/${search}`))).toBe('day');
  });

  it('have their days in order', () => {
    expect(rangeOfDays('2026-11-04', '2026-11-02')).toEqual({ fromDay: '2026-11-02', toDay: '2026-11-04' });
    expect(rangeOfDays('2026-13-99', '2026-11-02')).toBeNull();
  });
});
