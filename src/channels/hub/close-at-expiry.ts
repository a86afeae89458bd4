import type { HubConnection } from './protocol/hub-connection.ts';

/** The longest wait a timer knows; one that ends then looks at the clock again. */
const longestTimer = 2 ** 31 - 1;

/**
 * Closes a connection when its token expires (wire.md 3): the client may come back with a new one. Returns what ends the
 * watch.
 */
export function closeAtExpiry(connection: HubConnection, expiresAt: number | undefined): () => void {
  if (expiresAt === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    const left = expiresAt - Date.now();
    if (left <= 0) connection.close({ error: 'The token has expired.', allowReconnect: true });
    else timer = setTimeout(watch, Math.min(left, longestTimer));
  };
  watch();
  return () => {
    clearTimeout(timer);
  };
}
