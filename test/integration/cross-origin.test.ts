import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Answer, ask } from '../support/ask.ts';
import { freePort } from '../support/free-port.ts';
import { openApiOf, operationsOf } from '../support/openapi-document.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const token = await makeToken({ sub: 'ann' });
const json = { 'content-type': 'application/json' };
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** The status for an admitted caller. A pair has the status for anonymous callers and the status for signed-in ones. */
type Passed = number | readonly [anonymous: number, signedIn: number];

/** Every address to which the rule applies: the request, and the status for an admitted caller. */
const endpoints: readonly (readonly [ask: string, passed: Passed, headers?: OutgoingHttpHeaders, body?: object])[] = [
  ['GET /helper/chat?message=x', 200],
  ['POST /helper/chat', 200, json, { message: 'x' }],
  ['GET /helper/approve?actionId=x', 404],
  ['POST /helper/approve', 404, json, { actionId: 'x', approved: true }],
  ['POST /helper/cancel', 404, json, { turnId: 'x' }],
  ['POST /helper/feedback', 404, json, { turnId: 'x', rating: 'good' }],
  ['GET /helper/session?connectionId=x', 404],
  ['POST /helper/session?connectionId=x', 404, json, { snapshot: 'hs1.x' }],
  ['GET /helper/memory', [404, 200]],
  ['PATCH /helper/memory?id=x', 404, json, { text: 'x' }],
  ['DELETE /helper/memory', [404, 204]],
  ['GET /helper/conversations', [401, 200]],
  ['GET /helper/conversations/x', [401, 404]],
  ['PATCH /helper/conversations/x', [401, 404], json, { title: 'x' }],
  ['DELETE /helper/conversations/x', [401, 404]],
  ['DELETE /helper/user-data', [401, 200]],
  ['GET /helper/admin/metrics', [401, 403]],
  ['POST /helper/admin/kill-switch', [401, 403], json, { writes: false }],
  ['GET /helper/admin/security-log', [401, 403]],
  ['POST /helper-hub/negotiate?negotiateVersion=1', 200],
  ['POST /helper-hub/refresh?id=x', 404],
  ['GET /helper-hub?id=x', 404],
  ['POST /helper-hub?id=x', 404],
  ['DELETE /helper-hub?id=x', 404],
  ['GET /helper-hub', 101, upgrade],
];

const isSignedIn = (headers: Readonly<Record<string, string>>): boolean =>
  'authorization' in headers || 'cookie' in headers;

/** The status of each address for an admitted caller with these headers. */
function passedOf(headers: Readonly<Record<string, string>>): readonly (readonly [ask: string, status: number])[] {
  return endpoints.map(([ask, passed]) => [
    ask,
    typeof passed === 'number' ? passed : passed[isSignedIn(headers) ? 1 : 0],
  ]);
}

/** The settings switch on everything that adds an address. */
const options = {
  auth: { jwt: { secret: tokenSecret, cookie: 'app_token' } },
  cors: { default: { origins: ['https://shop.example.com'] } },
  useMemoryContext: true,
  memoryAutoCapture: false,
  chatHistoryProvider: 'storage',
};

/** The server with these settings, and where it listens, whatever its public address. */
async function openServer(settings: object) {
  const port = await freePort();
  const { model } = await scriptedServer({
    scripts: [saying('x'), saying('x')],
    settings: { ...options, ...settings },
    overrides: { HELPER__SERVER__PORT: String(port) },
  });
  return { url: `http://127.0.0.1:${String(port)}`, model };
}

/** Asks every address with these headers; `{host}` in one stands for the server's own. */
async function askAll(headers: Readonly<Record<string, string>>, settings: object = {}) {
  const { url, model } = await openServer(settings);
  const { host } = new URL(url);
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('{host}', host)]),
  );
  const answers: (readonly [what: string, answer: Answer])[] = [];
  for (const [what, , own, body = null] of endpoints) {
    answers.push([what, await ask(url, what, { headers: { ...own, ...given }, ...(body === null ? {} : { body }) })]);
  }
  return { answers, model };
}

async function expectPassed(headers: Readonly<Record<string, string>>, settings?: object): Promise<void> {
  const { answers } = await askAll(headers, settings);
  expect(answers.map(([ask, { status }]) => [ask, status])).toEqual(passedOf(headers));
}

/** Expects that only the GET of chat is refused, because a link can make that request. */
async function expectPassedButForGet(headers: Readonly<Record<string, string>>): Promise<void> {
  const { answers } = await askAll(headers);
  expect(answers.map(([ask, { status }]) => [ask, status])).toEqual(
    passedOf(headers).map(([ask, passed]) => [ask, ask.startsWith('GET /helper/chat') ? 403 : passed]),
  );
}

async function expectRefused(headers: Readonly<Record<string, string>>, setting: string, settings?: object) {
  const { answers, model } = await askAll(headers, settings);
  for (const [ask, { status, body }] of answers) {
    expect([ask, status, JSON.parse(body)]).toEqual([
      ask,
      403,
      expect.objectContaining({ code: 'forbidden', detail: expect.stringContaining(setting) as string }),
    ]);
  }
  expect(model.requests).toHaveLength(0);
}

const everywhere = { server: { host: '0.0.0.0', hosts: ['helper.lan'] } };
const listed = { origin: 'https://shop.example.com', 'sec-fetch-site': 'cross-site' };
const cookie = `app_token=${token}`;

describe('every address that can drive the server (contract/doors.md)', () => {
  // proves wire-1-08
  it('is asked here: each that says it may answer 403', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: options });
    // The addresses of the demo page are left out. They know no users, so cookies have no effect there.
    const described = operationsOf(await openApiOf(url)).filter(
      ({ path, responses }) => '403' in responses && !path.startsWith('/helper/demo'),
    );
    const asked = endpoints.map(([ask]) => ask.split('?')[0]?.replace(/\/x$/, '/{id}'));
    expect(asked).toEqual(expect.arrayContaining(described.map(({ method, path }) => `${method} ${path}`)));
    expect(described.length).toBeGreaterThanOrEqual(18);
  });

  it.each<[string, Record<string, string>]>([
    // proves wire-1-13
    ['a program without any of the headers', {}],
    ['a program with a token', { authorization: `Bearer ${token}` }],
    ['a page of the server', { origin: 'http://{host}', 'sec-fetch-site': 'same-origin' }],
    ['a page of the server under another name of loopback', { host: '127.0.0.9:1', origin: 'http://127.0.0.9:1' }],
    ['a page of the server with a cookie', { origin: 'http://{host}', 'sec-fetch-site': 'same-origin', cookie }],
    ['a page of the server with a cookie, in an old browser', { referer: 'http://{host}/page', cookie }],
    // proves wire-1-12
    ['a listed website', listed],
    ['whoever types the address', { 'sec-fetch-site': 'none' }],
  ])('lets in %s', async (_title, headers) => {
    await expectPassed(headers);
  });

  // proves wire-1-41
  it.each<[string, Record<string, string>]>([
    ['a listed website with a cookie', { ...listed, cookie }],
    ['a link in a mail, with a cookie', { 'sec-fetch-site': 'none', cookie }],
    ['a program with a cookie', { cookie }],
  ])('lets in %s, save for the GET of chat', async (_title, headers) => {
    await expectPassedButForGet(headers);
  });

  // proves wire-1-08
  it.each<[string, Record<string, string>]>([
    ['a foreign website', { origin: 'https://evil.example' }],
    // proves wire-1-70
    ['one with a token', { origin: 'https://evil.example', authorization: `Bearer ${token}` }],
    // proves wire-1-70
    ['one with a cookie', { origin: 'https://evil.example', cookie }],
    // proves wire-1-70
    ['one with a token that is not valid', { origin: 'https://evil.example', authorization: 'Bearer x' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['another scheme', { origin: 'https://{host}' }],
    ['an opaque origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['an origin that begins like the own', { origin: 'http://{host}.evil.example' }],
    ['an origin that begins like a listed one', { origin: 'https://shop.example.com.evil.example' }],
    ['a listed origin behind a name', { origin: 'https://shop.example.com@evil.example' }],
    ['a page below a listed website', { origin: 'https://a.shop.example.com' }],
    ['a listed website without TLS', { origin: 'http://shop.example.com' }],
    ['cross-site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['same-site without an origin', { 'sec-fetch-site': 'same-site' }],
    ['cross-site that names the server as Referer', { 'sec-fetch-site': 'cross-site', referer: 'http://{host}/' }],
  ])('refuses %s, and runs nothing', async (_title, headers) => {
    await expectRefused(headers, 'cors.default.origins');
  });

  // proves wire-1-15
  it.each<[string, Record<string, string>]>([
    ['a name that leads here', { host: 'evil.example' }],
    ['one with the port', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }],
    ['one that its browser takes for this server', { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
    ['one with a token', { host: 'evil.example', authorization: `Bearer ${token}` }],
    ['one that ends like loopback', { host: 'localhost.evil.example' }],
    ['one behind a name of loopback', { host: 'localhost@evil.example' }],
    ['an address that is not loopback', { host: '192.168.1.5:8080' }],
    ['the address of all interfaces', { host: '0.0.0.0:8080' }],
    ['a forwarded name of loopback', { host: 'evil.example', 'x-forwarded-host': 'localhost' }],
  ])('refuses %s, and runs nothing (DNS rebinding)', async (_title, headers) => {
    await expectRefused(headers, 'server.publicUrl');
  });

  // proves wire-1-80
  it.each<[string, Record<string, string>]>([
    ['a name that leads here', { host: 'evil.example' }],
    ['one with the port', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }],
    ['one with a token', { host: 'evil.example', authorization: `Bearer ${token}` }],
    ['one behind an address', { host: '192.168.1.5.evil.example' }],
    ['a forwarded address', { host: 'evil.example', 'x-forwarded-host': '192.168.1.5' }],
  ])('bound to all addresses, refuses %s, and runs nothing (DNS rebinding)', async (_title, headers) => {
    await expectRefused(headers, 'server.hosts', everywhere);
  });

  // proves wire-1-80
  it.each<[string, Record<string, string>]>([
    ['an address', { host: '192.168.1.5:8080', origin: 'http://192.168.1.5:8080' }],
    ['an IPv6 address', { host: '[2001:db8::1]:8080' }],
    ['localhost', { host: 'localhost:8080' }],
    ['a name of server.hosts', { host: 'Helper.lan:8080', origin: 'http://helper.lan:8080' }],
  ])('bound to all addresses, lets in who asks for %s', async (_title, headers) => {
    await expectPassed(headers, everywhere);
  });

  const published = { server: { publicUrl: 'https://chat.example.com', hosts: ['helper.lan'] } };

  // proves wire-1-99
  it.each<[string, Record<string, string>, object?]>([
    ['a name that leads here', { host: 'evil.example' }],
    ['one that its browser takes for this server', { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
    ['one with a token', { host: 'evil.example', authorization: `Bearer ${token}` }],
    ['one below that of publicUrl', { host: 'a.chat.example.com' }],
    ['one behind that of publicUrl', { host: 'chat.example.com.evil.example' }],
    ['one with an invented proxy', { host: 'evil.example', 'x-forwarded-host': 'chat.example.com' }],
    ['one that a proxy was asked by', { host: 'localhost', 'x-forwarded-host': 'evil.example' }, { trustProxy: true }],
  ])('with a publicUrl, refuses %s, and runs nothing (DNS rebinding)', async (_title, headers, server) => {
    await expectRefused(headers, 'server.hosts', { server: { ...published.server, ...server } });
  });

  // proves wire-1-99
  it.each<[string, Record<string, string>, object?]>([
    ['its host', { host: 'chat.example.com', origin: 'https://chat.example.com' }],
    ['a name of server.hosts', { host: 'helper.lan:8080' }],
    ['loopback', { host: '[::1]:8080' }],
    ['its host, by a proxy', { host: 'a.b.lan', 'x-forwarded-host': 'chat.example.com' }, { trustProxy: true }],
  ])('with a publicUrl, lets in who asks for %s', async (_title, headers, server) => {
    await expectPassed(headers, { server: { ...published.server, ...server } });
  });

  // proves wire-1-99
  it.each([{}, published, everywhere])('shows a rebound name no figures and no documents: %j', async (settings) => {
    const server = { securityContact: 'mailto:a@b.example', ...(settings as typeof published).server };
    const { url } = await openServer({ ...settings, server });
    const paths = ['/metrics', '/helper/openapi.json', '/helper/tour', '/helper/demo', '/healthz', '/readyz', '/'];
    const statuses = async (host: string) =>
      Promise.all(paths.map(async (path) => (await ask(url, `GET ${path}`, { headers: { host } })).status));
    expect(await statuses('evil.example')).toEqual([403, 403, 403, 403, 200, 200, 200]);
    expect(await statuses('localhost')).toEqual(paths.map(() => 200));
  });

  // proves wire-1-99
  it('shows a rebound name no figures on a port of their own', async () => {
    const port = await freePort();
    await scriptedServer({ scripts: [], settings: { ...options, endpoints: { metrics: { port } } } });
    const statusOf = async (host: string) =>
      (await ask(`http://127.0.0.1:${String(port)}`, 'GET /metrics', { headers: { host } })).status;
    expect([await statusOf('evil.example'), await statusOf('localhost'), await statusOf('127.0.0.1')]).toEqual([
      403, 200, 200,
    ]);
  });

  it.each([
    ['lets in any website', { origin: 'https://any.example' }, undefined],
    ['refuses it a cookie', { origin: 'https://any.example', cookie }, 'cors.default.credentials'],
    ['refuses a cookie without an origin, too', { 'sec-fetch-site': 'cross-site', cookie }, 'cors.default.credentials'],
  ])('with all origins listed %s', async (_title, headers, setting) => {
    const settings = { cors: { default: { origins: ['*'], credentials: false } } };
    if (setting === undefined) await expectPassed(headers, settings);
    else await expectRefused(headers, setting, settings);
  });
});

describe('a GET of chat (contract/doors.md#other-websites)', () => {
  const image = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
  const here = { 'sec-fetch-site': 'same-origin' };
  const fetched = { ...here, 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' };
  const callers: Readonly<Record<string, OutgoingHttpHeaders>> = {
    anonymous: {},
    cookie: { cookie },
    token: { authorization: `Bearer ${token}` },
  };

  async function statuses(headers: OutgoingHttpHeaders, referer?: string) {
    const { url, model } = await scriptedServer({ scripts: [], otherwise: saying('x'), settings: options });
    const given = { ...headers, ...(referer === undefined ? {} : { referer: url }) };
    const answers: Record<string, number> = {};
    for (const [caller, own] of Object.entries(callers))
      answers[caller] = (await ask(url, 'GET /helper/chat?message=x', { headers: { ...own, ...given } })).status;
    return { answers, turns: model.requests.length };
  }

  // proves wire-1-98
  it.each<[string, OutgoingHttpHeaders]>([
    ['a link that was followed', { ...here, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
    ['a frame', { ...here, 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
    ['a picture', { ...here, 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
    ['a picture that asks for CORS', { ...here, 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'cors' }],
    ['a script', { ...here, 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' }],
    ['a style', { ...here, 'sec-fetch-dest': 'style', 'sec-fetch-mode': 'no-cors' }],
    ['a beacon or fetch that reads nothing', { ...fetched, 'sec-fetch-mode': 'no-cors' }],
    ['a navigation without a destination', { ...here, 'sec-fetch-mode': 'navigate' }],
    ['a destination nobody knows', { ...fetched, 'sec-fetch-dest': 'hologram' }],
    ['a prefetch', { ...fetched, 'sec-purpose': 'prefetch' }],
    ['a prefetch in other letters', { ...fetched, 'sec-purpose': 'Prefetch;anonymous-client-ip' }],
    ['a prerendered page', { ...fetched, 'sec-purpose': 'prefetch;prerender' }],
    ['a prefetch of an older browser', { purpose: 'prefetch' }],
    ['a prefetch of a still older one', { 'x-moz': 'prefetch' }],
    ['a link over plain HTTP', { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*;q=0.8' }],
    ['a picture over plain HTTP', { accept: image }],
  ])('begins no turn as %s, whoever calls', async (_title, headers) => {
    const { answers, turns } = await statuses(headers, 'the server');
    expect(answers).toEqual({ anonymous: 403, cookie: 403, token: 403 });
    expect(turns).toBe(0);
  });

  // proves wire-1-98
  it.each<[string, OutgoingHttpHeaders]>([
    ['a script or sound of another website', { referer: 'http://evil.example/page', accept: '*/*' }],
    ['a style of another website', { referer: 'http://evil.example/', accept: 'text/css,*/*;q=0.1' }],
    ['one of a website on another port', { referer: 'http://127.0.0.1:1/', accept: '*/*' }],
    ['one of a website that names no page', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: '*/*' }],
    ['one of a page without an address', { referer: 'about:client', accept: '*/*' }],
  ])('begins no turn as %s over plain HTTP, whoever calls', async (_title, headers) => {
    const { answers, turns } = await statuses(headers);
    expect(answers).toEqual({ anonymous: 403, cookie: 403, token: 403 });
    expect(turns).toBe(0);
  });

  // proves wire-1-98
  it.each<[string, OutgoingHttpHeaders, string?]>([
    ['EventSource', { ...fetched, accept: 'text/event-stream' }],
    ['fetch of the same origin', { ...fetched, 'sec-fetch-mode': 'same-origin' }],
    ['an old browser without any of the headers', { accept: 'text/event-stream' }, 'the server'],
    ['a script over plain HTTP', { accept: '*/*', 'user-agent': 'Mozilla/5.0' }, 'the server'],
  ])('begins one as %s, whoever calls', async (_title, headers, referer) => {
    const { answers, turns } = await statuses(headers, referer);
    expect(answers).toEqual({ anonymous: 200, cookie: 200, token: 200 });
    expect(turns).toBe(3);
  });

  // proves wire-1-98
  it.each<[string, OutgoingHttpHeaders]>([
    ['a program without any of the headers', {}],
    ['a program that sends a mode alone, as fetch of Node does', { 'sec-fetch-mode': 'cors' }],
    ['a program that asks for pages first', { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }],
  ])('begins one as %s', async (_title, headers) => {
    const { answers } = await statuses(headers);
    expect(answers).toMatchObject({ anonymous: 200, token: 200 });
  });
});

describe('a hub client on another origin (contract/identity.md)', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-requested-with,x-signalr-user-agent',
  };

  async function negotiate(origin: string, policy: object = {}) {
    const settings = { cors: { default: { origins: ['https://shop.example.com'], ...policy } } };
    const { url } = await scriptedServer({ scripts: [], settings });
    const address = `${url}/helper-hub/negotiate?negotiateVersion=1`;
    const asked = await fetch(address, { method: 'OPTIONS', headers: { origin, ...preflight } });
    return { asked, answer: await fetch(address, { method: 'POST', headers: { origin } }) };
  }

  // proves service-5-21
  it.each([
    ['credentials unless told otherwise', {}, 'true'],
    ['no credentials with credentials: false', { credentials: false }, null],
  ])('that is listed is allowed the methods and headers it needs, and %s', async (_title, policy, credentials) => {
    const origin = 'https://shop.example.com';
    const { asked, answer } = await negotiate(origin, policy);
    expect(answer.status).toBe(200);
    for (const { headers } of [asked, answer]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe(credentials);
    }
    const allowed = asked.headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/);
    expect(allowed).toEqual(expect.arrayContaining(preflight['access-control-request-headers'].split(',')));
    const methods = asked.headers.get('access-control-allow-methods')?.split(/, ?/);
    expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'DELETE']));
  });

  // proves service-5-21
  it('that is not listed may read nothing, and negotiates nothing', async () => {
    const { asked, answer } = await negotiate('https://evil.example');
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'forbidden' });
    for (const { headers } of [asked, answer]) expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
