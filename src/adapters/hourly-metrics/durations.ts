/** Each bucket ends a fifth higher than the one before, so its middle is within 10 % of every value in it. */
const growth = 1.2;
/** A day: longer ones are counted as this. */
const longestMs = 24 * 60 * 60 * 1000;

/** The bucket that a duration is counted in; 0 is for those below a millisecond. */
export function bucketOf(durationMs: number): number {
  const ms = Math.min(Math.max(durationMs, 1), longestMs);
  return Math.ceil(Math.log(ms) / Math.log(growth));
}

/** The duration that `share` of all counted ones are not above, in whole milliseconds; null when none was counted. */
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
