import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttp } from '../../src/app/open-http.ts';
import { controlChannel } from '../../src/channels/control/control-channel.ts';
import { hubChannel } from '../../src/channels/hub/hub-channel.ts';
import { opsChannel } from '../../src/channels/ops/ops-channel.ts';
import { sseChannel } from '../../src/channels/sse/sse-channel.ts';
import { fakeModel } from '../support/fake-model.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { openSse } from '../support/sse-client.ts';
import { testAdmission } from '../support/test-admission.ts';
import { ampleRoom, testAssistant } from '../support/test-assistant.ts';
import { settingsWith } from '../unit/config/load-from-text.ts';

const shop = 'https://shop.example.com';

/** The HTTP server as the product opens it, with its channels over the real core and a given model. */
async function realHttp(model = fakeModel({ text: 'Hi.' })) {
  const settings = settingsWith(`cors: { default: { origins: [${shop}] } }\n`);
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = pino({ level: 'debug' }, stream);
  const test = testAssistant({ model, log: logger });
  const { assistant, metrics } = test;
  const { app } = openHttp({
    server: settings.server,
    cors: settings.cors.default,
    logger,
    metrics,
    security: testAdmission().security,
    probePaths: [],
  });
  const admission = testAdmission();
  void app.register(sseChannel, {
    path: '/helper/chat',
    assistant,
    admission,
    metrics,
    bodyLimit: 100_000,
    maxStreams: 10,
    rooms: { connections: ampleRoom(), turns: ampleRoom() },
  });
  void app.register(controlChannel, { basePath: '', assistant, admission });
  void app.register(opsChannel, {
    readiness: () => Promise.resolve([]),
    draining: () => false,
    killSwitch: () => undefined,
    configuration: () => 'c0ffee',
    renderMetrics: () => Promise.resolve({ contentType: 'text/plain', body: '' }),
    metrics: { path: '/metrics', token: undefined, security: admission.security },
    securityTxt: null,
  });
  void app.register(hubChannel, {
    path: '/helper-hub',
    assistant,
    connected: () => ({
      language: 'English',
      maxMessageLength: 4000,
      enableImageInput: false,
      maxImageBytes: 0,
      maxImagesPerMessage: 0,
      allowedImageTypes: [],
      enableFileInput: false,
      maxFileBytes: 0,
      maxFilesPerMessage: 0,
      allowedFileTypes: [],
      hostedTools: [],
      demo: false,
      aiDisclosure: true,
      conversations: false,
      memory: false,
    }),
    admission,
    metrics,
    log: logger,
    maxConnections: 10,
    disconnectGraceMs: 5_000,
    connectionRoom: ampleRoom(),
    arrivalRoom: ampleRoom(),
    maxBufferedBytes: 1_048_576,
    maxMessageBytes: 100_000,
    control: () => undefined,
  });
  app.get('/throws', () => {
    throw new Error('password=hunter2 in /etc/helper/secret.yaml');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await assistant.drain(0);
    await assistant.close();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return { ...test, app, port, lines, url: `http://127.0.0.1:${String(port)}` };
}

/** Sends bytes as they are, and reads until the server closes. */
function bytes(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => {
      resolve(answer);
    });
    socket.on('error', reject);
  });
}

const tooLongHead = `GET /helper/chat?message=${'a'.repeat(66_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const json = { 'content-type': 'application/json' };
const preflight = {
  origin: shop,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type',
};

/** One request of each kind: its name, its path and its options. */
const everyKind = [
  // proves wire-1-17, wire-1-19
  ['a stream', '/helper/chat?message=x', {}],
  // proves wire-1-17
  ['an answer', '/helper/cancel', { method: 'POST', headers: json, body: '{"connectionId":"x"}' }],
  ['a fault in the body', '/helper/approve', { method: 'POST', headers: json, body: '{' }],
  // proves wire-1-06
  ['a body of another kind', '/helper/approve', { method: 'POST', body: 'text' }],
  ['a foreign website', '/helper/chat?message=x', { headers: { origin: 'https://evil.example' } }],
  // proves wire-1-17
  ['an unknown path', '/nothing', {}],
  // proves wire-1-17
  ['an address that is none', '/%ff', {}],
  ['a wrong method', '/helper/approve', {}],
  // proves wire-1-19
  ['a fault of the server', '/throws', {}],
  ['a negotiation', '/helper-hub/negotiate?negotiateVersion=1', { method: 'POST' }],
  ['liveness', '/healthz', {}],
  ['metrics', '/metrics', {}],
  // proves wire-1-17
  ['a preflight', '/helper/chat', { method: 'OPTIONS', headers: preflight }],
  // proves wire-1-19
  ['OPTIONS that is no preflight', '/helper/chat', { method: 'OPTIONS' }],
] as const satisfies readonly (readonly [string, string, RequestInit])[];

/** The headers of a request, and an id of its own. */
function withId(headers: RequestInit['headers']): Headers {
  const all = new Headers(headers);
  all.set('x-request-id', 'mine-1');
  return all;
}

describe('what every answer has (contract/addresses.md#answers)', () => {
  it.each(everyKind)('%s has a request id and security headers', async (_title, path, init: RequestInit) => {
    const { url } = await realHttp();
    const { headers } = await fetch(url + path, { ...init, headers: withId(init.headers) });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  // proves wire-1-17, wire-1-19, wire-4-11
  it('a head over 64 KiB has them too, though it never becomes a request', async () => {
    const { port } = await realHttp();
    const [head = '', body = ''] = (await bytes(port, tooLongHead)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head).toMatch(/^content-type: application\/problem\+json$/im);
    expect(head).toMatch(/^cache-control: no-store$/im);
    expect(head).toMatch(/^x-request-id: [A-Za-z0-9_-]{22}$/im);
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
    expect(head).toMatch(/^content-security-policy: .*frame-ancestors 'none'/im);
    expect(JSON.parse(body)).toMatchObject({ status: 431, code: 'uri_too_long' });
  });

  // proves wire-1-03, wire-1-17, wire-1-19, wire-1-20
  it.each([
    ['without a Host', 'GET /helper/approve HTTP/1.1\r\nConnection: close\r\n\r\n', 403],
    [
      'that expects what nobody knows',
      'GET /helper/approve HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
      400,
    ],
  ])('a request %s has them too, though Node would answer it by itself', async (_title, request, status) => {
    const { port } = await realHttp();
    const [head = '', body = ''] = (await bytes(port, request)).split('\r\n\r\n');
    expect(head).toMatch(/^content-type: application\/problem\+json$/im);
    expect(head).toMatch(/^cache-control: no-store$/im);
    expect(head).toMatch(/^x-request-id: [A-Za-z0-9_-]{22}$/im);
    expect(head).toMatch(/^content-security-policy: .*frame-ancestors 'none'/im);
    expect(JSON.parse(body)).toMatchObject({ status });
  });

  // proves wire-1-03, wire-1-05
  it('every fault is a problem document with all six members, and nothing from inside', async () => {
    const { url } = await realHttp();
    let faults = 0;
    for (const [title, path, init] of everyKind) {
      const response = await fetch(url + path, init);
      if (response.status < 400) continue;
      faults += 1;
      expect(response.headers.get('content-type'), title).toBe('application/problem+json');
      const problem: unknown = await response.json();
      expect(Object.keys(problem ?? {}).sort(), title).toEqual([
        'code',
        'detail',
        'requestId',
        'status',
        'title',
        'type',
      ]);
      expect(problem, title).toMatchObject({
        status: response.status,
        requestId: response.headers.get('x-request-id'),
      });
      expect(JSON.stringify(problem), title).not.toMatch(/hunter2|secret\.yaml|at .*\.ts|FST_ERR/);
    }
    expect(faults).toBeGreaterThan(6);
  });

  // proves wire-1-20
  it('all JSON has Cache-Control: no-store', async () => {
    const { url } = await realHttp();
    for (const [title, path, init] of everyKind) {
      const response = await fetch(url + path, init);
      if (!(response.headers.get('content-type') ?? '').includes('json')) continue;
      expect(response.headers.get('cache-control'), title).toBe('no-store');
    }
  });

  // proves service-5-01, wire-1-18
  it('a website that is listed may read turn, request id and retry time, and send what clients send', async () => {
    const { url } = await realHttp();
    const answer = await fetch(`${url}/helper/chat?message=x`, { headers: { origin: shop } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop);
    expect(answer.headers.get('access-control-expose-headers')).toBe('x-turn-id, x-request-id, retry-after');
    const asked = await fetch(`${url}/helper/chat`, { method: 'OPTIONS', headers: preflight });
    expect(asked.status).toBe(204);
    const allowed = (asked.headers.get('access-control-allow-headers') ?? '').split(/, */);
    expect(allowed).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type', 'last-event-id', 'prefer', 'x-requested-with', 'x-signalr-user-agent'],
        ...['a2a-version', 'x-run-id', 'x-stainless-os', 'x-stainless-retry-count'],
        ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
      ]),
    );
    expect(allowed).not.toContain('cookie');
  });

  it('a website that is not listed is told nothing by CORS', async () => {
    const { url } = await realHttp();
    const asked = await fetch(`${url}/helper/chat`, {
      method: 'OPTIONS',
      headers: { ...preflight, origin: 'https://evil.example' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  // proves wire-1-09
  it('a foreign website may not cancel either', async () => {
    const { url } = await realHttp();
    const body = JSON.stringify({ connectionId: 'x' });
    const headers = { ...json, origin: 'https://evil.example' };
    const answer = await fetch(`${url}/helper/cancel`, { method: 'POST', headers, body });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'forbidden' });
  });

  // proves wire-4-22
  it('nothing but GET and POST runs a turn: HEAD is a wrong method', async () => {
    const model = fakeModel({ text: 'paid' });
    const { url, assistant } = await realHttp(model);
    const answer = await fetch(`${url}/helper/chat?message=x`, { method: 'HEAD' });
    expect(answer.status).toBe(405);
    await expect.poll(() => assistant.runningTurns).toBe(0);
    expect(model.requests).toHaveLength(0);
  });
});

describe('a client that resets its socket while it upgrades (contract/hub.md)', () => {
  it('is no error line, and leaves no place taken', async () => {
    const { url, port, lines } = await realHttp();
    for (let round = 0; round < 40; round += 1) {
      const socket = connect(port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.once('connect', () => {
        socket.write(
          `GET /helper-hub${round % 2 === 0 ? '' : '?id=any'} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n` +
            'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        );
        if (round % 4 < 2) socket.resetAndDestroy();
        else setImmediate(() => socket.resetAndDestroy());
      });
      await closed;
    }
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.socket.terminate();
    const levels = lines.map((line) => (JSON.parse(line) as { readonly level: number }).level);
    expect(levels.filter((level) => level > 30)).toEqual([]);
  });
});

describe('what the log never holds (contract/operations.md#logs)', () => {
  // proves wire-1-21
  it('queries of chat and hub requests, Authorization and cookies', async () => {
    const { url, lines } = await realHttp();
    const headers = { authorization: 'Bearer s3cret-header', cookie: 'session=s3cret-cookie' };
    await (await fetch(`${url}/helper/chat?message=s3cret-question`, { headers })).text();
    await fetch(`${url}/helper/chat?massage=s3cret-typo`, { headers });
    await fetch(`${url}/throws?key=s3cret-key`, { headers });
    await fetch(`${url}/helper-hub/negotiate?access_token=s3cret-token`, { method: 'POST', headers });
    await fetch(`${url}/helper-hub?id=s3cret-id&access_token=s3cret-token`, { headers });
    await expect.poll(() => lines.filter((line) => line.includes('request answered'))).toHaveLength(5);
    expect(lines.join('')).not.toContain('s3cret');
  });

  // proves wire-1-22
  it('the connectionId of an anonymous connection', async () => {
    const { url, lines } = await realHttp();
    const client = await RawHubClient.open(`${url}/helper-hub`);
    client.say({ protocol: 'json', version: 1 });
    const { connectionId } = await client.event('Connected');
    client.call('NoSuchMethod', '1');
    client.call('SendMessage', '2', { wrong: 'type' });
    client.call('SendMessage', '3', 'hello');
    await client.result('3');
    client.socket.terminate();
    await client.closed;
    expect(String(connectionId)).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(lines.join('')).not.toContain(String(connectionId));
  });
});

describe('a stream that is resumed (contract/sse.md#coming-back)', () => {
  // proves wire-4-13
  it('never moves the last event id back: its opening names the event it goes on from', async () => {
    const { url } = await realHttp();
    const first = await openSse(`${url}/helper/chat?message=x`);
    await first.closed;
    const turnId = String(first.headers['x-turn-id']);
    const again = await openSse(`${url}/helper/chat?message=x`, { headers: { 'last-event-id': `${turnId}:2` } });
    await again.closed;
    expect(again.frames.map(({ id }) => id)).toEqual([`${turnId}:2`, `${turnId}:3`]);
  });
});
