import { expect, onTestFinished } from 'vitest';
import { openRawConnection, type RawConnection } from './raw-connection.ts';

export { requestText } from './raw-connection.ts';

/** A raw connection that ends with the test. */
export interface RawSocket extends RawConnection {
  /** Resolves once `count` answers have begun. */
  answered(count: number): Promise<void>;
}

/**
 * Connects to the host of `url`. The client does not close its side of the connection when the server closes its own. It ends with the
 * test.
 */
export async function openRawSocket(url: string): Promise<RawSocket> {
  const connection = await openRawConnection(url);
  onTestFinished(() => {
    connection.socket.destroy();
  });
  return {
    ...connection,
    answered: (count) => expect.poll(() => connection.statuses().length, { interval: 5 }).toBeGreaterThanOrEqual(count),
  };
}
