const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * Milliseconds until the next attempt to fetch the first manifest. The wait doubles, but never exceeds `refreshMs`, the wait after a
 * success.
 */
export function retryDelay(failures: number, refreshMs: number): number {
  return Math.min(refreshMs, longestDelayMs, firstDelayMs * 2 ** (failures - 1));
}
