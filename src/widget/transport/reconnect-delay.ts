/** The most milliseconds before the first attempt: of a page that waits for its reply, and of one that nobody waits at. */
const firstDelays = { awaited: 250, idle: 3000 } as const;
const laterDelays = [1000, 3000, 8000, 15_000, 30_000] as const;

export interface ReconnectOptions {
  /** Whether the user waits for something that comes over the connection. Default: false. */
  readonly isAwaited?: boolean;
  /** Gives numbers between 0 and 1. */
  readonly random?: () => number;
}

/**
 * Milliseconds before the line of a connection is restored, which the server may still hold. Pages that nobody waits at are spread over less
 * time than a lost line is announced after. The others try at once.
 */
export function restoreDelay({ isAwaited = false, random = Math.random }: ReconnectOptions): number {
  return isAwaited ? 0 : Math.round(750 * random());
}

/**
 * Milliseconds before the next attempt to connect. When a server ends, all of its pages lose their connections at the same moment. So idle
 * pages return spread over 3 s, and pages that wait for a reply within 250 ms. Later pauses grow to 30 s and vary by up to a third.
 */
export function reconnectDelay(previousAttempts: number, options: ReconnectOptions = {}): number {
  const { isAwaited = false, random = Math.random } = options;
  if (previousAttempts === 0) return Math.round(firstDelays[isAwaited ? 'awaited' : 'idle'] * random());
  const delay = laterDelays[previousAttempts - 1] ?? 30_000;
  return Math.round(delay * (1 + random() / 3));
}
