import { setTimeout as wait } from 'node:timers/promises';
import { RawHubClient } from '../../support/hub-raw-client.ts';
import { openRawConnection, type RawConnection, requestText } from '../../support/raw-connection.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';

const requestTimeoutMs = 3_000;
/**
 * Milliseconds. The server checks once a second, and keeps the socket open for another second so that the client reads the answer. A busy
 * machine gets one more second.
 */
const slackMs = 3_000;
const server = { settings: { server: { requestTimeout: `${String(requestTimeoutMs)}ms` } } };

const uploads = 60;
/** The sizes in bytes: that of the largest snapshot, and that of the largest message. */
const sizes = { session: 12 * 1024 * 1024, chat: 250 * 1024 };
/** All sockets share one buffer, so that this process needs little memory. */
const letters = Buffer.alloc(sizes.session, 'x');

/** How a request ended that never arrived completely. */
interface Ended {
  readonly status: number;
  readonly afterMs: number;
}

export const stalledUploads: StressCase = {
  name: 'stalled uploads',
  attack:
    '60 sockets send all but the last byte of a 12 MiB snapshot and fall silent; then 60 do it with messages of 250 KiB',
  once: '801 MiB',
  promise: '408, or 429 for what is over the 32 MiB of one caller; closed about 2 s after `server.requestTimeout`',
  server,
  // What was read of a refused upload is there until the next garbage collection, which is late on a busy machine.
  mebibytes: 250,
  async play({ url, hub }, must) {
    const clients = await Promise.all(Array.from({ length: uploads }, () => RawHubClient.connect(hub)));
    const paths = await Promise.all(clients.map(sessionPath));
    const large = await Promise.all(paths.map((path) => stalled(url, path, sizes.session)));
    const small = await Promise.all(paths.map(() => stalled(url, '/helper/chat', sizes.chat)));
    for (const client of clients) client.socket.close();
    must(
      large.some(({ status }) => status === 408) && large.every(({ status }) => [408, 429].includes(status)),
      `the snapshots were answered ${tally(large.map(({ status }) => status))}`,
    );
    must(
      small.every(({ status }) => status === 408),
      `the messages were answered ${tally(small.map(({ status }) => status))}`,
    );
    const slowest = Math.max(...[...large, ...small].map(({ afterMs }) => afterMs));
    must(slowest < requestTimeoutMs + slackMs, `a socket was open for ${slowest.toFixed(0)} ms`);
    return `${tally([...large, ...small].map(({ status }) => status))}; the last closed after ${(slowest / 1000).toFixed(1)} s`;
  },
};

const heads = 200;

export const slowHeads: StressCase = {
  name: 'slow heads',
  attack: '200 sockets send one byte of a request’s head a second',
  promise: '408, closed about 2 s after `server.requestTimeout`',
  server,
  async play({ url }, must) {
    const ended = await Promise.all(Array.from({ length: heads }, () => dripped(url)));
    const statuses = ended.map(({ status }) => status);
    must(
      statuses.every((status) => status === 408),
      `they were answered ${tally(statuses)}`,
    );
    const slowest = Math.max(...ended.map(({ afterMs }) => afterMs));
    must(slowest < requestTimeoutMs + slackMs, `a socket was open for ${slowest.toFixed(0)} ms`);
    return `${tally(statuses)}; the last closed after ${(slowest / 1000).toFixed(1)} s`;
  },
};

async function sessionPath(client: RawHubClient): Promise<string> {
  client.call('GetConnectionId', 'id');
  return `/helper/session?connectionId=${String(await client.result('id'))}`;
}

async function stalled(url: string, path: string, bytes: number): Promise<Ended> {
  const connection = await openRawConnection(url);
  const startedAt = performance.now();
  connection.send(requestText(`POST ${path}`, { 'content-type': 'application/json', 'content-length': String(bytes) }));
  connection.send(letters.subarray(0, bytes - 1));
  return endOf(connection, startedAt);
}

async function dripped(url: string): Promise<Ended> {
  const connection = await openRawConnection(url);
  const startedAt = performance.now();
  const drip = async (): Promise<void> => {
    for (const byte of 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n') {
      if (connection.socket.closed) return;
      connection.send(byte);
      await wait(1000);
    }
  };
  void drip();
  return endOf(connection, startedAt);
}

async function endOf(connection: RawConnection, startedAt: number): Promise<Ended> {
  const timer = setTimeout(() => connection.socket.destroy(), requestTimeoutMs + 5 * slackMs);
  await connection.closed;
  clearTimeout(timer);
  return { status: connection.statuses()[0] ?? 0, afterMs: performance.now() - startedAt };
}
