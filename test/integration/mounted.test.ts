import { Writable } from 'node:stream';
import cors from '@fastify/cors';
import websocket from '@fastify/websocket';
import { fastify, type FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { helperPlugin, StartupFaults } from '../../src/index.ts';
import { ask } from '../support/ask.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { mountedHost } from '../support/mounted-host.ts';
import { calling, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const cancel = calling({ name: 'cancel', arguments: { order: 7 } });
const plugin = `
  const parameters = { type: 'object', properties: { order: { type: 'integer' } } };
  export default {
    name: 'shop',
    actions: [{ name: 'cancel', description: 'Cancels.', parameters, execute: ({ order }) => ({ order, done: true }) }],
  };`;
const json = { 'content-type': 'application/json' };

/** A stream that records the lines of a log. */
function recordingStream(): { readonly stream: Writable; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write: (part: Buffer, _encoding, done) => {
      text += part.toString();
      done();
    },
  });
  return { stream, text: () => text };
}

/** Says something and resolves with what comes back. */
async function echoOf(url: string): Promise<string> {
  const socket = new WebSocket(url);
  onTestFinished(() => {
    socket.terminate();
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.send('hello');
    });
    socket.once('message', (data: Buffer) => {
      resolve(data.toString());
    });
  });
}

describe('the assistant inside another Fastify server', () => {
  it('serves the hub to the official client below the prefix, with an approved and a declined call (contract/hub.md and contract/confirmations.md)', async () => {
    const { assistant } = await mountedHost({ scripts: [cancel, saying('Done.'), cancel, saying('Kept.')], plugin });
    const { connection, events, faults } = await officialClient(`${assistant}/helper-hub`);
    for (const [approved, text] of [
      [true, 'Done.'],
      [false, 'Kept.'],
    ] as const) {
      const result = connection.invoke('SendMessage', 'cancel order 7');
      const asked = (): (typeof events)[number] | undefined =>
        events.filter(({ name }) => name === 'ConfirmationRequested').at(approved ? 0 : 1);
      await expect.poll(asked).toBeDefined();
      const body = { actionId: asked()?.fields['actionId'], approved };
      expect((await ask(assistant, 'POST /assistant/helper/approve', { headers: json, body })).status).toBe(200);
      expect(await result).toMatchObject({ status: 'completed', text });
    }
    const statuses = events.flatMap(({ name, fields }) => (name === 'ActionCompleted' ? [fields['status']] : []));
    expect(statuses).toEqual(['succeeded', 'declined']);
    expect(faults()).toEqual([]);
  });

  it('serves server-sent events, Stop, sessions and probes below the prefix (contract/sse.md and contract/widget.md#the-script)', async () => {
    const { assistant, host } = await mountedHost({ scripts: [hangingAfter('Wait'), saying('Hi.')], plugin });
    const stream = await openSse(`${assistant}/helper/chat`, { body: { message: 'hello' } });
    await stream.next('text');
    const { data } = { data: { turnId: String(stream.headers['x-turn-id']) } };
    const stopped = await ask(assistant, 'POST /assistant/helper/cancel', { headers: json, body: data });
    expect(JSON.parse(stopped.body)).toEqual({ stopped: true });
    expect(await stream.next('end')).toMatchObject({ data: { status: 'stopped' } });
    for (const path of ['healthz', 'readyz', 'metrics']) {
      expect((await ask(assistant, `GET /assistant/${path}`)).status).toBe(200);
    }
    expect((await ask(assistant, 'GET /assistant/helper/session?connectionId=x')).body).toContain('unknown_connection');
    // The host's tests may make the same request without a socket.
    const injected = await host.inject({ method: 'GET', url: '/assistant/readyz' });
    expect(injected.json()).toMatchObject({ status: 'ready' });
  });

  it('judges the name it is called by where it listens, whatever was injected before (contract/addresses.md#answers)', async () => {
    const cancel = {
      method: 'POST',
      url: '/assistant/helper/cancel',
      headers: json,
      payload: { turnId: 'x' },
    } as const;
    const { assistant } = await mountedHost({
      scripts: [],
      address: '0.0.0.0',
      beforeListening: (host) => host.inject(cancel),
    });
    const headers = { ...json, host: '192.0.2.7' };
    const { status } = await ask(assistant, 'POST /assistant/helper/cancel', { headers, body: { turnId: 'x' } });
    expect(status).not.toBe(403);
  });

  it('tells the widget its addresses below the prefix', async () => {
    const { assistant } = await mountedHost({ scripts: [] });
    const { body } = await ask(assistant, 'GET /assistant/helper/widget.js');
    expect(body).toContain('"hubPath":"/assistant/helper-hub"');
    expect(body).toContain('"controlPath":"/assistant/helper"');
  });

  it('knows its users by their tokens, in the query of the hub too (contract/identity.md#tokens)', async () => {
    const { assistant } = await mountedHost({
      scripts: [saying('Hello Ann.')],
      settings: { auth: { jwt: { secret: tokenSecret } }, endpoints: { transports: { requireAuthorization: true } } },
    });
    expect((await ask(assistant, 'POST /assistant/helper-hub/negotiate?negotiateVersion=1')).status).toBe(401);
    const token = await makeToken({ sub: 'ann' });
    const { events } = await officialClient(`${assistant}/helper-hub?access_token=${token}`, { skipNegotiation: true });
    await expect.poll(() => events[0]?.fields['user']).toEqual({ isAuthenticated: true, name: 'ann' });
  });

  it('leaves the host its hooks, parsers, validation, ids and error answers, and has its own', async () => {
    const { url, assistant } = await mountedHost({
      scripts: [saying('Hi.')],
      fastify: { genReqId: () => 'id-of-the-host' },
      before: (host) => {
        host.setErrorHandler((error: Error, _request, reply) => reply.code(500).send({ host: error.message }));
        host.setNotFoundHandler((_request, reply) => reply.code(404).send({ host: 'not found' }));
        host.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => {
          done(null, String(body).split(','));
        });
        host.addHook('onSend', (_request, reply, _payload, done) => {
          void reply.header('x-host', 'yes');
          done();
        });
        host.post('/sum', async (request) => ({ body: request.body, id: request.id }));
        host.get('/fail', async () => Promise.reject(new Error('broken')));
        const querystring = { type: 'object', properties: { n: { type: 'integer' } } };
        host.get('/number', { schema: { querystring } }, async ({ query }) => query);
      },
    });
    const csv = await ask(url, 'POST /sum', { headers: { 'content-type': 'text/csv' }, body: 'a,b' });
    expect(JSON.parse(csv.body)).toEqual({ body: ['a', 'b'], id: 'id-of-the-host' });
    const text = await ask(url, 'POST /sum', { headers: { 'content-type': 'text/plain' }, body: 'plain' });
    expect(JSON.parse(text.body)).toEqual({ body: 'plain', id: 'id-of-the-host' });
    expect((await ask(url, 'GET /fail')).body).toBe('{"host":"broken"}');
    expect((await ask(url, 'GET /nowhere')).body).toBe('{"host":"not found"}');
    expect((await ask(url, 'GET /number?n=5')).body).toBe('{"n":5}');

    const unknown = await fetch(`${assistant}/nowhere`, { headers: { 'x-request-id': 'mine' } });
    expect(await unknown.json()).toMatchObject({ code: 'not_found', requestId: 'mine' });
    expect(unknown.headers.get('x-host')).toBe('yes');
    expect(unknown.headers.get('x-content-type-options')).toBe('nosniff');
    const approve = { actionId: 'abc', approved: 'true' };
    const answers = await Promise.all([
      ask(assistant, 'POST /assistant/helper/approve', { headers: json, body: approve }),
      ask(assistant, 'POST /assistant/helper/approve', { headers: { 'content-type': 'text/csv' }, body: 'a' }),
      ask(assistant, 'POST /assistant/helper/approve', { headers: json, body: '{' }),
      ask(assistant, 'DELETE /assistant/helper/approve'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 400, 405]);
    expect(JSON.parse(answers[0].body)).toMatchObject({ detail: 'body/approved must be boolean' });
  });

  it('runs no turn for a HEAD, which the host’s Fastify adds to each GET', async () => {
    const { assistant, model } = await mountedHost({ scripts: [saying('Hi.')] });
    expect((await ask(assistant, 'HEAD /assistant/helper/chat?message=hello')).status).toBe(405);
    expect((await ask(assistant, 'HEAD /assistant/helper-hub')).status).toBe(405);
    expect(model.requests).toEqual([]);
  });

  it('shows no query in the host’s request log (contract/operations.md#logs)', async () => {
    const { stream, text } = recordingStream();
    const { url, assistant } = await mountedHost({ scripts: [saying('Hi.')], fastify: { logger: { stream } } });
    await (
      await openSse(`${assistant}/helper/chat?message=secret-message`)
    ).closed;
    await ask(url, 'GET /other?shown=host-query');
    await expect.poll(text).toContain('host-query');
    expect(text()).toContain('"url":"/assistant/helper/chat"');
    expect(text()).not.toContain('secret-message');
  });

  it('refuses other websites and rebound names like a server of its own (contract/doors.md)', async () => {
    const { assistant } = await mountedHost({ scripts: [] });
    const chat = (headers: Record<string, string>) =>
      ask(assistant, 'POST /assistant/helper/chat', { headers: { ...json, ...headers }, body: { message: 'hi' } });
    expect((await chat({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await chat({ host: 'evil.example' })).status).toBe(403);
    expect((await chat({ origin: assistant.replace('/assistant', '') })).status).toBe(200);
  });

  it('answers listed websites itself, or leaves that to the host’s @fastify/cors', async () => {
    const origin = 'https://shop.example.com';
    const settings = { cors: { default: { origins: [origin] } } };
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const asked = async (assistant: string): Promise<Response> =>
      fetch(`${assistant}/helper/approve`, { method: 'OPTIONS', headers: preflight });
    const own = await mountedHost({ scripts: [], settings });
    expect((await asked(own.assistant)).headers.get('access-control-allow-origin')).toBe(origin);
    const { stream, text } = recordingStream();
    const hosts = await mountedHost({
      scripts: [],
      settings,
      fastify: { logger: { stream, level: 'warn' } },
      before: async (host) => {
        await host.register(cors, { origin });
      },
    });
    expect((await asked(hosts.assistant)).headers.get('access-control-allow-origin')).toBe(origin);
    expect(text()).toContain('its headers come from the @fastify/cors of this server');
  });

  it('bounds requests of one address as server.maxRequestsPerAddress says', async () => {
    const settings = { server: { shutdownGrace: '0s', disconnectGrace: '0s', maxRequestsPerAddress: 1 } };
    const { assistant } = await mountedHost({ scripts: [hangingAfter('Wait')], settings });
    const stream = await openSse(`${assistant}/helper/chat?message=hello`);
    await stream.next('text');
    expect((await ask(assistant, 'GET /assistant/helper/widget.js')).status).toBe(429);
    expect((await ask(assistant, 'GET /assistant/healthz')).status).toBe(200);
    stream.close();
    await expect.poll(async () => (await ask(assistant, 'GET /assistant/helper/widget.js')).status).toBe(200);
  });
});

describe('WebSockets of a host beside the hub', () => {
  const speaks = async (assistant: string): Promise<void> => {
    const { connection } = await officialClient(`${assistant}/helper-hub`);
    expect(await connection.invoke('SendMessage', 'hello')).toMatchObject({ status: 'completed', text: 'Hi.' });
  };

  it.each<[string, 'before' | 'after']>([
    ['registered before, which carries the hub too', 'before'],
    ['registered after, which leaves the hub its own', 'after'],
  ])('go on with the host’s own @fastify/websocket, %s', async (_title, when) => {
    const { url, assistant } = await mountedHost({
      scripts: [saying('Hi.')],
      [when]: (host: FastifyInstance) => {
        host.register(websocket);
        host.register((scope, _options, done) => {
          scope.get('/echo', { websocket: true }, (socket) => {
            socket.on('message', (data: Buffer) => {
              socket.send(data.toString());
            });
          });
          done();
        });
      },
    });
    expect(await echoOf(`${url.replace('http', 'ws')}/echo`)).toBe('hello');
    await speaks(assistant);
  });

  it('go on with whatever else listens for upgrades of the host’s server', async () => {
    const sockets = new WebSocketServer({ noServer: true });
    onTestFinished(() => {
      sockets.close();
    });
    const { url, assistant } = await mountedHost({
      scripts: [saying('Hi.')],
      after: (host) => {
        host.server.on('upgrade', (request, socket, head) => {
          if (request.url !== '/raw') return;
          sockets.handleUpgrade(request, socket, head, (client) => {
            client.on('message', (data: Buffer) => {
              client.send(data.toString());
            });
          });
        });
      },
    });
    expect(await echoOf(`${url.replace('http', 'ws')}/raw`)).toBe('hello');
    await speaks(assistant);
  });

  it('are none where the host has none: what offers an upgrade elsewhere is answered as HTTP', async () => {
    const { url } = await mountedHost({
      scripts: [],
      before: (host) => {
        host.post('/sum', async ({ body }) => ({ body }));
      },
    });
    const headers = { ...json, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
    expect((await ask(url, 'POST /sum', { headers, body: { a: 1 } })).body).toBe('{"body":{"a":1}}');
  });

  it('refuse frames that are larger than any message of the hub', async () => {
    const { assistant } = await mountedHost({ scripts: [], settings: { maxMessageLength: 10 } });
    const { connection, sockets } = await officialClient(`${assistant}/helper-hub`);
    const closed = new Promise((resolve) => {
      connection.onclose(resolve);
    });
    sockets[0]?.send('x'.repeat(1024 * 1024));
    expect(String(await closed)).toContain('maxMessageLength');
  });
});

describe('the host’s close (contract/restarts.md#stopping)', () => {
  it('tells hub clients, lets what runs finish, and leaves no socket open', async () => {
    const release = Promise.withResolvers<undefined>();
    const { host, assistant } = await mountedHost({
      scripts: [
        async (exchange) => {
          await release.promise;
          await saying('Finished.')(exchange);
        },
      ],
      settings: { server: { shutdownGrace: '30s' } },
    });
    const { connection, events } = await officialClient(`${assistant}/helper-hub`);
    const ended = new Promise((resolve) => {
      connection.onclose(resolve);
    });
    const result = connection.invoke('SendMessage', 'hello');
    await expect.poll(() => events.map(({ name }) => name)).toContain('TurnStarted');
    const closed = host.close();
    await expect.poll(() => events.map(({ name }) => name)).toContain('ServerDraining');
    release.resolve(undefined);
    expect(await result).toMatchObject({ status: 'completed', text: 'Finished.' });
    await closed;
    await ended;
  });

  it.each<[string, boolean]>([
    ['a hub of its own', false],
    ['the host’s @fastify/websocket', true],
  ])('ends what takes longer than server.shutdownGrace, with %s', async (_title, withOwn) => {
    const { host, assistant } = await mountedHost({
      scripts: [hangingAfter('Wait'), hangingAfter('Wait')],
      before: async (server) => {
        if (withOwn) await server.register(websocket);
      },
    });
    const stream = await openSse(`${assistant}/helper/chat?message=hello`);
    await stream.next('text');
    const { connection, events } = await officialClient(`${assistant}/helper-hub`);
    const result = connection.invoke('SendMessage', 'hello').catch((error: unknown) => String(error));
    await expect.poll(() => events.map(({ name }) => name)).toContain('TextDelta');
    await host.close();
    expect(await stream.next('end')).toMatchObject({ data: { status: 'failed', code: 'server_draining' } });
    expect(await result).toMatchObject({ status: 'failed', code: 'server_draining' });
  });

  it('lets what runs finish also beyond the time that Fastify gives a hook', async () => {
    const release = Promise.withResolvers<undefined>();
    const held: ModelScript = async (exchange) => {
      await release.promise;
      await saying('Finished.')(exchange);
    };
    const { host, assistant } = await mountedHost({
      scripts: [held, held],
      fastify: { pluginTimeout: 4_000 },
      settings: { server: { shutdownGrace: '60s' } },
    });
    const stream = await openSse(`${assistant}/helper/chat?message=hello`);
    const { connection, events } = await officialClient(`${assistant}/helper-hub`);
    const result = connection.invoke('SendMessage', 'hello');
    await expect.poll(() => events.map(({ name }) => name)).toContain('TurnStarted');
    const closed = host.close();
    // Fastify no longer waits for the hook: it has begun to close its server.
    await expect.poll(() => host.server.listening).toBe(false);
    release.resolve(undefined);
    expect(await stream.next('end')).toMatchObject({ data: { status: 'completed' } });
    expect(await result).toMatchObject({ status: 'completed', text: 'Finished.' });
    await closed;
  });

  it('takes none of the process’s signals', async () => {
    const before = ['SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name));
    await mountedHost({ scripts: [] });
    expect(['SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name))).toEqual(before);
  });
});

describe('registering helperPlugin', () => {
  it('needs a prefix, and says so', async () => {
    const host = fastify();
    host.register(helperPlugin, { config: { appName: 'Test' } });
    await expect(host.ready()).rejects.toThrow('helperPlugin needs a prefix');
  });

  it('fails with every fault of the configuration, and leaves nothing running', async () => {
    const host = fastify();
    host.register(helperPlugin, { prefix: '/assistant', config: { chatClient: 'main' } });
    const error: unknown = await host.ready().then(undefined, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupFaults);
    await host.close();
  });

  it('warns of keys that the host decides (HLP1030)', async () => {
    const { stream, text } = recordingStream();
    const server = { host: '0.0.0.0', port: 9000, shutdownGrace: '0s' };
    await mountedHost({
      scripts: [],
      fastify: { logger: { stream, level: 'warn' } },
      settings: { server, demoPage: true, logging: { level: 'debug' } },
    });
    expect(text()).toContain('server.host, server.port, logging, demoPage have no effect');
    expect(text()).toContain('"code":"HLP1030"');
  });

  it('may happen twice in one host, with a configuration each', async () => {
    const { host, url } = await mountedHost({
      scripts: [saying('Hi.')],
      after: (server) => {
        server.register(helperPlugin, {
          prefix: '/second',
          config: {
            appName: 'Second',
            chatClient: 'demo',
            models: { demo: { provider: 'demo' } },
            actions: 'none',
            storage: { type: 'memory' },
            server: { shutdownGrace: '0s' },
          },
        });
      },
    });
    expect(host.printRoutes({ commonPrefix: false })).toContain('/second');
    const first = await officialClient(`${url}/assistant/helper-hub`);
    const second = await officialClient(`${url}/second/helper-hub`);
    expect(await first.connection.invoke('SendMessage', 'hello')).toMatchObject({ text: 'Hi.' });
    expect(await second.connection.invoke('SendMessage', 'hello')).toMatchObject({ status: 'completed' });
  });
});
