/**
 * The end of each bucket is a fifth higher than the end of the one before. So the middle of a bucket is within 10 % of every value in it.
 */
const growth = 1.2;
/** One day. Longer durations are counted as one day. */
const longestMs = 24 * 60 * 60 * 1000;

/** The bucket of a duration. Bucket 0 is for durations of at most a millisecond. */
export function bucketOf(durationMs: number): number {
  const ms = Math.min(Math.max(durationMs, 1), longestMs);
  return Math.ceil(Math.log(ms) / Math.log(growth));
}

/** The duration that is not exceeded by `share` of all durations, in whole milliseconds. Null when no duration was counted. */
export function percentile(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...buckets.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  const sorted = [...buckets].sort(([one], [other]) => one - other);
  const found = sorted.find(([, count]) => {
    below += count;
    return below >= share * total;
  });
  const [bucket] = found ?? sorted.at(-1) ?? [0];
  return Math.round(growth ** (bucket - 0.5));
}
