const delays = [0, 1000, 3000, 8000, 15_000, 30_000] as const;

/**
 * Milliseconds to wait before the next attempt to connect. Grows to 30 s and is spread by up to a third, so that after a
 * restart not every page comes back at the same moment; the first attempt is at once.
 */
export function reconnectDelay(previousAttempts: number, random: () => number = Math.random): number {
  const delay = delays[previousAttempts] ?? 30_000;
  return Math.round(delay * (1 + random() / 3));
}
