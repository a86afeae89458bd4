import { describe, expect, it } from 'vitest';
import { InMemoryConfirmationJournal } from '../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { InMemoryTurnStore } from '../../src/adapters/stores/in-memory/in-memory-turn-store.ts';
import { openTurn } from '../../src/core/record/opened-turn.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { openSse } from '../support/sse-client.ts';
import type { TestAssistantOptions } from '../support/test-assistant.ts';
import { testRecordSealer } from '../support/test-sealer.ts';
import { testHttp } from '../support/test-http.ts';

const ask = '/helper/chat?message=close%20it';

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: Object.fromEntries(Object.entries(answer ?? {})), headers: response.headers };
}

async function asked(options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool();
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
  const test = await testHttp({ model, toolList: [tool], ...options });
  const stream = await openSse(test.url + ask);
  const { data } = await stream.next('confirmation');
  return { ...test, tool, stream, approve: `${test.url}/helper/approve`, actionId: String(data?.['actionId']) };
}

/** The text of `levels` nested lists. */
function nestedText(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function nested(levels: number): unknown {
  return JSON.parse(nestedText(levels));
}

describe('POST /helper/approve (contract/confirmations.md)', () => {
  // proves service-1-02, service-4.2-03, wire-5-01
  it('answers 200 at once, before the action has run to its end', async () => {
    const release = Promise.withResolvers<undefined>();
    const tool = fakeTool({ execute: () => release.promise.then(() => ({ value: 1 })) });
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'Done.' });
    const { url } = await testHttp({ model, toolList: [tool] });
    const stream = await openSse(url + ask);
    const actionId = String((await stream.next('confirmation')).data?.['actionId']);
    const answer = await post(`${url}/helper/approve`, { actionId, approved: true });
    expect(answer).toMatchObject({ status: 200, body: { actionId, outcome: 'approved' } });
    expect(stream.text()).toBe('');
    release.resolve(undefined);
    await stream.closed;
    expect(stream.text()).toBe('Done.');
  });

  // proves wire-5-01
  it('declines: nothing runs and the turn goes on', async () => {
    const { approve, actionId, tool, stream } = await asked();
    expect(await post(approve, { actionId, approved: false })).toMatchObject({
      body: { actionId, outcome: 'declined' },
    });
    await stream.closed;
    expect(tool.runs).toHaveLength(0);
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'completed' });
  });

  // proves service-3-06, service-7-01, wire-5-05, wire-5-18
  it('answers 404 nothing_to_answer to the second of two answers', async () => {
    const { approve, actionId, tool, stream } = await asked();
    const answers = await Promise.all([1, 2, 3].map(() => post(approve, { actionId, approved: true })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    await stream.closed;
    expect(tool.runs).toHaveLength(1);
  });

  it.each([
    // proves wire-5-08
    ['approved is not a boolean', (actionId: string) => ({ actionId, approved: 'true' }), 400],
    // proves wire-5-08
    ['approved is 1', (actionId: string) => ({ actionId, approved: 1 }), 400],
    // proves wire-5-08
    ['approved is missing', (actionId: string) => ({ actionId }), 400],
    ['actionId is missing', () => ({ approved: true }), 400],
    ['actionId is no id', () => ({ actionId: '../x', approved: true }), 400],
    ['the body is a list', () => [], 400],
    // proves service-1-02, wire-5-14
    [
      'remember, which this confirmation does not offer',
      (actionId: string) => ({ actionId, approved: true, remember: true }),
      400,
    ],
    // proves wire-5-13
    [
      'edited arguments of an action that is not editable',
      (actionId: string) => ({ actionId, approved: true, arguments: { caseId: 1 } }),
      400,
    ],
    // proves wire-5-97
    [
      'arguments nested deeper than 64 levels',
      (actionId: string) => ({ actionId, approved: true, arguments: { list: nested(64) } }),
      400,
    ],
    // proves wire-5-97
    [
      'arguments nested deeper than 64 levels, for an unknown actionId',
      () => `{"actionId":"AAAAAAAAAAAAAAAAAAAAAA","approved":true,"arguments":{"list":${nestedText(20_000)}}}`,
      400,
    ],
    // proves wire-5-97
    [
      'arguments of 64 levels for an unknown actionId',
      () => ({ actionId: 'AAAAAAAAAAAAAAAAAAAAAA', approved: true, arguments: { list: nested(63) } }),
      404,
    ],
    // proves wire-1-24, wire-5-07
    ['an unknown actionId', () => ({ actionId: 'AAAAAAAAAAAAAAAAAAAAAA', approved: true }), 404],
  ])('%s answers nothing', async (_title, body, status) => {
    const { approve, actionId, tool, assistant } = await asked();
    expect((await post(approve, body(actionId))).status).toBe(status);
    expect(tool.runs).toHaveLength(0);
    expect(assistant.runningTurns).toBe(1);
  });

  // proves wire-1-07, wire-5-06
  it('checks in the order 415, 413, 400, 404', async () => {
    const { approve } = await asked();
    const large = JSON.stringify({ actionId: 'x', approved: true, arguments: { text: 'x'.repeat(70_000) } });
    expect(await post(approve, large, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await post(approve, large)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(await post(approve, '{')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  // proves wire-1-09, wire-1-16
  it('refuses a foreign website before anything is answered (contract/doors.md)', async () => {
    const { approve, actionId, tool } = await asked();
    const answer = await post(approve, { actionId, approved: true }, { origin: 'https://evil.example' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body['detail']).toContain('cors.default.origins');
    expect(tool.runs).toHaveLength(0);
  });

  it.each([
    // proves wire-1-12
    'https://shop.example.com',
    'own',
  ])('lets the origin %s answer', async (origin) => {
    const { approve, actionId, url } = await asked();
    const answer = await post(approve, { actionId, approved: true }, { origin: origin === 'own' ? url : origin });
    expect(answer.status).toBe(200);
  });
});

describe('POST /helper/cancel (contract/confirmations.md#stop)', () => {
  // proves wire-1-23, wire-2-30, wire-4-21, wire-5-02
  it('stops a turn by its turnId: the model is aborted before the answer and the turn ends as stopped without an error', async () => {
    const model = fakeModel({ text: 'Half', until: new Promise(() => undefined) });
    const { url } = await testHttp({ model });
    const stream = await openSse(url + ask);
    await stream.next('text');
    const turnId = String(stream.headers['x-turn-id']);
    expect(await post(`${url}/helper/cancel`, { turnId })).toMatchObject({ status: 200, body: { stopped: true } });
    expect(model.requests[0]?.signal.aborted).toBe(true);
    await stream.closed;
    expect(stream.frames.at(-1)).toMatchObject({ event: 'end', data: { status: 'stopped', text: 'Half' } });
    expect(stream.frames.some(({ event }) => event === 'failure')).toBe(false);
    expect(await post(`${url}/helper/cancel`, { turnId })).toMatchObject({ status: 200, body: { stopped: false } });
  });

  // proves service-3-04, service-7-01, wire-5-05
  it('ends an open confirmation: a later approve answers 404 (contract/confirmations.md#stop)', async () => {
    const { url, approve, actionId, stream, tool } = await asked();
    await post(`${url}/helper/cancel`, { turnId: String(stream.headers['x-turn-id']) });
    expect(await post(approve, { actionId, approved: true })).toMatchObject({
      status: 404,
      body: { code: 'nothing_to_answer' },
    });
    await stream.closed;
    expect(tool.runs).toHaveLength(0);
  });

  // proves wire-5-03
  it('answers once the Stop is stored: a crash right after it brings no question back', async () => {
    const turns = new InMemoryTurnStore();
    const append = turns.append.bind(turns);
    const appending = Promise.withResolvers<undefined>();
    const mayAppend = Promise.withResolvers<undefined>();
    const { url, stream } = await asked({ turns, journal: new InMemoryConfirmationJournal(turns) });
    turns.append = async (hold, lines) => {
      appending.resolve(undefined);
      await mayAppend.promise;
      await append(hold, lines);
    };
    const turnId = String(stream.headers['x-turn-id']);
    let isAnswered = false;
    const stopped = post(`${url}/helper/cancel`, { turnId }).finally(() => {
      isAnswered = true;
    });
    await appending.promise;
    // The server answers this later request first.
    await fetch(`${url}/helper/approve`);
    expect(isAnswered).toBe(false);
    mayAppend.resolve(undefined);
    expect(await stopped).toMatchObject({ status: 200, body: { stopped: true } });
    const kept = await turns.read(turnId);
    const lines = kept === undefined ? [] : openTurn(kept, testRecordSealer()).lines;
    expect(lines).toContainEqual(['step', 'stop', 'user']);
    await stream.closed;
  });

  // proves wire-5-54
  it('answers storage_unavailable while the Stop cannot be stored, and stops the turn once it is', async () => {
    const turns = new InMemoryTurnStore();
    const append = turns.append.bind(turns);
    const { url, stream, actionId } = await asked({ turns, journal: new InMemoryConfirmationJournal(turns) });
    let isAway = true;
    turns.append = (hold, lines) => (isAway ? Promise.reject(new Error('disk full')) : append(hold, lines));
    const turnId = String(stream.headers['x-turn-id']);
    const cancel = { status: 503, body: { code: 'storage_unavailable' } };
    expect(await post(`${url}/helper/cancel`, { turnId })).toMatchObject(cancel);
    const approve = await post(`${url}/helper/approve`, { actionId, approved: true });
    expect(approve).toMatchObject({ status: 404, body: { code: 'nothing_to_answer' } });
    isAway = false;
    expect((await stream.next('end')).data).toMatchObject({ status: 'stopped' });
    await stream.closed;
  });

  // proves wire-5-54
  it('begins nothing new while the Stop cannot be stored, though what ran goes on', async () => {
    const turns = new InMemoryTurnStore();
    const append = turns.append.bind(turns);
    const release = Promise.withResolvers<undefined>();
    const running = Promise.withResolvers<undefined>();
    const read = fakeTool({
      name: 'find_case',
      readOnly: true,
      execute: async () => {
        running.resolve(undefined);
        await release.promise;
        return { value: 1 };
      },
    });
    const model = fakeModel({ toolCalls: [call('find_case')] }, { text: 'Done.' });
    const journal = new InMemoryConfirmationJournal(turns);
    const { url } = await testHttp({ model, toolList: [read], turns, journal, tapePolicy: 'always' });
    const stream = await openSse(url + ask);
    await running.promise;
    let isAway = true;
    turns.append = (hold, lines) => (isAway ? Promise.reject(new Error('disk full')) : append(hold, lines));
    const turnId = String(stream.headers['x-turn-id']);
    expect(await post(`${url}/helper/cancel`, { turnId })).toMatchObject({
      status: 503,
      body: { code: 'storage_unavailable' },
    });
    release.resolve(undefined);
    // The server answers these later requests first, so the turn has had time to continue.
    for (let round = 0; round < 3; round += 1) await post(`${url}/helper/cancel`, { turnId: 'AAAAAAAAAAAAAAAAAAAAAA' });
    expect(model.requests).toHaveLength(1);
    isAway = false;
    expect((await stream.next('end')).data).toMatchObject({ status: 'stopped' });
    expect(model.requests).toHaveLength(1);
  });

  // proves service-4.2-04, wire-1-23, wire-5-02, wire-5-03
  it('stops by connectionId', async () => {
    const { url, assistant } = await testHttp({ model: fakeModel({ until: new Promise(() => undefined) }) });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'x' });
    expect(await post(`${url}/helper/cancel`, { connectionId: session.id })).toMatchObject({ body: { stopped: true } });
    expect((await turn.result).status).toBe('stopped');
    expect(await post(`${url}/helper/cancel`, { connectionId: session.id })).toMatchObject({
      body: { stopped: false },
    });
  });

  it.each([
    // proves wire-5-04
    ['an unknown connection', { connectionId: 'AAAAAAAAAAAAAAAAAAAAAA' }, 404, 'unknown_connection'],
    ['an unknown turn', { turnId: 'AAAAAAAAAAAAAAAAAAAAAA' }, 404, 'not_found'],
    // proves wire-5-02
    ['neither id', {}, 400, 'invalid_request'],
    // proves wire-5-02
    ['both ids', { turnId: 'a', connectionId: 'b' }, 400, 'invalid_request'],
  ])('%s', async (_title, body, status, code) => {
    const { url } = await testHttp({ model: fakeModel() });
    expect(await post(`${url}/helper/cancel`, body)).toMatchObject({ status, body: { code } });
  });
});

describe('a body that is not said to be JSON (contract/addresses.md#requests)', () => {
  // proves wire-1-06
  it.each([
    ['approve', 'no body at all', undefined, undefined],
    ['approve', 'a body of no type', Buffer.from('{}'), undefined],
    ['approve', 'no body, as forms are sent', undefined, 'application/x-www-form-urlencoded'],
    ['approve', 'JSON in words of another type', '{}', 'text/plain; x=application/json'],
    ['cancel', 'no body at all', undefined, undefined],
    ['cancel', 'a body of no type', Buffer.from('{}'), undefined],
    ['chat', 'no body at all', undefined, undefined],
    ['chat', 'a body of no type', Buffer.from('{"message":"x"}'), undefined],
  ])('POST /helper/%s with %s is 415 not_json', async (path, _title, body, type) => {
    const { url, assistant } = await testHttp({ model: fakeModel({ text: 'x' }) });
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const answer = await fetch(`${url}/helper/${path}`, { method: 'POST', headers, body: body ?? null });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 415,
      body: { code: 'not_json' },
    });
    expect(assistant.runningTurns).toBe(0);
  });
});
