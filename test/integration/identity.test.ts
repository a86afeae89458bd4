import { describe, expect, it } from 'vitest';
import type { Authorization } from '../../src/channels/shared/admit-requests.ts';
import { CallerRoom } from '../../src/core/limits/caller-room.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { hubServer } from '../support/hub-server.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { realServer } from '../support/real-server.ts';
import { openSse } from '../support/sse-client.ts';
import { testAdmission, tokenCookie } from '../support/test-admission.ts';
import { testHttp } from '../support/test-http.ts';
import { makeToken, tokenSecret, unsignedToken } from '../support/tokens.ts';

const [ann, bob] = [await makeToken({ sub: 'ann', role: 'Supervisor' }), await makeToken({ sub: 'bob' })];
const expired = await makeToken({ sub: 'ann' }, { expiresAt: 1_000_000 });

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, code: Object.fromEntries(Object.entries(answer ?? {}))['code'] };
}

/** The user of a request to the address, as the tool call of its turn sees the user. */
async function userOf(path: string, headers: Record<string, string>): Promise<unknown> {
  const users: unknown[] = [];
  const tool = fakeTool({
    readOnly: true,
    execute: async (_arguments, { user }) => {
      users.push(user.isAuthenticated ? user.id : 'anonymous');
      return { value: 1 };
    },
  });
  const { url } = await testHttp({ model: fakeModel({ toolCalls: [call('close_case')] }, {}), toolList: [tool] });
  const response = await fetch(url + path, { headers });
  await response.text();
  return response.status === 200 ? users[0] : response.status;
}

describe('where a token is read (contract/identity.md#tokens)', () => {
  const chat = '/helper/chat?message=x';
  const annsCookie = { cookie: `other=1; ${tokenCookie}=${ann}`, 'sec-fetch-site': 'same-origin' };
  it.each<[string, string, Record<string, string>, unknown]>([
    // proves service-5-06
    ['Authorization', chat, bearer(ann), 'ann'],
    ['Authorization in another case', chat, { authorization: `bEARER ${ann}` }, 'ann'],
    // proves service-5-06
    ['the cookie', chat, annsCookie, 'ann'],
    ['Authorization wins over the cookie', chat, { ...annsCookie, ...bearer(bob) }, 'bob'],
    // proves wire-1-40
    ['nothing is anonymous', chat, {}, 'anonymous'],
    ['a scheme that is not ours is not ours to judge', chat, { authorization: 'Basic YTpi' }, 'anonymous'],
    // proves service-5-06, wire-3-60
    ['the query is not read here', `${chat}&access_token=${ann}`, {}, 'anonymous'],
    ['a token in a cookie of another name is not read', chat, { cookie: `token=${ann}` }, 'anonymous'],
    ['a bearer without a token', chat, { authorization: 'Bearer' }, 401],
    ['a bearer without a token beside a valid cookie', chat, { ...annsCookie, authorization: 'Bearer' }, 401],
    ['a bearer behind a tab', chat, { authorization: `Bearer\t${ann}` }, 'ann'],
    // proves wire-1-40
    ['an expired token', chat, bearer(expired), 401],
    ['two bearers in one header', chat, { authorization: `Bearer ${ann}, Bearer ${bob}` }, 401],
    ['a bearer of two parts', chat, { authorization: `Bearer ${ann} x` }, 401],
    [
      'the cookie twice, as a neighbour below the same domain can set it',
      chat,
      { cookie: `${tokenCookie}=${bob}; ${tokenCookie}=${ann}`, 'sec-fetch-site': 'same-origin' },
      401,
    ],
    [
      'the same cookie twice',
      chat,
      { cookie: `${tokenCookie}=${ann}; ${tokenCookie}=${ann}`, 'sec-fetch-site': 'same-origin' },
      'ann',
    ],
    ['a cookie that only ends in the name', chat, { cookie: `x${tokenCookie}=${ann}` }, 'anonymous'],
    ['an unsigned token', chat, bearer(unsignedToken({ sub: 'ann', exp: 4_000_000_000 })), 401],
    ['a wrong token beside a valid cookie', chat, { ...annsCookie, ...bearer('x') }, 401],
    ['a wrong token in the cookie', chat, { cookie: `${tokenCookie}=x`, 'sec-fetch-site': 'same-origin' }, 401],
  ])('%s', async (_title, path, headers, expected) => {
    expect(await userOf(path, headers)).toBe(expected);
  });

  // proves wire-1-40
  it('a presented token that is not valid is 401 on every address that chats, and says so (contract/identity.md#tokens)', async () => {
    const { origin } = await hubServer({ model: fakeModel({ text: 'x' }) });
    for (const path of ['/helper/approve', '/helper/cancel', '/helper-hub/negotiate']) {
      expect(await post(origin + path, {}, bearer('x')), path).toEqual({ status: 401, code: 'unauthenticated' });
    }
    const response = await fetch(`${origin}/helper/approve`, { method: 'POST', headers: bearer('x') });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    await response.body?.cancel();
  });

  // proves wire-3-60
  it('the hub reads access_token from the query of GET alone', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const client = await RawHubClient.connect(`${url}?access_token=${ann}`, { events: false });
    expect(await client.event('Connected')).toMatchObject({ user: { isAuthenticated: true, name: 'ann' } });
    const negotiation = await fetch(`${url}/negotiate?access_token=x`, { method: 'POST' });
    expect(negotiation.status).toBe(200);
    await negotiation.body?.cancel();
    await expect(RawHubClient.connect(`${url}?access_token=x`)).rejects.toThrow('401');
    await expect(RawHubClient.connect(`${url}?access_token=${ann}&access_token=${ann}`)).rejects.toThrow('401');
  });

  it('the token that the page has given wins over the cookie that its browser adds, as it does when it negotiates', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    for (const token of [bob, expired]) {
      const headers = { cookie: `${tokenCookie}=${token}` };
      const client = await RawHubClient.connect(`${url}?access_token=${ann}`, { events: false, headers });
      expect(await client.event('Connected')).toMatchObject({ user: { name: 'ann' } });
    }
  });
});

describe('a GET of chat that a cookie signs in (contract/identity.md#tokens)', () => {
  const cookie = `${tokenCookie}=${ann}`;
  const path = '/helper/chat?message=x';
  async function statusWith(headers: Record<string, string>): Promise<number> {
    const model = fakeModel({ text: 'x' });
    const { url } = await testHttp({ model });
    const referers: Readonly<Record<string, string>> = { own: `${url}/page`, 'like own': `${url}.evil.example/` };
    const referer = referers[headers['referer'] ?? ''];
    const response = await fetch(url + path, {
      headers: { ...headers, ...(referer === undefined ? {} : { referer }) },
    });
    await response.text();
    const { status } = response;
    expect(model.requests).toHaveLength(status === 200 ? 1 : 0);
    return status;
  }
  it.each<[string, Record<string, string>, number]>([
    // proves wire-1-41
    ['without any of the headers', { cookie }, 403],
    // proves wire-1-41
    ['with a Referer of this server', { cookie, referer: 'own' }, 200],
    // proves wire-1-41
    ['with a Referer of another site', { cookie, referer: 'https://evil.example/' }, 403],
    // proves wire-1-41
    ['from a page of this server', { cookie, 'sec-fetch-site': 'same-origin' }, 200],
    ['from a neighbour below the same domain', { cookie, 'sec-fetch-site': 'same-site' }, 403],
    ['from another site', { cookie, 'sec-fetch-site': 'cross-site' }, 403],
    // proves wire-1-41
    ['from a link in a mail, or typed', { cookie, 'sec-fetch-site': 'none' }, 403],
    // proves wire-1-41
    ['from a link, with a Referer of this server', { cookie, 'sec-fetch-site': 'none', referer: 'own' }, 403],
    ['with an unknown Sec-Fetch-Site', { cookie, 'sec-fetch-site': 'same-origin, none' }, 403],
    ['with a Referer that begins like this server', { cookie, referer: 'like own' }, 403],
    // proves wire-1-41
    ['of a listed website', { cookie, origin: 'https://shop.example.com', 'sec-fetch-site': 'cross-site' }, 403],
    ['with a listed Origin alone', { cookie, origin: 'https://shop.example.com' }, 403],
    ['with a foreign Origin', { cookie, origin: 'https://evil.example' }, 403],
    ['beside a token in Authorization', { cookie, ...bearer(ann) }, 200],
    ['no cookie, as programs send it', {}, 200],
  ])('%s', async (_title, headers, status) => {
    expect(await statusWith(headers)).toBe(status);
  });
});

describe('endpoints.transports (contract/identity.md#tokens)', () => {
  it.each<[string, Authorization, Record<string, string>, number]>([
    ['open: anyone', { requireAuthorization: false, roles: [] }, {}, 200],
    // proves service-5-05
    ['requireAuthorization: nobody anonymous', { requireAuthorization: true, roles: [] }, {}, 401],
    ['requireAuthorization: any user', { requireAuthorization: true, roles: [] }, bearer(bob), 200],
    ['roles: nobody anonymous', { requireAuthorization: false, roles: ['Supervisor'] }, {}, 401],
    // proves service-5-05
    ['roles: no user without', { requireAuthorization: false, roles: ['Supervisor'] }, bearer(bob), 403],
    ['roles: a user with one of them', { requireAuthorization: false, roles: ['X', 'Supervisor'] }, bearer(ann), 200],
  ])('%s', async (_title, authorization, headers, status) => {
    const admission = { ...testAdmission(), authorization };
    const { url } = await testHttp({ model: fakeModel({ text: 'x' }) }, { admission });
    const response = await fetch(`${url}/helper/chat?message=x`, { headers });
    await response.text();
    expect(response.status).toBe(status);
    const hub = await hubServer(
      { model: fakeModel({ text: 'x' }) },
      { admission: { ...testAdmission(), authorization } },
    );
    const negotiation = await fetch(`${hub.url}/negotiate`, { method: 'POST', headers });
    await negotiation.text();
    expect(negotiation.status).toBe(status);
  });
});

describe("what is a signed-in user's (contract/identity.md#whose-it-is)", () => {
  async function asked() {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const hub = await hubServer({ model, toolList: [tool] });
    const client = await RawHubClient.connect(`${hub.url}?access_token=${ann}`, { events: false });
    const { connectionId } = await client.event('Connected');
    client.call('SendMessage', 'send', 'close it');
    const { actionId, turnId } = await client.event('ConfirmationRequested');
    return {
      ...hub,
      tool,
      client,
      connectionId: String(connectionId),
      actionId: String(actionId),
      turnId: String(turnId),
    };
  }

  // proves service-7-30, wire-1-42, wire-11-02
  it('is approved by that user alone: anonymous 401, another user 403', async () => {
    const { origin, actionId, tool, client } = await asked();
    const approve = `${origin}/helper/approve`;
    const body = { actionId, approved: true };
    expect(await post(approve, body)).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await post(approve, body, bearer(bob))).toEqual({ status: 403, code: 'not_owner' });
    expect(await post(approve, { ...body, remember: true }, bearer(bob))).toEqual({ status: 403, code: 'not_owner' });
    expect(tool.runs).toHaveLength(0);
    expect(await post(approve, body, bearer(ann))).toMatchObject({ status: 200 });
    await client.event('TurnCompleted');
    expect(tool.runs).toHaveLength(1);
  });

  // proves service-7-30, wire-1-42, wire-11-02
  it('is cancelled by that user alone, by connection and by turn', async () => {
    const { origin, connectionId, turnId } = await asked();
    const cancel = `${origin}/helper/cancel`;
    for (const body of [{ connectionId }, { turnId }]) {
      expect(await post(cancel, body)).toEqual({ status: 401, code: 'unauthenticated' });
      expect(await post(cancel, body, bearer(bob))).toEqual({ status: 403, code: 'not_owner' });
    }
    expect(await post(cancel, { turnId }, bearer(ann))).toMatchObject({ status: 200 });
    expect(await post(cancel, { connectionId }, bearer(ann))).toMatchObject({ status: 200 });
  });

  // proves wire-3-63, wire-11-02
  it('is resumed on the hub by that user alone: null for all others', async () => {
    const { url, client, turnId } = await asked();
    client.socket.terminate();
    const resumed = async (query: string): Promise<unknown> => {
      const again = await RawHubClient.connect(url + query);
      again.call('Resume', 'resume', { turnId, afterSeq: 0 });
      return again.result('resume');
    };
    expect(await resumed('')).toBeNull();
    expect(await resumed(`?access_token=${bob}`)).toBeNull();
    expect(await resumed(`?access_token=${ann}`)).toMatchObject({ turnId, running: true });
  });

  // proves wire-4-40, wire-11-02
  it('is continued with Last-Event-ID by that user alone: 204 for all others', async () => {
    const { url } = await testHttp({ model: fakeModel({ text: 'Hi.' }) });
    const stream = await openSse(`${url}/helper/chat?message=x`, { headers: bearer(ann) });
    await stream.closed;
    const lastEventId = `${String(stream.headers['x-turn-id'])}:0`;
    const statusFor = async (headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${url}/helper/chat`, { headers: { ...headers, 'last-event-id': lastEventId } });
      await response.text();
      return response.status;
    };
    expect([await statusFor({}), await statusFor(bearer(bob)), await statusFor(bearer(ann))]).toEqual([204, 204, 200]);
  });

  // proves wire-1-43, wire-11-02
  it('that was anonymous is not a user’s: 403, and null', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const { url, origin } = await hubServer({ model, toolList: [tool] });
    const client = await RawHubClient.connect(url, { events: false });
    const { connectionId } = await client.event('Connected');
    client.call('SendMessage', 'send', 'close it');
    const { actionId, turnId } = await client.event('ConfirmationRequested');
    const refused = { status: 403, code: 'not_owner' };
    expect(await post(`${origin}/helper/approve`, { actionId, approved: true }, bearer(ann))).toEqual(refused);
    expect(await post(`${origin}/helper/cancel`, { connectionId }, bearer(ann))).toEqual(refused);
    expect(await post(`${origin}/helper/cancel`, { turnId }, bearer(ann))).toEqual(refused);
    expect(await post(`${origin}/helper/approve`, { actionId, approved: true })).toMatchObject({ status: 200 });
  });

  // proves wire-1-44, wire-11-02
  it('over SSE is cancelled by that user alone, while whoever holds its actionId may answer', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const { url } = await testHttp({ model, toolList: [tool] });
    const stream = await openSse(`${url}/helper/chat?message=x`, { headers: bearer(ann) });
    const actionId = String((await stream.next('confirmation')).data?.['actionId']);
    const turnId = String(stream.headers['x-turn-id']);
    expect(await post(`${url}/helper/cancel`, { turnId })).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await post(`${url}/helper/cancel`, { turnId }, bearer(bob))).toEqual({ status: 403, code: 'not_owner' });
    expect(await post(`${url}/helper/approve`, { actionId, approved: true }, bearer(bob))).toMatchObject({
      status: 200,
    });
    await stream.closed;
    expect(tool.runs).toHaveLength(1);
  });
});

describe('roles (contract/identity.md#roles)', () => {
  it.each<[string, Record<string, string>, number]>([
    ['an anonymous caller is refused', {}, 0],
    ['a user without the role is refused', bearer(bob), 0],
    ['a user with the role may', bearer(ann), 1],
  ])('%s, and the model is told', async (_title, headers, runs) => {
    const tool = fakeTool({ readOnly: true, requiredRoles: ['Supervisor'] });
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'ok' });
    const { url } = await testHttp({ model, toolList: [tool] });
    const stream = await openSse(`${url}/helper/chat?message=x`, { headers });
    await stream.closed;
    expect(tool.runs).toHaveLength(runs);
    const told = model.requests[1]?.messages.at(-1)?.text;
    expect(told).toContain(runs === 1 ? '[succeeded]' : '[refused] This action, “Close a case”');
  });

  // proves service-5-10
  it('are checked again when a confirmed action runs: a role taken back meanwhile refuses it', async () => {
    const tool = fakeTool({ requiredRoles: ['Agent'] });
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 1 })] }, { text: 'ok' });
    const roles = ['Agent'];
    const admission = testAdmission([async () => ({ roles: [...roles], claims: {} })]);
    const { url, origin, journal } = await hubServer({ model, toolList: [tool] }, { admission });
    const client = await RawHubClient.connect(`${url}?access_token=${bob}`);
    client.call('SendMessage', 'send', 'close it');
    const { actionId } = await client.event('ConfirmationRequested');
    roles.length = 0;
    expect(await post(`${origin}/helper/approve`, { actionId, approved: true }, bearer(bob))).toMatchObject({
      status: 200,
    });
    expect(await client.event('ActionCompleted')).toMatchObject({ status: 'refused' });
    await client.event('TurnCompleted');
    expect(tool.runs).toHaveLength(0);
    expect(await journal.find(String(actionId))).toMatchObject({ state: 'done', outcome: 'refused' });
  });
});

describe('an action that was approved (contract/identity.md#roles)', () => {
  it('sees its user with the roles of the answer, not of the message', async () => {
    const seen: (readonly string[])[] = [];
    const tool = fakeTool({
      execute: (_arguments, { user }) => {
        seen.push(user.roles);
        return { value: 1 };
      },
    });
    const roles = ['Agent', 'Admin'];
    const admission = testAdmission([async () => ({ roles: [...roles], claims: {} })]);
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 1 })] }, { text: 'ok' });
    const { url, origin } = await hubServer({ model, toolList: [tool] }, { admission });
    const client = await RawHubClient.connect(`${url}?access_token=${bob}`);
    client.call('SendMessage', 'send', 'close it');
    const { actionId } = await client.event('ConfirmationRequested');
    roles.pop();
    await post(`${origin}/helper/approve`, { actionId, approved: true }, bearer(bob));
    await client.event('TurnCompleted');
    expect(seen).toEqual([['Agent']]);
  });
});

describe('a hub connection (contract/hub.md)', () => {
  // proves wire-3-61
  it('is closed with allowReconnect when its token expires', async () => {
    const soon = await makeToken({ sub: 'ann' }, { expiresAt: Math.floor(Date.now() / 1000) + 2 });
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const client = await RawHubClient.connect(`${url}?access_token=${soon}`);
    expect(await client.next((message) => message['type'] === 7)).toMatchObject({ allowReconnect: true });
  });

  it('has the roles of the token it was last refreshed with', async () => {
    const tool = fakeTool({ readOnly: true, requiredRoles: ['Supervisor'] });
    const asks = { toolCalls: [call('close_case')] };
    const { url } = await hubServer({ model: fakeModel(asks, {}, asks, {}), toolList: [tool] });
    const plain = await makeToken({ sub: 'ann' });
    const negotiated = await fetch(`${url}/negotiate?negotiateVersion=1`, { method: 'POST', headers: bearer(plain) });
    const { connectionToken } = (await negotiated.json()) as { readonly connectionToken: string };
    const client = await RawHubClient.connect(`${url}?id=${connectionToken}&access_token=${plain}`);
    client.call('SendMessage', '1', 'close it');
    await client.result('1');
    expect(tool.runs).toHaveLength(0);
    const refreshed = await fetch(`${url}/refresh?id=${connectionToken}`, { method: 'POST', headers: bearer(ann) });
    expect(refreshed.status).toBe(200);
    client.call('SendMessage', '2', 'close it');
    await client.result('2');
    expect(tool.runs).toHaveLength(1);
  });

  it('is not refreshed for another website, which is told so like everywhere else (contract/doors.md)', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const foreign = { ...bearer(ann), origin: 'https://evil.example' };
    const refused = await fetch(`${url}/refresh?id=x`, { method: 'POST', headers: foreign });
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'forbidden' })]);
    const invalid = await fetch(`${url}/refresh?id=x`, { method: 'POST', headers: bearer(expired) });
    expect([invalid.status, await invalid.json()]).toEqual([401, expect.objectContaining({ error: 'invalid_token' })]);
  });

  // proves wire-3-62
  it('counts with all others of its user, wherever they come from', async () => {
    const connectionRoom = new CallerRoom({ perUser: 1, perAddress: 2 });
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) }, { connectionRoom });
    await RawHubClient.connect(`${url}?access_token=${ann}`);
    await expect(RawHubClient.connect(`${url}?access_token=${ann}`)).rejects.toThrow('429');
    await RawHubClient.connect(`${url}?access_token=${bob}`);
    await RawHubClient.connect(url);
  });
});

describe('a client that leaves while it is found out who it is', () => {
  it('takes no place, and leaves no turn behind', async () => {
    const asked = Promise.withResolvers<undefined>();
    const known = Promise.withResolvers<undefined>();
    const admission = testAdmission([
      async () => {
        asked.resolve(undefined);
        await known.promise;
        return { roles: [], claims: {} };
      },
    ]);
    const { url, assistant } = await testHttp({ model: fakeModel({ text: 'Hi.' }) }, { admission, maxStreams: 1 });
    const leaving = new AbortController();
    const gone = fetch(`${url}/helper/chat?message=hi`, { headers: bearer(ann), signal: leaving.signal });
    await asked.promise;
    leaving.abort();
    await expect(gone).rejects.toThrow();
    // The server has seen the end of that connection once it has answered another request.
    await (await fetch(`${url}/helper/chat`)).text();
    known.resolve(undefined);
    const answer = await openSse(`${url}/helper/chat?message=hi`);
    expect(answer.status).toBe(200);
    await answer.next('end');
    expect(assistant.runningTurns).toBe(0);
  });
});

describe('CORS and tokens (contract/addresses.md#requests)', () => {
  // proves service-5-01
  it('CORS comes first: a preflight needs no token, and a page may read that its token was refused', async () => {
    const origin = 'https://shop.example.com';
    const { url } = await realServer({
      HELPER__CORS__DEFAULT__ORIGINS: `[${origin}]`,
      HELPER__AUTH__JWT: `{ secret: "${tokenSecret}" }`,
      HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
    });
    const chat = `${url}/helper/chat?message=x`;
    const preflight = await fetch(chat, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const refused = await fetch(chat, { headers: { origin, ...bearer(expired) } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
    await refused.body?.cancel();
    const foreign = await fetch(chat, { headers: { origin: 'https://evil.example', ...bearer(ann) } });
    // A website that is not listed is refused for every user.
    expect(foreign.status).toBe(403);
    await foreign.body?.cancel();
  });
});
