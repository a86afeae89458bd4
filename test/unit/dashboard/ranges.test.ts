import { describe, expect, it } from 'vitest';
import { offeredRanges, spanBefore, spanOf } from '../../../src/dashboard/ranges.ts';

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
});
