/** How often each value occurs: `62 × 408, 58 × 429`. */
export function tally(values: readonly (string | number | undefined)[]): string {
  const counts = Map.groupBy(values, String);
  return [...counts.entries()]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([value, { length }]) => `${String(length)} × ${value}`)
    .join(', ');
}
