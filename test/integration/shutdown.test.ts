import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRawSocket } from '../support/raw-socket.ts';
import { realServer } from '../support/real-server.ts';

describe('SIGTERM (contract/restarts.md#stopping)', () => {
  it.each([
    ['headers', 'POST /helper/approve HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'body',
      'POST /helper/approve HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])(
    'is not held up by a client that never finishes its %s: nothing runs, so the process ends',
    async (_part, begun) => {
      // Without a Stop of the server, the client could go on for longer than a test may take.
      const { server, url } = await realServer({ HELPER__SERVER__REQUESTTIMEOUT: '10m' });
      const { port, hostname } = new URL(url);
      const socket = connect(Number(port), hostname);
      onTestFinished(() => {
        socket.destroy();
      });
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.write(begun, resolve));
      // When the server answers this later request, it has read the earlier one.
      await (await fetch(`${url}/healthz`)).body?.cancel();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await expect(server.close()).resolves.toBeUndefined();
      await closed;
    },
  );

  // proves wire-1-03, wire-1-17
  it('answers a request that ends while the server closes as any other', async () => {
    const { server, url } = await realServer();
    const client = await openRawSocket(url);
    client.send('GET /helper/approve?actionId=none HTTP/1.1\r\nHost: localhost\r\n');
    await (await fetch(`${url}/healthz`)).body?.cancel();
    const closed = server.close();
    await untilRefused(url);
    client.send('\r\n');
    await closed;
    await client.closed;
    const answer = client.read().toLowerCase();
    expect(answer).toContain('content-type: application/problem+json');
    expect(answer).toContain('x-request-id: ');
  });
});

/** Resolves once the server takes no new connections. */
async function untilRefused(url: string): Promise<void> {
  const { port, hostname } = new URL(url);
  await vi.waitUntil(async () => {
    const socket = connect(Number(port), hostname);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
    socket.destroy();
    return !isOpen;
  });
}
