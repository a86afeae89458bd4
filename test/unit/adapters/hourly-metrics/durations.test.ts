import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, percentile } from '../../../../src/adapters/hourly-metrics/durations.ts';

function counted(durations: readonly number[]): ReadonlyMap<number, number> {
  const buckets = new Map<number, number>();
  for (const duration of durations) buckets.set(bucketOf(duration), (buckets.get(bucketOf(duration)) ?? 0) + 1);
  return buckets;
}

describe('percentiles of durations', () => {
  it('are within 10 % of the true value, whatever was counted', () => {
    const duration = fc.integer({ min: 10, max: 3_600_000 });
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (all, share) => {
          const sorted = all.toSorted((one, other) => one - other);
          const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          const found = percentile(counted(all), share) ?? 0;
          // Whole milliseconds are rounded beside.
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.1 + 1);
        },
      ),
    );
  });

  it('are null when nothing was counted, and not above a day', () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
    expect(bucketOf(Number.MAX_SAFE_INTEGER)).toBe(bucketOf(86_400_000));
    expect(bucketOf(0)).toBe(0);
  });
});
