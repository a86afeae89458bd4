import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeModel } from '../support/fake-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp, type TestHttp } from '../support/test-http.ts';

/** More than the operating system buffers for a client that reads nothing. */
const longReply = 'x'.repeat(16_000_000);

/** Asks and never reads the answer. */
async function askAndIgnore({ url }: TestHttp, headers = ''): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.pause();
  await new Promise((resolve) => {
    socket.write(`GET /helper/chat?message=hello HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`, resolve);
  });
  return socket;
}

const changes = ({ metrics }: TestHttp): unknown[] =>
  metrics.counted.filter(({ what }) => what.startsWith('connection'));

describe('a slow client never makes the server buffer without bound (contract/limits.md#messages)', () => {
  it('is cut when it leaves the end of a turn unread, and gives its place free', async () => {
    const test = await testHttp({ model: fakeModel({ text: longReply }) }, { stallTimeoutMs: 30 });
    await askAndIgnore(test);
    await expect
      .poll(() => changes(test))
      .toEqual([
        { what: 'connectionOpened', value: 'sse' },
        { what: 'connectionEnded', value: ['sse', expect.any(Number)] },
      ]);
    expect(test.assistant.runningTurns).toBe(0);
  });

  it('counts the replay of an ended turn as a stream', async () => {
    const model = fakeModel({ text: 'Hi.' }, { text: 'Half', until: new Promise(() => undefined) });
    const test = await testHttp({ model }, { maxStreams: 1 });
    const ended = await openSse(`${test.url}/helper/chat?message=hello`);
    await ended.closed;
    await openSse(`${test.url}/helper/chat?message=hello`);
    const headers = { 'last-event-id': `${String(ended.headers['x-turn-id'])}:0` };
    expect((await openSse(`${test.url}/helper/chat`, { headers })).status).toBe(503);
  });

  it('lets a client back to its running turn although all places are taken: it takes its own', async () => {
    const model = fakeModel({ text: 'Half', until: new Promise(() => undefined) });
    const test = await testHttp({ model }, { maxStreams: 1 });
    const first = await openSse(`${test.url}/helper/chat?message=hello`);
    const headers = { 'last-event-id': `${String(first.headers['x-turn-id'])}:0` };
    expect((await openSse(`${test.url}/helper/chat`, { headers })).status).toBe(200);
    await first.closed;
    expect(changes(test)).toContainEqual({ what: 'connectionReturned', value: ['sse', 'turn'] });
  });
});
