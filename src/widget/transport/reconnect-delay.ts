/**
 * Milliseconds before the next attempt to connect. -1 attempts: before the line of a connection is restored, which the server may still hold.
 * `isAwaited`: the user waits for something that comes over the connection. `random` gives numbers between 0 and 1.
 *
 * When a server ends, all of its pages lose their lines at the same moment. So idle pages ask for theirs spread over less time than a loss is
 * announced after, and then for another connection spread over 3 s; pages that wait for a reply at once, and within 250 ms. Later pauses grow
 * to 30 s and vary by up to a third.
 */
export function reconnectDelay(previousAttempts: number, isAwaited = false, random = Math.random): number {
  const delays = [isAwaited ? 0 : 750, isAwaited ? 250 : 3000, 1000, 3000, 8000, 15_000];
  return (delays[previousAttempts + 1] ?? 30_000) * (previousAttempts > 0 ? 1 + random() / 3 : random());
}
