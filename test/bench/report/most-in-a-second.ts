/** The most of these moments, in milliseconds, that lie in any one second. Sorts them. */
export function mostInASecond(times: number[]): number {
  times.sort((left, right) => left - right);
  let [most, begin] = [0, 0];
  for (const [end, at] of times.entries()) {
    while ((times[begin] ?? at) <= at - 1_000) begin += 1;
    most = Math.max(most, end - begin + 1);
  }
  return most;
}
