import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
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
});
