import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/core/ports/chat-model.ts';
import { afterGrace } from '../support/after-grace.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';

const ask = '/helper/chat?message=hello';

function held(text = 'Half') {
  const release = Promise.withResolvers<undefined>();
  return { model: fakeModel({ text, until: release.promise }, { text: 'next' }), release };
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem: unknown = await response.json();
  return Object.fromEntries(Object.entries(problem ?? {}));
}

describe('a stream (contract/sse.md)', () => {
  // proves wire-4-04, wire-4-07
  it('opens at once with retry and id TURN:0, whatever the model does, and names the turn in x-turn-id', async () => {
    const { model } = held('');
    const { url } = await testHttp({ model });
    const stream = await openSse(url + ask);
    expect(stream.status).toBe(200);
    const turnId = String(stream.headers['x-turn-id']);
    await expect.poll(() => stream.raw()).toBe(`retry: 2000\nid: ${turnId}:0\n\n`);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(stream.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{16,64}$/);
  });

  // proves wire-2-23, wire-4-01, wire-4-05
  it('frames each event as id, event and one line of data, and ends with one end', async () => {
    const { url } = await testHttp({ model: fakeModel({ text: 'Two\nlines "quoted"' }) });
    const stream = await openSse(url + ask);
    await stream.closed;
    const turnId = String(stream.headers['x-turn-id']);
    expect(stream.raw()).toContain(
      `id: ${turnId}:2\nevent: text\ndata: {"turnId":"${turnId}","seq":2,"text":"Two\\nlines \\"quoted\\"","agent":"coordinator"}\n\n`,
    );
    expect(stream.frames.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed', seq: 3 } });
    expect(stream.frames.filter(({ event }) => event === 'end')).toHaveLength(1);
  });

  // proves service-4.2-02, wire-4-02
  it('answers POST with a JSON body the same way', async () => {
    const model = fakeModel({ text: 'Hi.' });
    const { url } = await testHttp({ model });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'hello from POST' } });
    await stream.closed;
    expect(stream.text()).toBe('Hi.');
    expect(model.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'hello from POST' }]);
  });

  // proves service-4.2-02, wire-4-03
  it('gives each request a conversation of its own', async () => {
    const model = fakeModel({ text: 'Hi.' });
    const { url } = await testHttp({ model });
    for (const _ of [1, 2]) await (await openSse(url + ask)).closed;
    expect(model.requests[1]?.messages).toHaveLength(1);
  });

  // proves wire-1-24, wire-2-04, wire-2-17
  it('sends cards, navigation and confirmations under the numbers of the one sequence, so with gaps', async () => {
    const tool = fakeTool({ execute: () => ({ value: 1, card: { type: 'AdaptiveCard', body: [] } }) });
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 1 })] }, { text: 'Done.' });
    const { url } = await testHttp({ model, toolList: [tool] });
    const stream = await openSse(url + ask);
    const { data } = await stream.next('confirmation');
    expect(data).toMatchObject({ seq: 2, action: 'close_case' });
    const approve = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    expect(approve.status).toBe(200);
    await stream.closed;
    expect(
      stream.frames.flatMap(({ event, data: fields }) => (event === undefined ? [] : [[event, fields?.['seq']]])),
    ).toEqual([
      ['confirmation', 2],
      ['card', 5],
      ['text', 7],
      ['end', 8],
    ]);
  });

  // proves wire-4-06
  it('writes a comment ping on a quiet stream', async () => {
    const { model } = held('');
    const { url } = await testHttp({ model }, { pingIntervalMs: 10 });
    const stream = await openSse(url + ask);
    await expect.poll(() => stream.raw()).toContain(': ping\n\n');
  });

  // proves wire-2-28, wire-4-12
  it('tells a refused message as failure, then end, not as a problem document', async () => {
    const { url } = await testHttp({ model: fakeModel({ text: 'no' }), maxMessageLength: 3 });
    const stream = await openSse(url + ask);
    await stream.closed;
    expect(stream.frames.slice(1).map(({ event, data }) => [event, data?.['code']])).toEqual([
      ['failure', 'message_too_long'],
      ['end', 'message_too_long'],
    ]);
  });

  // proves wire-1-05, wire-2-17
  it('tells a failing model as failure, then end', async () => {
    const fails = new ModelError('model_unavailable', 'secret-host refused', { transient: true });
    const { url } = await testHttp({ model: fakeModel({ fails }) });
    const stream = await openSse(url + ask);
    await stream.closed;
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'failed', code: 'model_unavailable' });
    expect(stream.raw()).not.toContain('secret-host');
  });

  // proves wire-2-34
  it('writes once per read of the model: 200 pieces in one read are at most three writes (docs/architecture.md)', async () => {
    const pieces = Array.from({ length: 200 }, () => 'word ');
    const { url, app } = await testHttp({ model: fakeModel({ pieces }) });
    let writes = 0;
    app.server.prependListener('request', (_request, response) => {
      for (const name of ['write', 'end'] as const) {
        const original = response[name].bind(response);
        Object.assign(response, {
          [name]: (...values: never[]): unknown => {
            writes += 1;
            return Reflect.apply(original, response, values);
          },
        });
      }
    });
    const stream = await openSse(url + ask);
    await stream.closed;
    expect(stream.text()).toBe(pieces.join(''));
    expect(writes).toBeLessThanOrEqual(3);
  });
});

describe('resuming with Last-Event-ID (contract/sse.md#coming-back)', () => {
  // proves wire-4-13
  it('continues the named turn after that seq and never starts one', async () => {
    const { model, release } = held();
    const { url } = await testHttp({ model });
    const first = await openSse(url + ask);
    await first.next('text');
    const turnId = String(first.headers['x-turn-id']);
    first.close();
    const second = await openSse(url + ask, { headers: { 'last-event-id': `${turnId}:2` } });
    expect(second.status).toBe(200);
    release.resolve(undefined);
    await second.closed;
    expect(second.frames.slice(1).map(({ event }) => event)).toEqual(['end']);
    expect(second.frames.at(-1)?.data).toMatchObject({ turnId, status: 'completed', text: 'Half' });
    expect(model.requests).toHaveLength(1);
  });

  // proves wire-4-13
  it('replays from the start for TURN:0 after the turn has ended', async () => {
    const { url } = await testHttp({ model: fakeModel({ text: 'Hi.' }) });
    const first = await openSse(url + ask);
    await first.closed;
    const again = await openSse(url + ask, { headers: { 'last-event-id': `${String(first.headers['x-turn-id'])}:0` } });
    await again.closed;
    expect(again.raw()).toBe(first.raw());
  });

  it.each([
    // proves wire-4-17
    ['an unknown turn', () => 'AAAAAAAAAAAAAAAAAAAAAA:1'],
    ['something that is no id of ours', () => 'hello'],
    // proves wire-4-17
    ['a turn that ended with nothing after that seq', (turnId: string) => `${turnId}:3`],
    ['a number beyond the end', (turnId: string) => `${turnId}:99`],
  ])('answers 204 for %s, which makes an EventSource stop', async (_title, idFor) => {
    const model = fakeModel({ text: 'Hi.' });
    const { url } = await testHttp({ model });
    const first = await openSse(url + ask);
    await first.closed;
    const again = await openSse(url + ask, { headers: { 'last-event-id': idFor(String(first.headers['x-turn-id'])) } });
    expect(again.status).toBe(204);
    expect(model.requests).toHaveLength(1);
  });

  // proves wire-4-14
  it('answers 204 once server.resumeWindow is over', async () => {
    let now = 1_000_000;
    const { url } = await testHttp({ model: fakeModel({ text: 'Hi.' }), resumeWindowMs: 1000, now: () => now });
    const first = await openSse(url + ask);
    await first.closed;
    now += 1001;
    const id = `${String(first.headers['x-turn-id'])}:0`;
    expect((await openSse(url + ask, { headers: { 'last-event-id': id } })).status).toBe(204);
  });

  it('sends an open confirmation again without an id, so that the last event id does not move back', async () => {
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'Done.' });
    const { url } = await testHttp({ model, toolList: [fakeTool()] });
    const first = await openSse(url + ask);
    const { data } = await first.next('confirmation');
    first.close();
    const id = `${String(first.headers['x-turn-id'])}:2`;
    const second = await openSse(url + ask, { headers: { 'last-event-id': id } });
    const again = await second.next('confirmation');
    expect(again.id).toBeUndefined();
    expect(again.data?.['actionId']).toBe(data?.['actionId']);
  });
});

describe('a client that goes (contract/hub.md and contract/sse.md)', () => {
  const graceMs = 61_234;

  // proves wire-4-18
  it('stops the model after server.disconnectGrace, and not before', async () => {
    const { model } = held();
    const { url, assistant } = await testHttp({ model, disconnectGraceMs: graceMs });
    const stream = await openSse(url + ask);
    await stream.next('text');
    await afterGrace(
      graceMs,
      () => stream.close(),
      () => model.requests[0]?.signal.aborted !== false,
    );
    await expect.poll(() => model.requests[0]?.signal.aborted).toBe(true);
    await expect.poll(() => assistant.runningTurns).toBe(0);
  });

  // proves wire-3-35
  it('stops at once with a grace of 0', async () => {
    const { model } = held();
    const { url } = await testHttp({ model, disconnectGraceMs: 0 });
    const stream = await openSse(url + ask);
    await stream.next('text');
    stream.close();
    await expect.poll(() => model.requests[0]?.signal.aborted, { interval: 5 }).toBe(true);
  });

  // proves wire-2-37
  it('pauses the model while the client does not read, and goes on when it does', async () => {
    const release = Promise.withResolvers<undefined>();
    const model = fakeModel({ pieces: ['x'.repeat(8_000_000)], until: release.promise });
    const { url } = await testHttp({ model, maxMessageLength: 0 });
    const stream = await openSse(url + ask);
    stream.response.pause();
    await expect.poll(() => model.requests[0]?.flow.paused).toBe(true);
    stream.response.resume();
    await expect.poll(() => model.requests[0]?.flow.paused).toBe(false);
    release.resolve(undefined);
    await stream.closed;
    expect(stream.text()).toHaveLength(8_000_000);
  });

  it('cuts a client that never reads again', async () => {
    const model = fakeModel({ pieces: ['x'.repeat(8_000_000)], until: new Promise(() => undefined) });
    const { url } = await testHttp({ model, disconnectGraceMs: 0 }, { stallTimeoutMs: 20 });
    const stream = await openSse(url + ask);
    stream.response.pause();
    await expect.poll(() => model.requests[0]?.signal.aborted).toBe(true);
  });
});

describe('faults before the turn starts (contract/addresses.md#answers and contract/sse.md)', () => {
  const json = { 'content-type': 'application/json' };
  const chat = '/helper/chat';

  it.each([
    // proves wire-4-08
    ['no message in the query', chat, {}, 400, 'invalid_request'],
    ['two messages in the query', `${chat}?message=a&message=b`, {}, 400, 'invalid_request'],
    // proves wire-4-08
    ['malformed JSON', chat, { method: 'POST', headers: json, body: '{"message":' }, 400, 'invalid_request'],
    // proves wire-4-08
    [
      'a message of the wrong type',
      chat,
      { method: 'POST', headers: json, body: '{"message":7}' },
      400,
      'invalid_request',
    ],
    // proves wire-1-06, wire-4-09
    [
      'a body that is not JSON',
      chat,
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hi' },
      415,
      'not_json',
    ],
    // proves wire-4-09
    [
      'a body that is too large',
      chat,
      { method: 'POST', headers: json, body: JSON.stringify({ message: 'x'.repeat(100_001) }) },
      413,
      'payload_too_large',
    ],
    // proves wire-4-22
    ['a wrong method', chat, { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['an unknown path', '/helper/nothing', {}, 404, 'not_found'],
    // proves wire-1-08, wire-4-09
    ['a foreign website', `${chat}?message=x`, { headers: { origin: 'https://evil.example' } }, 403, 'forbidden'],
    // proves wire-1-11
    [
      'a cross-site GET without an origin',
      `${chat}?message=x`,
      { headers: { 'sec-fetch-site': 'cross-site' } },
      403,
      'forbidden',
    ],
  ] as const)('%s', async (_title, path, init: RequestInit, status, code) => {
    const model = fakeModel({ text: 'no' });
    const { url } = await testHttp({ model });
    const response = await fetch(url + path, {
      ...init,
      headers: [...new Headers(init.headers), ['x-request-id', 'my-request-1']],
    });
    expect(response.status).toBe(status);
    expect(await problemOf(response)).toMatchObject({ status, code, requestId: 'my-request-1' });
    expect(response.headers.get('x-request-id')).toBe('my-request-1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(model.requests).toHaveLength(0);
  });

  it('names the allowed methods with 405', async () => {
    const { url } = await testHttp({ model: fakeModel() });
    expect((await fetch(`${url}/helper/chat`, { method: 'PUT' })).headers.get('allow')).toBe('GET, POST');
  });

  // proves wire-4-10, wire-10-07
  it('answers 503 with Retry-After while draining', async () => {
    const { url, assistant } = await testHttp({ model: fakeModel({ text: 'no' }) });
    await assistant.drain(0);
    const response = await fetch(url + ask);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await problemOf(response)).toMatchObject({ code: 'server_draining' });
  });

  it('answers 503 overloaded when too many streams are open', async () => {
    const { model } = held();
    const { url } = await testHttp({ model }, { maxStreams: 1 });
    await openSse(url + ask);
    expect(await problemOf(await fetch(url + ask))).toMatchObject({ status: 503, code: 'overloaded' });
  });

  // proves wire-1-17
  it('takes a new request id where the given one is not well-formed', async () => {
    const { url } = await testHttp({ model: fakeModel() });
    const response = await fetch(`${url}/nothing`, { headers: { 'x-request-id': 'a b<c>' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});
