import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import type { Stores } from '../../src/adapters/stores/stores.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { hubServer } from '../support/hub-server.ts';
import { memoryStores } from '../support/memory-stores.ts';
import { openSse } from '../support/sse-client.ts';
import type { TestAssistantOptions } from '../support/test-assistant.ts';
import { testHttp } from '../support/test-http.ts';
import { makeToken } from '../support/tokens.ts';

const [ann, bob] = [await makeToken({ sub: 'ann' }), await makeToken({ sub: 'bob' })];
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function answerOf(response: Response) {
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body: Object.fromEntries(Object.entries(body ?? {})) };
}

async function send(url: string, body: object, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return answerOf(await fetch(url, { ...init, body: JSON.stringify(body) }));
}

async function look(url: string, actionId: string, headers: Record<string, string> = {}) {
  return answerOf(await fetch(`${url}/helper/approve?${new URLSearchParams({ actionId }).toString()}`, { headers }));
}

/** A question over server-sent events. */
async function asked(options: Partial<TestAssistantOptions> & { readonly execute?: Execute } = {}) {
  const { execute, ...others } = options;
  const tool = fakeTool(execute === undefined ? {} : { execute });
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
  const test = await testHttp({ model, toolList: [tool], ...others });
  const stream = await openSse(`${test.url}/helper/chat?message=close`);
  const actionId = String((await stream.next('confirmation')).data?.['actionId']);
  const approve = `${test.url}/helper/approve`;
  return { ...test, tool, stream, actionId, approve, turnId: String(stream.headers['x-turn-id']) };
}

type Execute = NonNullable<Parameters<typeof fakeTool>[0]>['execute'];
type Kept = Pick<Stores, 'journal' | 'turns'>;

async function embedded(): Promise<Kept> {
  const path = mkdtempSync(join(tmpdir(), 'helper-state-'));
  const stores = await openStores({ type: 'embedded', path });
  onTestFinished(async () => {
    await stores.journal.close();
    rmSync(path, { recursive: true, force: true });
  });
  return stores;
}

describe.each([
  ['memory', 'Blocking', () => Promise.resolve<Kept>(memoryStores())],
  ['memory', 'Native', () => Promise.resolve<Kept>(memoryStores())],
  ['embedded', 'Blocking', embedded],
  ['embedded', 'Native', embedded],
] as const)(
  'GET /helper/approve with %s storage, %s (contract/confirmations.md#how-a-question-stands)',
  (_storage, hitlMode, open) => {
    const kept = async (): Promise<Kept & { readonly hitlMode: typeof hitlMode }> => {
      const { journal, turns } = await open();
      return { journal, turns, hitlMode };
    };

    // proves wire-5-50
    it('tells that a question is open, that it was approved, and what its action came to once it has ended', async () => {
      const release = Promise.withResolvers<undefined>();
      const execute = (): Promise<{ value: number }> => release.promise.then(() => ({ value: 1 }));
      const { url, approve, actionId, stream } = await asked({ ...(await kept()), execute });
      expect(await look(url, actionId)).toMatchObject({ status: 200, body: { actionId, outcome: 'open' } });
      await send(approve, { actionId, approved: true });
      expect((await look(url, actionId)).body).toEqual({ actionId, outcome: 'approved' });
      release.resolve(undefined);
      await stream.closed;
      const { body, headers } = await look(url, actionId);
      const at = expect.stringMatching(rfc3339) as string; // a matcher
      expect(body).toEqual({ actionId, outcome: 'approved', action: { status: 'succeeded', at } });
      expect(headers.get('cache-control')).toBe('no-store');
    });

    // proves wire-5-50
    it('tells of an action that failed', async () => {
      const execute = (): never => {
        throw new Error('no such case');
      };
      const { url, approve, actionId, stream } = await asked({ ...(await kept()), execute });
      await send(approve, { actionId, approved: true });
      await stream.closed;
      expect((await look(url, actionId)).body).toMatchObject({ outcome: 'approved', action: { status: 'failed' } });
    });

    // proves wire-5-50
    it('tells a decline, a Stop and an expiry apart', async () => {
      const declined = await asked(await kept());
      await send(declined.approve, { actionId: declined.actionId, approved: false });
      expect((await look(declined.url, declined.actionId)).body).toEqual({
        actionId: declined.actionId,
        outcome: 'declined',
      });
      const stopped = await asked(await kept());
      await send(`${stopped.url}/helper/cancel`, { turnId: stopped.turnId });
      await stopped.stream.closed;
      expect((await look(stopped.url, stopped.actionId)).body).toEqual({
        actionId: stopped.actionId,
        outcome: 'cancelled',
      });
      const expired = await asked({ ...(await kept()), confirmationTimeoutMs: 30 });
      await expired.stream.closed;
      expect((await look(expired.url, expired.actionId)).body).toEqual({
        actionId: expired.actionId,
        outcome: 'expired',
      });
    });

    // proves wire-5-52
    it('an approve that comes again is 404, and its problem document tells what became of the question', async () => {
      const release = Promise.withResolvers<undefined>();
      const execute = (): Promise<{ value: number }> => release.promise.then(() => ({ value: 1 }));
      const { approve, actionId, stream, tool } = await asked({ ...(await kept()), execute });
      await send(approve, { actionId, approved: true });
      const during = await send(approve, { actionId, approved: true });
      expect(during).toMatchObject({ status: 404, body: { code: 'nothing_to_answer', outcome: 'approved' } });
      expect(during.body).not.toHaveProperty('action');
      expect(during.headers.get('content-type')).toBe('application/problem+json');
      release.resolve(undefined);
      await stream.closed;
      const after = await send(approve, { actionId, approved: false });
      const at = expect.stringMatching(rfc3339) as string; // a matcher
      expect(after).toMatchObject({ status: 404, body: { outcome: 'approved', action: { status: 'succeeded', at } } });
      expect(tool.runs).toHaveLength(1);
    });

    // proves wire-5-53
    it('is 503 storage_unavailable while the journal cannot be read', async () => {
      const stores = await kept();
      const { url, actionId } = await asked(stores);
      const find = stores.journal.find.bind(stores.journal);
      stores.journal.find = () => Promise.reject(new Error('disk I/O error'));
      const away = await look(url, actionId);
      expect(away).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
      expect(away.headers.get('retry-after')).toBe('1');
      expect(away.body['detail']).not.toContain('disk');
      stores.journal.find = find;
      expect(await look(url, actionId)).toMatchObject({ status: 200, body: { outcome: 'open' } });
    });

    // proves wire-5-53
    it('an approval that cannot be stored is 503, runs nothing, and may be given again', async () => {
      const stores = await kept();
      const { approve, actionId, stream, tool, url } = await asked(stores);
      const answered = stores.journal.answered.bind(stores.journal);
      stores.journal.answered = () => Promise.reject(new Error('disk I/O error'));
      const away = await send(approve, { actionId, approved: true });
      expect(away).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
      expect(tool.runs).toHaveLength(0);
      expect((await look(url, actionId)).body).toEqual({ actionId, outcome: 'open' });
      stores.journal.answered = answered;
      expect(await send(approve, { actionId, approved: true })).toMatchObject({ status: 200 });
      await stream.closed;
      expect(tool.runs).toHaveLength(1);
    });

    // proves wire-5-53
    it('a decline that cannot be stored is 503, closes the question at once, and holds when storage is back', async () => {
      const stores = await kept();
      const { approve, actionId, stream, tool, url } = await asked(stores);
      const answered = stores.journal.answered.bind(stores.journal);
      stores.journal.answered = () => Promise.reject(new Error('disk I/O error'));
      const away = await send(approve, { actionId, approved: false });
      expect(away).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
      expect(await send(approve, { actionId, approved: true })).toMatchObject({ status: 404 });
      stores.journal.answered = answered;
      await stream.closed;
      expect(tool.runs).toHaveLength(0);
      expect((await look(url, actionId)).body).toEqual({ actionId, outcome: 'declined' });
    });
  },
);

describe('who may know how a confirmation stands (contract/addresses.md#requests and contract/confirmations.md#how-a-question-stands)', () => {
  async function askedOnHub(query = '') {
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const hub = await hubServer({ model, toolList: [fakeTool()] });
    const client = await RawHubClient.connect(hub.url + query, { events: false });
    await client.event('Connected');
    client.call('SendMessage', 'send', 'close it');
    const { actionId } = await client.event('ConfirmationRequested');
    return { ...hub, client, actionId: String(actionId) };
  }

  // proves wire-5-51
  it('one of a signed-in user is told to that user alone: anonymous 401, another user 403', async () => {
    const { origin, actionId, client } = await askedOnHub(`?access_token=${ann}`);
    const expectStates = async (outcome: string): Promise<void> => {
      expect(await look(origin, actionId)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(await look(origin, actionId, bearer(bob))).toMatchObject({ status: 403, body: { code: 'not_owner' } });
      expect(await look(origin, actionId, bearer(ann))).toMatchObject({ status: 200, body: { outcome } });
    };
    await expectStates('open');
    await send(`${origin}/helper/approve`, { actionId, approved: true }, bearer(ann));
    await client.event('TurnCompleted');
    await expectStates('approved');
  });

  // proves wire-5-52
  it('who may not know is not told by an approve that comes again', async () => {
    const { origin, actionId, client } = await askedOnHub(`?access_token=${ann}`);
    const approve = `${origin}/helper/approve`;
    await send(approve, { actionId, approved: true }, bearer(ann));
    await client.event('TurnCompleted');
    const again = { actionId, approved: true };
    expect((await send(approve, again, bearer(ann))).body).toMatchObject({ outcome: 'approved' });
    for (const headers of [{}, bearer(bob)]) {
      const { status, body } = await send(approve, again, headers);
      expect({ status, code: body['code'] }).toEqual({ status: 404, code: 'nothing_to_answer' });
      expect(body).not.toHaveProperty('outcome');
      expect(body).not.toHaveProperty('action');
    }
  });

  // proves wire-5-51
  it('one of an anonymous connection is told to anonymous callers who hold its id, and to no user', async () => {
    const { origin, actionId } = await askedOnHub();
    expect(await look(origin, actionId)).toMatchObject({ status: 200, body: { outcome: 'open' } });
    expect(await look(origin, actionId, bearer(ann))).toMatchObject({ status: 403, body: { code: 'not_owner' } });
  });

  // proves wire-5-51
  it('one raised over SSE is told to whoever holds its actionId', async () => {
    const { url, actionId } = await asked();
    for (const headers of [{}, bearer(ann), bearer(bob)]) {
      expect(await look(url, actionId, headers)).toMatchObject({ status: 200, body: { outcome: 'open' } });
    }
  });

  // proves wire-5-51
  it('an unknown actionId is 404 for anyone', async () => {
    const { url } = await testHttp({ model: fakeModel() });
    for (const headers of [{}, bearer(ann)]) {
      const answer = await look(url, 'AAAAAAAAAAAAAAAAAAAAAA', headers);
      expect(answer).toMatchObject({ status: 404, body: { code: 'nothing_to_answer' } });
    }
  });

  it.each([
    // proves wire-5-51
    ['no query', '', 400, 'invalid_request', {}],
    // proves wire-5-51
    ['two ids', '?actionId=a&actionId=b', 400, 'invalid_request', {}],
    // proves wire-5-51
    ['a token that is not valid', '?actionId=a', 401, 'unauthenticated', bearer('x')],
    // proves wire-5-51
    ['a website that is not listed', '?actionId=a', 403, 'forbidden', { origin: 'https://evil.example' }],
  ] as const)('%s tells nothing', async (_title, query, status, code, headers) => {
    const { url } = await testHttp({ model: fakeModel() });
    const answer = await answerOf(await fetch(`${url}/helper/approve${query}`, { headers }));
    expect(answer).toMatchObject({ status, body: { code } });
  });
});
