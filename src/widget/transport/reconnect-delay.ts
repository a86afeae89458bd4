const delays = [0, 1000, 3000, 8000, 15_000, 30_000] as const;

/**
 * Milliseconds before the next attempt to connect. The first attempt is made at once. Later pauses grow to 30 s and vary by up to a
 * third, so that not every page returns at the same moment after a restart.
 */
export function reconnectDelay(previousAttempts: number, random: () => number = Math.random): number {
  const delay = delays[previousAttempts] ?? 30_000;
  return Math.round(delay * (1 + random() / 3));
}
