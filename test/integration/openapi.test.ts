import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import swagger from '@fastify/swagger';
import { describe, expect, it, onTestFinished } from 'vitest';
import { officialClient } from '../support/hub-official-client.ts';
import { ownAddress } from '../support/mcp/confirming-server.ts';
import { mountedHost } from '../support/mounted-host.ts';
import {
  type OpenApiDocument,
  openApiOf,
  operationsOf,
  type PlacedOperation,
  undescribed,
} from '../support/openapi-document.ts';
import type { RememberedFacts } from '../../src/wire/memory-bodies.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** Routes that are in no document, and why. */
const undocumented: Readonly<Record<string, string>> = {
  'GET /helper-hub': 'speaks the SignalR protocol, of which a schema of requests says nothing (contract/hub.md)',
  'POST /helper-hub': 'the same',
  'DELETE /helper-hub': 'the same',
  'GET /helper-hub/negotiate': 'says that another method is meant',
  'PUT /helper-hub/negotiate': 'the same',
  'PATCH /helper-hub/negotiate': 'the same',
  'DELETE /helper-hub/negotiate': 'the same',
  'GET /helper-hub/refresh': 'the same',
  'PUT /helper-hub/refresh': 'the same',
  'PATCH /helper-hub/refresh': 'the same',
  'DELETE /helper-hub/refresh': 'the same',
  'OPTIONS *': 'answers browsers that ask whether a page of another origin may ask',
};

const everything = {
  HELPER__ENABLEFOLLOWUPS: 'true',
  HELPER__AUTH__JWT__SECRET: tokenSecret,
  HELPER__AUTH__JWT__COOKIE: 'session',
  HELPER__SERVER__SECURITYCONTACT: 'mailto:security@example.com',
  HELPER__CORS__DEFAULT__ORIGINS: '["https://shop.example.com"]',
};

/** The routes of the server that the callback starts, as `GET /path`; HEAD beside a GET is told in words. */
async function routesOf(start: () => Promise<unknown>): Promise<readonly string[]> {
  const routes: string[] = [];
  const watch = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance }; // Fastify publishes itself
    fastify.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((name) => `${name} ${url}`));
    });
  };
  subscribe('fastify.initialization', watch);
  onTestFinished(() => {
    unsubscribe('fastify.initialization', watch);
  });
  await start();
  return routes.filter((route) => !route.startsWith('HEAD '));
}

/** The paths in the table of contract/addresses.md#paths, those with an id as `{id}`. */
function statedPaths(): readonly string[] {
  const page = readFileSync(new URL('../../docs/contract/addresses.md', import.meta.url), 'utf8');
  const cells = [...page.matchAll(/^\| (`[^|]*)\|[^|]*\|[^|]*\|$/gm)].map(([, cell = '']) => cell);
  return [...cells.join(' ').matchAll(/[ `](\/[^\s`?]*)/g)].map(([, path = '']) => path);
}

function asRoutes(document: OpenApiDocument): readonly string[] {
  return operationsOf(document).map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
}

/** The values that replace those in an operation's examples, such as ids that exist only now. */
interface Ids {
  readonly query?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A client that knows only the document. It checks every answer against the document. */
class DocumentClient {
  readonly #url: string;
  readonly #document: OpenApiDocument;
  readonly answered = new Set<string>();

  constructor(url: string, document: OpenApiDocument) {
    this.#url = url;
    this.#document = document;
  }

  async ask(operationId: string, ids: Ids = {}, init: RequestInit = {}): Promise<Response> {
    const operation = this.#operation(operationId);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids.path?.[name] ?? '');
    const examples = (operation.parameters ?? []).filter(
      ({ in: place, example }) => place === 'query' && example !== undefined,
    );
    const query = new URLSearchParams({
      ...Object.fromEntries(examples.map(({ name, example }) => [name, String(example)])),
      ...ids.query,
    });
    const answer = await fetch(`${this.#url}${path}?${query.toString()}`, {
      method: operation.method,
      ...bodyOf(operation, ids),
      ...init,
    });
    expect(await undescribed(this.#document, operation, answer.clone()), operationId).toEqual([]);
    if (answer.ok) this.answered.add(operationId);
    return answer;
  }

  #operation(operationId: string): PlacedOperation {
    const found = operationsOf(this.#document).find((operation) => operation.operationId === operationId);
    if (found === undefined) throw new Error(`${operationId} is not in the document`);
    return found;
  }
}

function bodyOf({ requestBody }: PlacedOperation, { body }: Ids): RequestInit {
  if (requestBody === undefined) return {};
  const example = requestBody.content['application/json']?.example as object | undefined; // the bodies of this server are objects
  return { body: JSON.stringify({ ...example, ...body }), headers: { 'content-type': 'application/json' } };
}

/** The data of the first frame of that event. */
function frameOf(stream: string, event: string): Readonly<Record<string, unknown>> {
  const data = new RegExp(`event: ${event}\ndata: (.*)\n`).exec(stream)?.[1];
  return JSON.parse(data ?? '{}') as Readonly<Record<string, unknown>>; // frames carry objects
}

/** Reads a stream until something is in it. */
async function readUntil(answer: Response, text: string): Promise<string> {
  let read = '';
  const decoder = new TextDecoder();
  const stream: ReadableStream<Uint8Array> | null = answer.body;
  // Left open: a turn whose stream is closed is stopped.
  const reader = stream?.getReader();
  while (!read.includes(text)) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    read += decoder.decode(part.value, { stream: true });
  }
  return read;
}

describe('GET /helper/openapi.json (contract/addresses.md#openapi)', () => {
  // proves wire-6-17
  it('has every route of the server but those that have a reason, and no other', async () => {
    let url = '';
    const routes = await routesOf(async () => ({ url } = await realServer(everything)));
    const documented = asRoutes(await openApiOf(url));
    expect([...documented, ...Object.keys(undocumented)].sort()).toEqual([...new Set(routes)].sort());
    expect(new Set(documented).size).toBe(documented.length);
  });

  // proves wire-11-01
  it('has the addresses that the contract lists, and no others (contract/addresses.md#paths)', async () => {
    const { url } = await realServer({
      ...everything,
      ...(await ownAddress()),
      HELPER__CHATHISTORYPROVIDER: 'storage',
      HELPER__USEMEMORYCONTEXT: 'true',
      HELPER__MCPSERVERENABLED: 'true',
      HELPER__ENDPOINTS__MCP__CONFIRMATIONS: 'page',
    });
    const documented = operationsOf(await openApiOf(url)).map(({ path }) => path);
    // The hub has addresses below its own, and pages load files below theirs.
    const below = /^\/helper-hub\/|\{name\}$/;
    const listed = statedPaths().filter((path) => path !== '/helper-hub' && !path.endsWith('/…'));
    expect([...new Set(documented.filter((path) => !below.test(path)))].sort()).toEqual([...new Set(listed)].sort());
  });

  // proves wire-6-18
  it('says of every operation but those of probes that one request too many is refused', async () => {
    const { url } = await realServer({ ...everything, HELPER__CHATHISTORYPROVIDER: 'storage' });
    const unbounded = operationsOf(await openApiOf(url)).filter(({ responses }) => !('429' in responses));
    expect(unbounded.map(({ path }) => path).sort()).toEqual(['/healthz', '/metrics', '/readyz']);
  });

  // proves wire-6-18
  it('says of every operation how it answers, to requests made of its examples', async () => {
    const { url } = await realServer({
      HELPER__SERVER__SECURITYCONTACT: 'mailto:security@example.com',
      HELPER__DASHBOARDROLE: '',
      HELPER__USEMEMORYCONTEXT: 'true',
      HELPER__ENABLEFOLLOWUPS: 'true',
    });
    const document = await openApiOf(url);
    const client = new DocumentClient(url, document);
    for (const { operationId, parameters, requestBody } of operationsOf(document)) {
      const isAskedAlone = (parameters ?? []).every(
        ({ example, in: place }) => example !== undefined || place === 'header',
      );
      if (isAskedAlone && (requestBody === undefined || operationId === 'ask')) await client.ask(operationId);
    }
    const script = await (await client.ask('getWidgetScript')).text();
    await client.ask('getWidgetFile', { path: { name: /"panel":"assets\/([^"]+)"/.exec(script)?.[1] ?? '' } });

    await client.ask('getStartPage', {}, { headers: { accept: 'text/html' } });
    const page = await (await client.ask('getDashboard')).text();
    for (const [name] of page.matchAll(/dashboard-[0-9A-F]{8}\.\w+/g))
      await client.ask('getDashboardFile', { path: { name } });
    await client.ask('getDashboardMetrics', { query: { to: new Date().toISOString() } });
    await client.ask('getDashboardMetrics', { query: { format: 'csv', table: 'models' } });

    const asked = await client.ask(
      'ask',
      { body: { message: 'Cancel order 1002.' } },
      { signal: AbortSignal.timeout(10_000) },
    );
    const question = frameOf(await readUntil(asked, 'event: confirmation'), 'confirmation');
    const { actionId } = question as { readonly actionId: string };
    expect(await (await client.ask('getConfirmation', { query: { actionId } })).json()).toMatchObject({
      outcome: 'open',
    });
    expect((await client.ask('approve', { body: { actionId } })).status).toBe(200);
    expect((await client.ask('approve', { body: { actionId } })).status).toBe(404);
    await expect
      .poll(async () => (await client.ask('getConfirmation', { query: { actionId } })).json())
      .toMatchObject({ outcome: 'approved', action: { status: 'succeeded' } });
    const turnId = asked.headers.get('x-turn-id') ?? '';
    expect((await client.ask('cancel', { body: { turnId } })).status).toBe(200);
    // The stream of the turn ended unread. A number beyond the last frame means that nothing is left to read.
    const last = await client.ask('askByQuery', {}, { headers: { 'last-event-id': `${turnId}:9999` } });
    expect(last.status).toBe(204);

    const { connection, events } = await officialClient(`${url}/helper-hub`);
    await connection.invoke('SendMessage', 'Which orders are open?');
    const connectionId = String(events.find(({ name }) => name === 'Connected')?.fields['connectionId']);
    const saved: unknown = await (await client.ask('saveSession', { query: { connectionId } })).json();
    const query = { connectionId };
    const restored = await client.ask('restoreSession', { query, body: saved as Readonly<Record<string, unknown>> });
    expect(await restored.json()).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }] });

    const rated = String(events.find(({ name }) => name === 'TurnStarted')?.fields['turnId']);
    const rating = await client.ask('rateReply', { query, body: { turnId: rated, rating: 'good' } });
    expect(rating.status).toBe(204);
    expect((await client.ask('suggestFollowUps', { query })).status).toBe(200);

    await connection.invoke('SendMessage', 'My name is Ann.');
    const listed = async (): Promise<RememberedFacts> =>
      (await client.ask('listMemory', { query })).json() as Promise<RememberedFacts>;
    await expect.poll(listed).toMatchObject({ facts: [{ kind: 'identity', text: 'My name is Ann' }] });
    const id = (await listed()).facts[0]?.id ?? '';
    const corrected = await client.ask('correctMemory', {
      query: { ...query, id },
      body: { text: 'Is called Annie.' },
    });
    expect([corrected.status, (await client.ask('eraseMemory', { query })).status]).toEqual([204, 204]);

    const isDescribed = operationsOf(document).map(({ operationId }) => operationId);
    // Without users the hub has no credential to refresh, and the server has no user to erase.
    const unanswered = isDescribed.filter((operationId) => !client.answered.has(operationId));
    expect(unanswered.sort()).toEqual(['eraseUserData', 'refreshConnection']);
  });

  // proves wire-6-18
  it('says how requests fail', async () => {
    const { url } = await realServer(everything);
    const client = new DocumentClient(url, await openApiOf(url));
    const bad = { authorization: 'Bearer nonsense' };
    const status = async (operationId: string, ids: Ids = {}, init: RequestInit = {}): Promise<number> =>
      (await client.ask(operationId, ids, init)).status;
    for (const operationId of [
      ...['getOpenApi', 'getTour', 'askByQuery', 'getConfirmation', 'saveSession', 'negotiate'],
      'getDashboardMetrics',
    ]) {
      expect(
        await status(operationId, { query: { actionId: 'a', connectionId: 'a' } }, { headers: bad }),
        operationId,
      ).toBe(401);
    }
    for (const operationId of ['ask', 'approve', 'cancel']) {
      expect(await status(operationId, {}, { headers: { 'content-type': 'text/plain' } }), operationId).toBe(415);
      expect(await status(operationId, { body: { message: 1, actionId: 1, turnId: 1 } }), operationId).toBe(400);
      const { body } = {
        body: { message: 'x'.repeat(2 ** 21), actionId: 'x'.repeat(2 ** 17), turnId: 'x'.repeat(2 ** 17) },
      };
      expect(await status(operationId, { body }), operationId).toBe(413);
    }
    expect(await status('approve')).toBe(404);
    expect(await status('getConfirmation')).toBe(400);
    expect(await status('getConfirmation', { query: { actionId: 'unknown' } })).toBe(404);
    expect(await status('saveSession', { query: { connectionId: 'unknown' } })).toBe(404);
    expect(await status('restoreSession', { query: { connectionId: 'unknown' } })).toBe(404);
    expect(await status('getWidgetFile', { path: { name: 'none.js' } })).toBe(404);
    expect(await status('getDashboardFile', { path: { name: 'none.js' } })).toBe(404);
    expect(await status('refreshConnection')).toBe(400);
    expect(await status('refreshConnection', { query: { id: 'unknown' } })).toBe(404);
    expect(await status('refreshConnection', { query: { id: 'unknown' } }, { headers: bad })).toBe(401);
    const foreign = { headers: { origin: 'https://elsewhere.example.com' } };
    for (const operationId of [
      'askByQuery',
      'getConfirmation',
      'saveSession',
      'negotiate',
      'refreshConnection',
      'getDemo',
      'resetDemo',
      'getDashboardMetrics',
    ]) {
      expect(
        await status(operationId, { query: { actionId: 'a', connectionId: 'a', id: 'a' } }, foreign),
        operationId,
      ).toBe(403);
    }
  });

  // proves wire-6-17, wire-6-18, wire-6-20
  it('lists what this configuration serves, and says how to sign in', async () => {
    const plain = await openApiOf((await realServer({ HELPER__DEMOPAGE: 'false', HELPER__AIDISCLOSURE: 'false' })).url);
    expect(plain.components.securitySchemes).toEqual({});
    expect(operationsOf(plain).every(({ security }) => security?.length === 0)).toBe(true);
    expect(asRoutes(plain)).not.toContain('GET /helper/demo');
    expect(plain['x-ai-disclosure']).toBe(false);
    expect(plain.info.description).not.toContain('AI');

    const one = await realServer({
      ...everything,
      HELPER__SERVER__CHANNELS: '[sse]',
      HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
      HELPER__ENDPOINTS__METRICS__TOKEN: 'a-token-for-whoever-scrapes',
    });
    const protectedOne = await openApiOf(one.url);
    const signedIn = [{ bearer: [] }, { cookie: [] }];
    expect(protectedOne['x-ai-disclosure']).toBe(true);
    expect(protectedOne.paths['/helper/chat']?.['post']?.security).toEqual(signedIn);
    expect(protectedOne.paths['/helper/approve']?.['post']?.security).toEqual([{}, ...signedIn]);
    expect(protectedOne.paths['/metrics']?.['get']?.security).toEqual([{ metricsToken: [] }]);
    expect(protectedOne.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      metricsToken: { type: 'http', scheme: 'bearer' },
    });
    expect(protectedOne.tags.map(({ name }) => name)).toEqual([
      'Chat',
      'Confirmations',
      'Sessions',
      'Memory',
      'Widget',
      'Operations',
    ]);
    expect(Object.keys(protectedOne.paths).filter((path) => /hub|session|widget/.test(path))).toEqual([]);

    const elsewhere = await realServer({
      HELPER__ENDPOINTS__METRICS__PORT: '0',
      HELPER__ENDPOINTS__METRICS__TOKEN: 'some-other-token',
    });
    const without = await openApiOf(elsewhere.url);
    expect([without.paths['/metrics'], without.components.securitySchemes]).toEqual([undefined, {}]);
  });

  // proves wire-1-20, wire-6-19
  it('is the same for everyone, and not sent again to a client that has it', async () => {
    const { url } = await realServer(everything);
    const authorization = `Bearer ${await makeToken({ sub: 'mara' })}`;
    const [anonymous, known] = [
      await fetch(`${url}/helper/openapi.json`),
      await fetch(`${url}/helper/openapi.json`, { headers: { authorization } }),
    ];
    expect(await known.text()).toBe(await anonymous.text());
    expect(anonymous.headers.get('cache-control')).toBe('no-cache');
    expect(anonymous.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const etag = anonymous.headers.get('etag') ?? '';
    for (const method of ['GET', 'HEAD']) {
      const again = await fetch(`${url}/helper/openapi.json`, { method, headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    const forged = await fetch(`${url}/helper/openapi.json`, { headers: { authorization: 'Bearer nonsense' } });
    expect(forged.status).toBe(401);
  });

  // proves wire-6-17
  it('names the paths as clients ask for them: below the base path, at the public address', async () => {
    const { url } = await realServer({ HELPER__SERVER__BASEPATH: '/desk' });
    const document = await openApiOf(url);
    expect(document.servers).toEqual([{ url: '/' }]);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/desk/helper/chat', '/desk/helper-hub/negotiate', '/healthz']),
    );
    const script = await fetch(`${new URL(url).origin}/desk/helper/tour`);
    expect(script.status).toBe(200);
  });

  // proves wire-6-17
  it('is there inside of another server, and its document does not disturb that of the host', async () => {
    const { assistant, host } = await mountedHost({
      scripts: [saying('Hi.')],
      settings: { auth: { jwt: { secret: tokenSecret } } },
      before: async (app) => {
        await app.register(swagger, { openapi: { info: { title: 'Shop', version: '1' } } });
        app.get('/orders', { schema: { summary: 'Orders' } }, () => []);
      },
    });
    const document = await openApiOf(assistant);
    expect(Object.keys(document.paths)).toContain('/assistant/helper/chat');
    expect(document.components.securitySchemes).toHaveProperty('bearer');
    expect(host.swagger().paths).toMatchObject({ '/orders': { get: { summary: 'Orders' } } });
  });
});
