import { describe, expect, it } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { bearer, loggedServer, post, securityLines, statusOf, tokenOf } from '../support/logged-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret, unsignedToken } from '../support/tokens.ts';

const now = Math.floor(Date.now() / 1000);

/** A turn over server-sent events that waits for its user. */
async function asking(url: string, headers: Readonly<Record<string, string>> = {}) {
  const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel order 1001' }, headers });
  const { data } = await chat.next('confirmation');
  return { chat, turnId: String(data?.['turnId']), actionId: String(data?.['actionId']) };
}

/** A turn on a hub connection that waits for its user. */
async function askingOnHub(url: string, token?: string) {
  const query = token === undefined ? '' : `?access_token=${token}`;
  const client = await RawHubClient.connect(`${url}/helper-hub${query}`, { events: false });
  const { connectionId } = await client.event('Connected');
  client.call('SendMessage', 'send', 'Cancel order 1001');
  const { turnId, actionId } = await client.event('ConfirmationRequested');
  return { client, connectionId: String(connectionId), turnId: String(turnId), actionId: String(actionId) };
}

const warning = 'warn';
const information = 'info';
const anAddress = expect.stringMatching(/^address:[A-Za-z0-9_-]{22}$/) as string;

describe('the security log: a credential that is refused (contract/operations.md#logs)', () => {
  // proves wire-6-39, wire-6-50
  it('is one warning with its reason, its door and its request, and never the token', async () => {
    const { url, nextLine, printed, counted } = await loggedServer();
    const tokens: readonly (readonly [string, string])[] = [
      ['signature', await makeToken({ sub: 'ann', aud: 'desk' }, { key: `${tokenSecret}!` })],
      ['expired', await makeToken({ sub: 'ann', aud: 'desk' }, { expiresAt: now - 1000 })],
      ['audience', await makeToken({ sub: 'ann', aud: 'shop' })],
      ['not_yet_valid', await tokenOf('ann', { nbf: now + 1000 })],
      ['claims', await makeToken({ sub: 'ann', aud: 'desk' }, { expiresAt: null })],
      ['algorithm', unsignedToken({ sub: 'ann', aud: 'desk', exp: now + 60 })],
      ['malformed', 'not.a.token'],
    ];
    for (const [reason, token] of tokens) {
      const headers = { ...bearer(token), 'x-request-id': `request-${reason}` };
      expect(await statusOf(`${url}/helper/chat?message=my-words`, { headers })).toBe(401);
      expect(await nextLine()).toMatchObject({
        level: warning,
        what: 'authentication_failed',
        reason,
        who: anAddress,
        request: 'GET /helper/chat',
        requestId: `request-${reason}`,
      });
      expect(await counted('authentication_failed', reason)).toBe(1);
      expect(printed()).not.toContain(token);
    }
    expect(printed()).not.toContain('my-words');
  });

  // proves wire-6-50
  it('is told of every door: approve, the hub and its refresh', async () => {
    const { url, nextLine, printed } = await loggedServer();
    const forged = await makeToken({ sub: 'ann' }, { key: `${tokenSecret}!` });
    expect(await post(`${url}/helper/approve`, { actionId: 'x', approved: true }, bearer(forged))).toBe(401);
    expect(await nextLine()).toMatchObject({ request: 'POST /helper/approve', reason: 'signature' });
    await expect(RawHubClient.connect(`${url}/helper-hub?access_token=${forged}`)).rejects.toThrow();
    expect(await nextLine()).toMatchObject({ request: 'GET /helper-hub', reason: 'signature' });
    expect(await post(`${url}/helper-hub/refresh?id=x`, {}, bearer(forged))).toBe(401);
    expect(await nextLine()).toMatchObject({ request: 'POST /helper-hub/refresh', reason: 'signature' });
    expect(printed()).not.toContain(forged);
  });

  // proves wire-6-50
  it('that is missing where one is needed is no warning, and a user without the role is named', async () => {
    const { url, nextLine, counted } = await loggedServer({ HELPER__ENDPOINTS__TRANSPORTS: '{ roles: [Staff] }' });
    expect(await statusOf(`${url}/helper/chat?message=x`)).toBe(401);
    expect(await nextLine()).toMatchObject({ level: information, what: 'authentication_failed', reason: 'missing' });
    expect(await statusOf(`${url}/helper/chat?message=x`, { headers: bearer(await tokenOf('ann')) })).toBe(403);
    expect(await nextLine()).toMatchObject({ level: warning, what: 'entry_refused', reason: 'role', who: 'id:ann' });
    expect(await counted('entry_refused', 'role')).toBe(1);
  });

  // proves service-5-58
  it('that names neither a user nor a client is told apart from none, and keeps its roles', async () => {
    const { url, nextLine } = await loggedServer({ HELPER__ENDPOINTS__TRANSPORTS: '{ roles: [Staff] }' });
    const nameless = async (role: string): Promise<{ headers: Record<string, string> }> => ({
      headers: bearer(await makeToken({ aud: 'desk', role })),
    });
    const refused = await fetch(`${url}/helper/chat?message=x`, await nameless('Guest'));
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('The token is valid, but names neither a user nor a client.');
    expect(await nextLine()).toMatchObject({ level: warning, what: 'authentication_failed', reason: 'no_user' });
    expect(await statusOf(`${url}/helper/chat?message=x`, await nameless('Staff'))).toBe(200);
    const service = await makeToken({ aud: 'desk', role: 'Guest', client_id: 'sync' });
    expect(await statusOf(`${url}/helper/chat?message=x`, { headers: bearer(service) })).toBe(403);
    expect(await nextLine()).toMatchObject({ what: 'entry_refused', reason: 'role', who: 'client:sync' });
  });

  it.each([
    ['on server.port', {}],
    ['on a port of its own', { HELPER__ENDPOINTS__METRICS__PORT: '0' }],
  ])('is told of the metrics %s', async (_title, overrides: Readonly<Record<string, string>>) => {
    const token = { HELPER__ENDPOINTS__METRICS__TOKEN: 'scraper-secret' };
    const { metricsUrl, nextLine, printed } = await loggedServer({ ...token, ...overrides });
    expect(await statusOf(`${metricsUrl}/metrics`, { headers: bearer('guessed-secret') })).toBe(401);
    expect(await nextLine()).toMatchObject({ request: 'GET /metrics', reason: 'wrong_token', who: anAddress });
    expect(await statusOf(`${metricsUrl}/metrics`)).toBe(401);
    expect(await nextLine()).toMatchObject({ level: information, request: 'GET /metrics', reason: 'missing' });
    expect(printed()).not.toContain('guessed-secret');
  });
});

describe('the security log: a request that is refused before anything else (contract/doors.md)', () => {
  // proves wire-6-50
  it('is one line of information for another website and a request too many', async () => {
    const { url, nextLine, printed, counted } = await loggedServer({
      HELPER__ENDPOINTS__TRANSPORTS: '{ rateLimit: { max: 1, window: 1m } }',
    });
    const chat = `${url}/helper/chat?message=my-words`;
    const usual = { level: information, who: anAddress, request: 'GET /helper/chat' };
    expect(await statusOf(chat, { headers: { origin: 'https://evil.example' } })).toBe(403);
    expect(await nextLine()).toMatchObject({ ...usual, what: 'origin_refused', reason: 'origin' });
    expect(await statusOf(chat)).toBe(200);
    expect(await statusOf(chat)).toBe(429);
    expect(await nextLine()).toMatchObject({ ...usual, what: 'rate_limited', reason: 'request_rate' });
    expect(await counted('rate_limited', 'request_rate')).toBe(1);
    expect(printed()).not.toContain('my-words');
  });
});

describe('the security log: an approval or a decline (contract/confirmations.md)', () => {
  // proves wire-6-52
  it('over server-sent events without a user names the turn, the call and the hash of the address', async () => {
    const { url, nextLine, printed, counted } = await loggedServer();
    const first = await asking(url);
    const approval = { actionId: first.actionId, approved: true, presenter: 'id:forged', requestId: 'forged' };
    expect(await post(`${url}/helper/approve`, approval, { 'x-request-id': 'the-answer' })).toBe(200);
    const approved = await nextLine();
    expect(approved).toMatchObject({
      level: information,
      what: 'approved',
      reason: 'user',
      who: anAddress,
      action: 'cancel_order',
      actionId: first.actionId,
      turnId: first.turnId,
      requestId: 'the-answer',
    });
    await first.chat.next('end');
    const second = await asking(url);
    expect(await post(`${url}/helper/approve`, { actionId: second.actionId, approved: false })).toBe(200);
    // The same address has the same name as long as the process lives.
    expect(await nextLine()).toMatchObject({ what: 'declined', who: approved['who'], actionId: second.actionId });
    expect(await counted('approved', 'user')).toBe(1);
    expect(await counted('declined', 'user')).toBe(1);
    expect(JSON.stringify(securityLines(printed()))).not.toContain('127.0.0.1');
    expect(printed()).not.toMatch(/orderNumber|Cancel order/);
  });

  // proves wire-6-52
  it('is told by its user key where a user presents it, whoever’s turn it is', async () => {
    const { url, nextLine } = await loggedServer();
    const { actionId, chat } = await asking(url, bearer(await tokenOf('ann')));
    const bobs = bearer(await tokenOf('bob'));
    expect(await post(`${url}/helper/approve`, { actionId, approved: true }, bobs)).toBe(200);
    expect(await nextLine()).toMatchObject({ what: 'approved', who: 'id:bob', actionId });
    await chat.next('end');
  });

  it.each([
    // proves wire-6-52
    ['expired', 'system', { HELPER__CONFIRMATIONTIMEOUT: '1s' }],
    // proves wire-6-52
    ['cancelled', 'user', {}],
  ])('that never comes is told as %s, by whom, and without its values', async (what, reason, overrides) => {
    const { url, nextLine, printed, counted } = await loggedServer(overrides);
    const ann = bearer(await tokenOf('ann'));
    const { chat, turnId, actionId } = await asking(url, ann);
    if (what === 'cancelled') expect(await post(`${url}/helper/cancel`, { turnId }, ann)).toBeLessThan(300);
    const ended = { level: information, what, reason, who: 'id:ann', action: 'cancel_order', actionId, turnId };
    expect(await nextLine()).toMatchObject(ended);
    await chat.next('end');
    expect(await counted(what, reason)).toBe(1);
    expect(printed()).not.toMatch(/orderNumber|Cancel order/);
  });

  it('that never comes of someone not signed in is told without the id of the connection', async () => {
    const { url, nextLine, printed } = await loggedServer({ HELPER__CONFIRMATIONTIMEOUT: '1s' });
    const { client, connectionId, actionId } = await askingOnHub(url);
    expect(await nextLine()).toMatchObject({ what: 'expired', who: 'anonymous', actionId });
    expect(printed()).not.toContain(connectionId);
    client.socket.terminate();
  });

  // proves wire-6-52
  it('by a rule is told of the user in whose place the rule stands', async () => {
    const { url, nextLine, counted } = await loggedServer({
      HELPER__HITLMODE: 'Native',
      HELPER__AUTOAPPROVALRULES: '[{ tool: change_address }]',
    });
    const chat = await openSse(`${url}/helper/chat`, {
      // A rule cannot approve an action that cannot be undone.
      body: { message: 'Change the address of order 1005 to 2 Canal Side, Glasgow G4 9XA' },
      headers: bearer(await tokenOf('ann')),
    });
    await chat.next('end');
    expect(await nextLine()).toMatchObject({
      what: 'approved',
      reason: 'rule',
      who: 'id:ann',
      action: 'change_address',
    });
    expect(await counted('approved', 'rule')).toBe(1);
  });

  it('that answers nothing, or what was answered before, is no line', async () => {
    const { url, nextLine } = await loggedServer();
    const { actionId, chat } = await asking(url);
    expect(await post(`${url}/helper/approve`, { actionId: 'unknown', approved: true })).toBe(404);
    expect(await post(`${url}/helper/approve`, { actionId, approved: true })).toBe(200);
    expect(await post(`${url}/helper/approve`, { actionId, approved: true })).toBe(404);
    await chat.next('end');
    expect(await statusOf(`${url}/helper/chat?message=x`, { headers: bearer('forged') })).toBe(401);
    expect(await nextLine()).toMatchObject({ what: 'approved', actionId });
    expect(await nextLine()).toMatchObject({ what: 'authentication_failed' });
  });
});

describe('the security log: what is another’s (contract/operations.md#logs)', () => {
  // proves wire-6-50
  it('is a warning for approve, cancel, session and Resume, with who asked and for what', async () => {
    const { url, nextLine, counted } = await loggedServer();
    const [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')];
    const { client, connectionId, turnId, actionId } = await askingOnHub(url, ann);
    const bobs = { level: warning, who: 'id:bob', reason: 'not_owner' };
    const approval = { actionId, approved: true };

    expect(await post(`${url}/helper/approve`, approval, bearer(bob))).toBe(403);
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'approve_refused', actionId });
    expect(await post(`${url}/helper/approve`, approval)).toBe(401);
    expect(await nextLine()).toMatchObject({
      what: 'approve_refused',
      reason: 'unauthenticated',
      who: anAddress,
      actionId,
    });
    expect(await post(`${url}/helper/cancel`, { turnId }, bearer(bob))).toBe(403);
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'cancel_refused', turnId });
    expect(await post(`${url}/helper/cancel`, { connectionId }, bearer(bob))).toBe(403);
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'cancel_refused', session: connectionId });

    const session = `${url}/helper/session?connectionId=${connectionId}`;
    expect(await statusOf(session, { headers: bearer(bob) })).toBe(403);
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'session_refused', session: connectionId });
    expect(await post(session, { snapshot: 'hs1.x' }, bearer(bob))).toBe(403);
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'session_refused', request: 'POST /helper/session' });

    const other = await RawHubClient.connect(`${url}/helper-hub?access_token=${bob}`);
    other.call('Resume', 'resume', { turnId, afterSeq: 0 });
    expect(await other.result('resume')).toBeNull();
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'resume_refused', turnId });
    const lastEvent = { ...bearer(bob), 'last-event-id': `${turnId}:1` };
    expect(await statusOf(`${url}/helper/chat`, { headers: lastEvent })).toBe(204);
    expect(await nextLine()).toMatchObject({ ...bobs, what: 'resume_refused', turnId });

    expect(await post(`${url}/helper/approve`, approval, bearer(ann))).toBe(200);
    expect(await nextLine()).toMatchObject({ level: information, what: 'approved', who: 'id:ann', actionId, turnId });
    expect(await counted('resume_refused', 'not_owner')).toBe(2);
    client.socket.terminate();
    other.socket.terminate();
  });

  // proves wire-1-22
  it('never shows the id of an anonymous connection, which opens it', async () => {
    const { url, nextLine, printed } = await loggedServer();
    const { client, connectionId } = await askingOnHub(url);
    const session = `${url}/helper/session?connectionId=${connectionId}`;
    expect(await statusOf(session, { headers: bearer(await tokenOf('ann')) })).toBe(403);
    expect(await nextLine()).toMatchObject({
      what: 'session_refused',
      who: 'id:ann',
      session: expect.stringMatching(/^anonymous:[A-Za-z0-9_-]{22}$/) as string,
    });
    expect(printed()).not.toContain(connectionId);
    client.socket.terminate();
  });
});
