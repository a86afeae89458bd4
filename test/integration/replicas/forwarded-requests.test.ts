import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { answerForwarded } from '../../../src/channels/shared/replicas/forwarded-answers.ts';
import { isForwarded } from '../../../src/channels/shared/replicas/forwarded-lines.ts';
import { RequestForwarder } from '../../../src/channels/shared/replicas/request-forwarder.ts';
import { boundAnswers } from '../../../src/channels/shared/bound-answers.ts';
import { prepareHttp } from '../../../src/channels/shared/prepare-http.ts';
import { at, joinedBuses, quickTimes } from '../../support/bus/opened-buses.ts';
import { uncounted } from '../../support/uncounted.ts';
import { openRawSocket, requestText } from '../../support/raw-socket.ts';

interface Pair {
  /** The address of the replica that forwards. */
  readonly url: string;
  readonly buses: readonly CarriedBus[];
  /** What was sent over the bus by the replica that forwards. */
  readonly bodies: unknown[];
  /** The statuses of answers that have begun to come back. */
  readonly begun: number[];
}

/**
 * A replica that forwards every request that is not forwarded already, and the replica that answers with these routes. `answered` is what the
 * first one does when the other one is gone.
 */
async function pair(
  routes: (app: FastifyInstance) => void,
  { cutsThere = false }: { readonly cutsThere?: boolean } = {},
): Promise<Pair> {
  const buses = await joinedBuses(new InProcessExchange(), 2, { times: quickTimes });
  const [here, there] = [at(buses, 0), at(buses, 1)];
  const owner = fastify({
    trustProxy: (_address, hop) => hop === 0,
    genReqId: (raw) => String(raw.headers['x-request-id']),
  });
  prepareHttp(owner);
  if (cutsThere) boundAnswers(owner, uncounted, { stallTimeoutMs: 200 });
  routes(owner);
  answerForwarded({ app: owner, bus: there, patienceMs: 0 });
  await owner.ready();
  const bodies: unknown[] = [];
  const follow = here.follow.bind(here);
  vi.spyOn(here, 'follow').mockImplementation((call, signal) => {
    bodies.push(call.body);
    return follow(call, signal);
  });
  const forwarder = new RequestForwarder(here);
  const app = fastify({ genReqId: () => 'request-1', forceCloseConnections: true });
  prepareHttp(app);
  if (!cutsThere) boundAnswers(app, uncounted, { stallTimeoutMs: 200 });
  const begun: number[] = [];
  app.addHook('onSend', (_request, reply, _payload, next) => {
    begun.push(reply.statusCode);
    next();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  app.route({
    method: ['GET', 'POST', 'DELETE', 'PATCH'],
    url: '/*',
    preParsing: (request, reply, payload, next) => {
      forwarder.forward(there.replica, { request, reply, body: payload }).then((isAnswered) => {
        if (!isAnswered) void reply.code(404).send('gone');
      }, next);
    },
    handler: () => 'never',
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${String(port)}`, buses, bodies, begun };
}

/** What the answering replica sees of a request. */
function seen(request: FastifyRequest): object {
  const { method, url, ip, protocol, headers, id } = request;
  const { authorization, cookie, host } = headers;
  return { method, url, ip, protocol, authorization, cookie, host, id, isForwarded: isForwarded(request) };
}

describe('a request that another replica answers (contract/replicas.md#connections)', () => {
  // proves wire-10-44
  it('looks as if its client had come there: method, query, credentials, address, host, id', async () => {
    const { url } = await pair((app) => app.get('/here', (request) => seen(request)));
    const answer = await fetch(`${url}/here?connectionId=a%20b`, {
      headers: { authorization: 'Bearer token', cookie: 'a=1; b=2', 'x-forwarded-for': '203.0.113.7' },
    });
    expect(await answer.json()).toEqual({
      method: 'GET',
      url: '/here?connectionId=a%20b',
      ip: '203.0.113.7',
      protocol: 'http',
      authorization: 'Bearer token',
      cookie: 'a=1; b=2',
      host: new URL(url).host,
      id: 'request-1',
      isForwarded: true,
    });
  });

  // proves wire-10-43
  it('has the path that its client means where that sends a whole address, as to a proxy', async () => {
    const { url } = await pair((app) => app.get('/here', (request) => request.url));
    const asked = httpRequest(url, { path: 'http://somewhere.invalid/here?a=%20http://b/' });
    asked.end();
    expect(await answerTo(asked)).toEqual({ status: 200, text: '/here?a=%20http://b/' });
  });

  // proves wire-10-90
  it('gets the headers alone where its client asks for them alone', async () => {
    const { url } = await pair((app) => app.get('/here', () => 'a page'));
    const answer = await fetch(`${url}/here`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '6', '']);
  });

  // proves wire-10-44
  it('gets the status, the headers and the body of the answer', async () => {
    const { url } = await pair((app) =>
      app.post('/here', (_request, reply) =>
        reply.code(418).header('set-cookie', ['a=1', 'b=2']).header('x-more', 'yes').type('text/plain').send('täglich'),
      ),
    );
    const answer = await fetch(`${url}/here`, { method: 'POST' });
    expect(answer.status).toBe(418);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('x-more')).toBe('yes');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe('täglich');
  });

  it.each([0, 1, 24_576, 24_577, 5_000_000])(
    'brings its body of %i bytes, and an answer of the same size',
    async (size) => {
      const { url } = await pair((app) => {
        echo(app, 6_000_000);
      });
      const body = Buffer.alloc(size, 'abcdefg');
      const answer = await fetch(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': 'application/x' } });
      expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
    },
  );

  it('brings a body of unknown length', async () => {
    const { url } = await pair((app) => {
      echo(app, 6_000_000);
    });
    const asked = httpRequest(`${url}/echo`, { method: 'POST', headers: { 'content-type': 'application/x' } });
    asked.write('one,');
    asked.end('two');
    expect(await answerTo(asked)).toEqual({ status: 200, text: 'one,two' });
  });

  // proves wire-10-46
  it('is held to the limit of the route where it is answered', async () => {
    const { url } = await pair((app) => {
      echo(app, 30_000);
    });
    const body = Buffer.alloc(3_000_000, 'a');
    const answer = await fetch(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': 'application/x' } });
    expect(answer.status).toBe(413);
  });

  // proves wire-10-46
  it('ends there when its client leaves', async () => {
    const left = Promise.withResolvers<boolean>();
    const came = Promise.withResolvers<undefined>();
    const { url } = await pair((app) =>
      app.get('/wait', (_request, reply) => {
        reply.raw.once('close', () => {
          left.resolve(reply.raw.writableFinished);
        });
        came.resolve(undefined);
        return reply;
      }),
    );
    const leaving = new AbortController();
    const answer = fetch(`${url}/wait`, { signal: leaving.signal });
    await came.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await left.promise).toBe(false);
  });

  it('streams its answer as it comes', async () => {
    const replies: FastifyReply[] = [];
    const { url } = await pair((app) =>
      app.get('/stream', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.raw.write('data: 1\n\n');
        replies.push(reply);
      }),
    );
    const { body } = await fetch(`${url}/stream`);
    const reader = (body ?? expect.fail('no body')).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: 1\n\n');
    replies[0]?.raw.end('data: 2\n\n');
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: 2\n\n');
    expect((await reader.read()).done).toBe(true);
  });

  // proves wire-10-47
  it('is still to be answered when that replica has gone, also while it was waited for', async () => {
    const came = Promise.withResolvers<undefined>();
    const { url, buses } = await pair((app) =>
      app.get('/wait', (_request, reply) => {
        came.resolve(undefined);
        return reply;
      }),
    );
    const waiting = fetch(`${url}/wait`);
    await came.promise;
    await at(buses, 1).close();
    expect((await waiting).status).toBe(404);
    expect((await fetch(`${url}/wait`)).status).toBe(404);
  });

  it('is answered cluster_unavailable while nobody knows', async () => {
    const { url, buses } = await pair((app) => app.get('/here', () => 'fine'));
    await at(buses, 0).close();
    const answer = await fetch(`${url}/here`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'cluster_unavailable' });
  });

  // proves wire-10-46
  it('is one of 400 at a time', async () => {
    let came = 0;
    const { url } = await pair((app) =>
      app.get('/wait', (_request, reply) => {
        came += 1;
        return reply;
      }),
    );
    const leaving = new AbortController();
    const waiting = Array.from({ length: 400 }, () => fetch(`${url}/wait`, { signal: leaving.signal }));
    await vi.waitUntil(() => came === 400);
    const answer = await fetch(`${url}/wait`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'overloaded' });
    leaving.abort();
    await Promise.allSettled(waiting);
  });

  // proves wire-10-46, service-17-01
  it('gives its place back where its client leaves while it waits behind another one of its socket', async () => {
    let came = 0;
    const { url } = await pair((app) =>
      app.get('/wait', (_request, reply) => {
        came += 1;
        return reply;
      }),
    );
    for (let round = 1; round <= 2; round += 1) {
      const clients = await Promise.all(Array.from({ length: 4 }, () => openRawSocket(url)));
      for (const client of clients) client.send(requestText('GET /wait').repeat(100));
      await vi.waitUntil(() => came === round * 400);
      expect((await fetch(`${url}/wait`)).status).toBe(503);
      for (const client of clients) client.socket.destroy();
      const isRoom = async (): Promise<boolean> => (await fetch(`${url}/missing`)).status === 404;
      await expect.poll(isRoom).toBe(true);
    }
  });

  // proves service-17-03
  it('ends there when its client reads nothing of the answer', async () => {
    const over: boolean[] = [];
    const { url } = await pair((app) =>
      app.get('/long', (_request, reply) => {
        reply.raw.once('close', () => over.push(reply.raw.writableFinished));
        return 'x'.repeat(17 * 1024 * 1024);
      }),
    );
    const client = await openRawSocket(url);
    client.socket.pause();
    client.send(requestText('GET /long'));
    await expect.poll(() => over).toEqual([false]);
    expect((await (await fetch(`${url}/long`)).text()).length).toBe(17 * 1024 * 1024);
  });

  // proves service-17-03
  it('is cut there where it comes in pieces and its client reads none of them, whatever is done here', async () => {
    const steps: string[] = [];
    const { url } = await pair(
      (app) =>
        app.get('/endless', (_request, reply) =>
          reply.send(
            Readable.from(
              (function* () {
                try {
                  for (;;) yield Buffer.alloc(64 * 1024);
                } finally {
                  steps.push('stopped');
                }
              })(),
            ),
          ),
        ),
      { cutsThere: true },
    );
    const client = await openRawSocket(url);
    client.socket.pause();
    client.send(requestText('GET /endless'));
    await expect.poll(() => steps).toEqual(['stopped']);
    expect(client.socket.destroyed).toBe(false);
  });

  // proves service-17-43
  it('is cut for its client where that replica goes in the middle of the answer, and nothing is left', async () => {
    const { url, buses } = await pair((app) =>
      app.get('/half', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-length': '100' }).write('half');
      }),
    );
    const answer = await fetch(`${url}/half`);
    expect(answer.status).toBe(200);
    await at(buses, 1).close();
    await expect(answer.text()).rejects.toThrow();
    expect((await fetch(`${url}/half`)).status).toBe(404);
  });

  // proves service-17-43
  it('is a fault where that replica goes before the body of the answer, and not the half of it', async () => {
    const { url, buses, begun } = await pair((app) =>
      app.get('/none', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-length': '100' }).flushHeaders();
      }),
    );
    const asked = fetch(`${url}/none`);
    await expect.poll(() => begun).toEqual([200]);
    await at(buses, 1).close();
    const answer = await asked;
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('cluster_unavailable')]);
  });

  // proves wire-10-46
  it('takes no place where its client has left before', async () => {
    const buses = await joinedBuses(new InProcessExchange(), 2, { times: quickTimes });
    const forwarder = new RequestForwarder(at(buses, 0));
    const came = Promise.withResolvers<undefined>();
    const tried = Promise.withResolvers<boolean[]>();
    const app = fastify({ forceCloseConnections: true });
    app.get('/looked-for', async (request, reply) => {
      const left = once(reply.raw, 'close');
      came.resolve(undefined);
      await left;
      const { replica } = at(buses, 1);
      const all = Array.from({ length: 401 }, () => forwarder.forward(replica, { request, reply }));
      void Promise.all(all).then(tried.resolve, tried.reject);
      return reply;
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => app.close());
    const { port } = app.server.address() as AddressInfo; // it listens on TCP
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${String(port)}/looked-for`, { signal: leaving.signal });
    await came.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(new Set(await tried.promise)).toEqual(new Set([true]));
  });
});

function echo(app: FastifyInstance, bodyLimit: number): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.post('/echo', { bodyLimit }, (request, reply) => reply.type('application/x').send(request.body ?? ''));
}

async function answerTo(asked: ReturnType<typeof httpRequest>): Promise<{ status: number | undefined; text: string }> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage]; // what Node gives with this event
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
}
