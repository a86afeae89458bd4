import { describe, expect, it } from 'vitest';
import { offeredRanges, spanBefore, spanOf } from '../../../src/dashboard/ranges.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.parse('2026-11-22T10:20:00Z');
const thisHour = Date.parse('2026-11-22T11:00:00Z');

describe('the ranges of the dashboard', () => {
  it('end with the hour that runs', () => {
    expect(spanOf('day', now)).toEqual({ from: thisHour - dayMs, to: thisHour });
    expect(spanOf('hour', now)).toEqual({ from: thisHour - 2 * hourMs, to: thisHour });
  });

  it('are compared with the time before where that is kept, and not within a day', () => {
    const day = spanOf('day', now);
    expect(spanBefore(day, 7 * dayMs)).toEqual({ from: thisHour - 2 * dayMs, to: thisHour - dayMs });
    expect(spanBefore(spanOf('week', now), 7 * dayMs)).toBeNull();
    expect(spanBefore(spanOf('week', now), 14 * dayMs)).not.toBeNull();
    expect(spanBefore(spanOf('hour', now), 7 * dayMs)).toBeNull();
  });

  it('are offered as far as figures are kept', () => {
    expect(offeredRanges(7 * dayMs)).toEqual(['hour', 'day', 'week']);
    expect(offeredRanges(30 * dayMs)).toEqual(['hour', 'day', 'week', 'month']);
    expect(offeredRanges(hourMs)).toEqual(['hour']);
  });
});
