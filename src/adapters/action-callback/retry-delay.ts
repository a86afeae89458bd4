const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * Milliseconds until a manifest that never came is asked for again. The wait doubles, but never exceeds that for a
 * manifest that is there.
 */
export function retryDelay(failures: number, refreshMs: number): number {
  return Math.min(refreshMs, longestDelayMs, firstDelayMs * 2 ** (failures - 1));
}
