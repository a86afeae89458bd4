import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundAnswers } from '../../src/channels/shared/bound-answers.ts';
import { prepareHttp } from '../../src/channels/shared/prepare-http.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { mountedHost } from '../support/mounted-host.ts';
import { openRawSocket, requestText } from '../support/raw-socket.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';
import { type ScriptedOptions, scriptedServer } from '../support/scripted-server.ts';
import { uncounted } from '../support/uncounted.ts';

/** More than the system takes of an answer that nobody reads. */
const longAnswer = 17 * 1024 * 1024;
const longPiece = 64 * 1024;

/** A server with one long answer. */
async function answeringAtLength(
  onStep: (step: 'asked' | 'left' | 'stopped' | 'read') => void = () => undefined,
): Promise<string> {
  const app = fastify({ forceCloseConnections: true });
  prepareHttp(app);
  boundAnswers(app, uncounted, { stallTimeoutMs: 200 });
  app.get('/long', () => 'x'.repeat(longAnswer));
  app.post('/long', () => 'x'.repeat(longAnswer));
  // Its client has gone when it is ready.
  app.get('/left', async (request) => {
    onStep('asked');
    await once(request.raw.socket, 'close');
    // After the answer has passed the hooks.
    setImmediate(() => onStep('left'));
    return 'x'.repeat(longAnswer);
  });
  app.get('/short', () => 'ok');
  // Ends when somebody asks for the end.
  const quiet: ServerResponse[] = [];
  app.get('/quiet', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).write('quiet');
    quiet.push(reply.raw);
  });
  app.get('/end-of-quiet', () => {
    for (const raw of quiet) raw.end();
    return 'ok';
  });
  app.get('/pieces', (_request, reply) =>
    reply.send(
      Readable.from(
        (function* () {
          onStep('asked');
          for (let piece = 0; piece < 100; piece += 1) yield Buffer.alloc(longPiece, 'p');
          onStep('read');
        })(),
      ),
    ),
  );
  // Whether their makers were told to stop.
  const endless = (): Readable =>
    Readable.from(
      (function* () {
        try {
          for (;;) yield Buffer.alloc(longPiece);
        } finally {
          onStep('stopped');
        }
      })(),
    );
  app.get('/endless', (_request, reply) => reply.send(endless()));
  // As the package for MCP answers.
  app.get('/endless-of-the-web', () => new Response(Readable.toWeb(endless()) as ReadableStream));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${String(port)}`;
}

/** Asks and reads nothing. */
async function asking(url: string, path: string): Promise<{ readonly leave: () => void }> {
  const client = await openRawSocket(url);
  client.socket.pause();
  client.send(requestText(`GET ${path}`));
  return { leave: () => client.socket.destroy() };
}

/** Almost as much as a reply may say. */
const longWords = (): string[] => Array.from({ length: 190 }, () => randomBytes(7_500).toString('base64'));

/** The address of the snapshot of a new connection that was told much. */
async function longSnapshot(url: string): Promise<URL> {
  const hub = await RawHubClient.open(`${url}/helper-hub`);
  hub.say({ protocol: 'json', version: 1 });
  const { connectionId } = await hub.event('Connected');
  for (const id of ['1', '2', '3']) {
    hub.call('SendMessage', id, 'Tell me all');
    await hub.result(id);
  }
  return new URL(`${url}/helper/session?connectionId=${String(connectionId)}`);
}

describe('answers that nobody reads (contract/limits.md#callers)', () => {
  // proves service-16-03
  it('are bounded for each caller: one more is 429, short ones go on, and room comes back', async () => {
    const url = await answeringAtLength();
    const statusOf = async (path: string): Promise<number> => (await fetch(url + path, { method: 'GET' })).status;
    const first = await asking(url, '/long');
    await expect.poll(() => statusOf('/long')).toBe(429);
    const refused = await fetch(`${url}/long`);
    expect(await refused.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await statusOf('/short')).toBe(200);
    first.leave();
    await expect.poll(() => statusOf('/long')).toBe(200);
  });

  // proves service-16-03
  it('take no room when their client has left before they are ready, alone or behind another one of its socket', async () => {
    const steps: string[] = [];
    const url = await answeringAtLength((step) => steps.push(step));
    for (let asked = 1; asked <= 5; asked += 1) {
      const client = await openRawSocket(url);
      client.send(requestText('GET /left') + requestText('GET /long'));
      await expect.poll(() => steps.at(-1)).toBe('asked');
      client.socket.destroy();
      await expect.poll(() => steps.at(-1)).toBe('left');
    }
    expect((await fetch(`${url}/long`)).status).toBe(200);
  });

  // proves service-16-03
  it('are given where something was done, although there is no room', async () => {
    const url = await answeringAtLength();
    await asking(url, '/long');
    await expect.poll(async () => (await fetch(`${url}/long`)).status).toBe(429);
    const done = await fetch(`${url}/long`, { method: 'POST' });
    expect([done.status, (await done.text()).length]).toEqual([200, longAnswer]);
  });

  // proves service-17-03
  it.each(['/endless', '/endless-of-the-web'])('are cut where they come in pieces: %s', async (path) => {
    const steps: string[] = [];
    const url = await answeringAtLength((step) => steps.push(step));
    await asking(url, path);
    await expect.poll(() => steps).toEqual(['stopped']);
  });

  // proves service-17-03
  it('go on for a client that reads piece by piece', async () => {
    const steps: string[] = [];
    const url = await answeringAtLength((step) => steps.push(step));
    const { body } = await fetch(`${url}/endless`);
    const reader = (body ?? expect.fail('no body')).getReader();
    for (let pieces = 0; pieces < 2000; pieces += 1) expect((await reader.read()).done).toBe(false);
    expect(steps).toEqual([]);
    await reader.cancel();
    await expect.poll(() => steps).toEqual(['stopped']);
  });

  // proves service-17-42
  it('wait behind another one of their socket for as long as that takes', async () => {
    const steps: string[] = [];
    const url = await answeringAtLength((step) => steps.push(step));
    const client = await openRawSocket(url);
    client.send(requestText('GET /quiet') + requestText('GET /pieces'));
    await expect.poll(() => steps).toEqual(['asked']);
    // Two others that begin later, one after the other, are cut meanwhile.
    await asking(url, '/endless');
    await expect.poll(() => steps).toEqual(['asked', 'stopped']);
    await asking(url, '/endless');
    await expect.poll(() => steps).toEqual(['asked', 'stopped', 'stopped']);
    await fetch(`${url}/end-of-quiet`);
    await expect.poll(() => steps.at(-1)).toBe('read');
    await expect.poll(() => client.read().endsWith('p\r\n0\r\n\r\n')).toBe(true);
  });

  // proves service-16-04
  it('are cut in the end', async () => {
    const { url } = await realServer({ HELPER__SERVER__REQUESTTIMEOUT: '1s' });
    const client = await openRawSocket(url);
    client.socket.pause();
    // Together they are more than the system takes of answers that nobody reads.
    client.send(requestText('GET /helper/openapi.json').repeat(90));
    const isCut = (): boolean => {
      // A socket that reads nothing hears of its end when it writes. Empty lines before a request mean nothing.
      client.socket.write('\r\n');
      return client.socket.destroyed;
    };
    await expect.poll(isCut, { interval: 200 }).toBe(true);
  });

  // proves service-16-03
  it.each([
    ['a server', async (options: ScriptedOptions) => (await scriptedServer(options)).url],
    ['one that is mounted in a host', async (options: ScriptedOptions) => (await mountedHost(options)).assistant],
  ])('are bounded by %s: no caller leaves any number of snapshots unread', async (_what, serverOf) => {
    const url = await serverOf({
      scripts: [],
      otherwise: saying(...longWords()),
      entry: { contextWindow: 100_000_000 },
    });
    const statusOfNext = async (): Promise<number> => {
      const path = await longSnapshot(url);
      const { status, body } = await fetch(path);
      await body?.cancel();
      if (status === 200) await asking(path.origin, path.pathname + path.search);
      return status;
    };
    await expect.poll(statusOfNext).toBe(429);
  });

  // proves service-16-05
  it('keep other snapshots of their connection waiting, and nobody else', async () => {
    const words = longWords();
    const scripts = [saying(...words), saying(...words.toReversed()), saying(...words)];
    const { url } = await scriptedServer({ scripts, entry: { contextWindow: 100_000_000 } });
    const { href, pathname, search } = await longSnapshot(url);
    const unread = await asking(url, pathname + search);
    let isAnswered = false;
    const second = fetch(href).then((answer) => {
      isAnswered = true;
      return answer.status;
    });
    for (let asked = 0; asked < 100; asked += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(isAnswered).toBe(false);
    unread.leave();
    expect(await second).toBe(200);
  });
});
