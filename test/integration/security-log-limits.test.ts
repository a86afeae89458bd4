import { describe, expect, it, onTestFinished } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import {
  bearer,
  type LoggedServer,
  loggedServer,
  post,
  securityLines,
  statusOf,
  tokenOf,
} from '../support/logged-server.ts';
import { openRawConnection, requestText } from '../support/raw-connection.ts';
import { openSse } from '../support/sse-client.ts';
import { tokenSecret } from '../support/tokens.ts';

const anAddress = expect.stringMatching(/^address:[A-Za-z0-9_-]{22}$/) as string;
const usual = { level: 'info', security: true, who: anAddress };
const foreign = { origin: 'https://evil.example' };

/** A turn over server-sent events that waits for its user, and so holds its places. */
async function waiting(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel order 1001' }, headers });
  await chat.next('confirmation');
}

async function openHub(url: string, token?: string): Promise<RawHubClient> {
  const query = token === undefined ? '' : `?access_token=${token}`;
  const client = await RawHubClient.connect(`${url}/helper-hub${query}`, { events: false });
  onTestFinished(() => {
    client.socket.terminate();
  });
  return client;
}

/** A request whose body never arrives completely. */
async function stalled(url: string, bytes: number): Promise<void> {
  const connection = await openRawConnection(url);
  onTestFinished(() => {
    connection.socket.destroy();
  });
  const head = { Host: new URL(url).host, 'content-type': 'application/json', 'content-length': String(bytes) };
  connection.send(`${requestText('POST /helper/chat', head)}{`);
}

/** Asks until the server answers with this status. It needs a moment to count the requests under way. */
async function untilStatus(status: number, ask: () => Promise<number>): Promise<void> {
  await expect.poll(ask, { interval: 20 }).toBe(status);
}

async function lineOf({ nextLine }: LoggedServer, reason: string) {
  const line = await nextLine();
  expect(line).toMatchObject({ what: 'rate_limited', reason });
  return line;
}

describe('the security log: one more than a caller may have (contract/operations.md#logs)', () => {
  // proves wire-6-50
  it('is a line for a message too many of a user, with the turn', async () => {
    const server = await loggedServer({ HELPER__RATELIMITPERUSER: '1' });
    const ann = bearer(await tokenOf('ann'));
    const chat = `${server.url}/helper/chat?message=my-words`;
    expect(await statusOf(chat, { headers: ann })).toBe(200);
    expect(await statusOf(chat, { headers: ann })).toBe(200);
    expect(await lineOf(server, 'message_rate')).toMatchObject({
      level: 'info',
      who: 'id:ann',
      turnId: expect.any(String) as string,
      conversationId: expect.any(String) as string,
    });
    expect(await server.counted('rate_limited', 'message_rate')).toBe(1);
    expect(server.printed()).not.toContain('my-words');
  });

  // proves wire-6-50
  it('names an anonymous caller of the hub by the same name as its other requests', async () => {
    const server = await loggedServer({ HELPER__RATELIMITPERUSER: '1', HELPER__ANONYMOUSIDENTITY: 'Shared' });
    const client = await openHub(server.url);
    client.call('SendMessage', 'first', 'hello');
    await client.event('TurnCompleted');
    client.call('SendMessage', 'second', 'hello');
    const { who } = await lineOf(server, 'message_rate');
    expect(who).toEqual(anAddress);
    expect(await statusOf(`${server.url}/helper/chat?message=x`, { headers: foreign })).toBe(403);
    expect(await server.nextLine()).toMatchObject({ what: 'origin_refused', who });
  });

  // proves wire-6-50
  it('is a line for a connection too many, on the hub and over server-sent events', async () => {
    const server = await loggedServer({ HELPER__SERVER__MAXCONNECTIONSPERUSER: '1' });
    const token = await tokenOf('ann');
    await openHub(server.url, token);
    await expect(RawHubClient.connect(`${server.url}/helper-hub?access_token=${token}`)).rejects.toThrow();
    expect(await lineOf(server, 'connections')).toMatchObject({ who: 'id:ann', request: 'GET /helper-hub' });
    expect(await statusOf(`${server.url}/helper/chat?message=x`, { headers: bearer(token) })).toBe(429);
    expect(await lineOf(server, 'connections')).toMatchObject({ who: 'id:ann', request: 'GET /helper/chat' });
    expect(await server.counted('rate_limited', 'connections')).toBe(2);
    expect(server.printed()).not.toContain(token);
  });

  // proves wire-6-50
  it('is a line for a running turn too many, on the hub and over server-sent events', async () => {
    const server = await loggedServer({ HELPER__SERVER__MAXTURNSPERUSER: '1' });
    const token = await tokenOf('ann');
    await waiting(server.url, bearer(token));
    expect(await statusOf(`${server.url}/helper/chat?message=x`, { headers: bearer(token) })).toBe(429);
    expect(await lineOf(server, 'turns')).toMatchObject({ who: 'id:ann', request: 'GET /helper/chat' });
    const client = await openHub(server.url, token);
    client.call('SendMessage', 'send', 'hello');
    const { turnId } = await client.event('TurnCompleted');
    expect(await lineOf(server, 'turns')).toMatchObject({ who: 'id:ann', turnId });
  });

  // proves wire-6-50
  it('is a line for a running turn too many of an address', async () => {
    const server = await loggedServer({ HELPER__SERVER__MAXTURNSPERADDRESS: '1' });
    await waiting(server.url);
    expect(await statusOf(`${server.url}/helper/chat?message=x`)).toBe(429);
    expect(await lineOf(server, 'turns')).toMatchObject(usual);
  });

  // proves wire-6-50
  it('is a line for a request too many of an address at once', async () => {
    const server = await loggedServer({ HELPER__SERVER__MAXREQUESTSPERADDRESS: '1' });
    await stalled(server.url, 100);
    await untilStatus(429, () => post(`${server.url}/helper/chat`, { message: 'x' }));
    expect(await lineOf(server, 'requests')).toMatchObject({ ...usual, request: 'POST /helper/chat' });
  });

  // proves wire-6-50
  it('is a line for more than a user may upload at once', async () => {
    const server = await loggedServer({
      HELPER__ENABLEIMAGEINPUT: 'true',
      HELPER__SERVER__MAXREQUESTSPERADDRESS: '100',
    });
    const connections = 8;
    for (let count = 0; count < connections; count += 1) await stalled(server.url, 5_000_000);
    const body = { message: 'x'.repeat(5_000_000) };
    await untilStatus(429, () => post(`${server.url}/helper/chat`, body));
    expect(await lineOf(server, 'uploads')).toMatchObject({ ...usual, request: 'POST /helper/chat' });
  });
});

describe('the security log: an origin that is refused (contract/doors.md)', () => {
  // proves wire-6-50
  it('is a line at the dashboard that is open to anyone, and at the data of the demo page', async () => {
    const { url, nextLine } = await loggedServer({ HELPER__DASHBOARDROLE: '' });
    const refused = { ...usual, what: 'origin_refused', reason: 'origin' };
    expect(await statusOf(`${url}/helper/admin/metrics`, { headers: foreign })).toBe(403);
    expect(await nextLine()).toMatchObject({ ...refused, request: 'GET /helper/admin/metrics' });
    expect(await statusOf(`${url}/helper/demo`, { headers: foreign })).toBe(403);
    expect(await nextLine()).toMatchObject({ ...refused, request: 'GET /helper/demo' });
    expect(await post(`${url}/helper/demo/reset`, {}, foreign)).toBe(403);
    expect(await nextLine()).toMatchObject({ ...refused, request: 'POST /helper/demo/reset' });
  });

  // proves wire-6-50
  it('is a line for a link that would make a signed-in browser start a turn', async () => {
    const jwt = { secret: tokenSecret, audience: 'desk', issuer: null, cookie: 'app_token' };
    const { url, nextLine } = await loggedServer({ HELPER__AUTH__JWT: JSON.stringify(jwt) });
    const headers = { cookie: `app_token=${await tokenOf('ann')}` };
    expect(await statusOf(`${url}/helper/chat?message=my-words`, { headers })).toBe(403);
    const line = {
      level: 'info',
      what: 'origin_refused',
      reason: 'origin',
      who: 'id:ann',
      request: 'GET /helper/chat',
    };
    expect(await nextLine()).toMatchObject(line);
  });
});

describe('the security log: refusals without end (contract/operations.md#logs)', () => {
  // proves wire-6-51
  it('are twenty lines of one caller and kind in a minute, while all are counted and others are told', async () => {
    const { url, nextLine, printed, counted } = await loggedServer();
    const chat = `${url}/helper/chat?message=x`;
    for (let count = 0; count < 50; count += 1) expect(await statusOf(chat, { headers: foreign })).toBe(403);
    expect(await counted('origin_refused', 'origin')).toBe(50);
    expect(await statusOf(chat, { headers: bearer('forged') })).toBe(401);
    for (let line = 0; line < 20; line += 1) expect(await nextLine()).toMatchObject({ what: 'origin_refused' });
    expect(await nextLine()).toMatchObject({ what: 'authentication_failed' });
    const ann = { ...foreign, ...bearer(await tokenOf('ann')) };
    // The origin is checked before the token is read, so this caller is the same address.
    expect(await statusOf(chat, { headers: ann })).toBe(403);
    expect(securityLines(printed())).toHaveLength(21);
  });

  // proves wire-6-51
  it('are twenty lines of turns of one user in a minute, while all are counted', async () => {
    const { url, printed } = await loggedServer({ HELPER__RATELIMITPERUSER: '1' });
    const headers = bearer(await tokenOf('ann'));
    const chat = `${url}/helper/chat?message=List%20the%20orders.`;
    for (let count = 0; count < 41; count += 1) await statusOf(chat, { headers });
    await statusOf(chat, { headers: bearer(await tokenOf('bob')) });
    const ended = (): readonly string[] =>
      printed()
        .split('\n')
        .filter((line) => line.includes('"turn ended"'));
    await expect.poll(() => ended().filter((line) => line.includes('"completed"')).length).toBe(2);
    expect(ended()).toHaveLength(22);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('helperagent_turns_total{channel="sse",status="refused"} 40');
  });
});
