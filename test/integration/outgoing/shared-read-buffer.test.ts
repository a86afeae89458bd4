import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { sharedReadBuffer } from '../../../src/adapters/models/openai-wire/shared-read-buffer.ts';

const openServers: Server[] = [];
afterEach(() => {
  for (const server of openServers.splice(0)) server.close();
});

/** A server that gives each connection the next of `answers`. */
async function serverOf(answers: readonly string[]): Promise<number> {
  let next = 0;
  const server = createServer((socket) => socket.end(answers[next++] ?? ''));
  openServers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port; // a server that listens on TCP has an AddressInfo
}

describe('sharedReadBuffer', () => {
  it('keeps what sockets read side by side apart, whenever it is taken from them', async () => {
    const answers = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
    const port = await serverOf(answers);
    const onread = sharedReadBuffer();
    const sockets = answers.map(() => connect({ port, host: '127.0.0.1', onread }));
    // All sockets have read data and hold it before the first socket is emptied.
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('readable', resolve))));
    const read = await Promise.all(sockets.map((socket) => text(socket)));
    expect(read.toSorted()).toEqual(answers);
  });
});
