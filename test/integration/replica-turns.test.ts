import OpenAI from 'openai';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { officialClient } from '../support/hub-official-client.ts';
import { type OrderReplicas, startOrderReplicas } from '../support/replicas/order-replicas.ts';
import { hasReplicas, servicesOfFile } from '../support/replicas/replica-processes.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** Each test starts processes, and some wait for a lease to end. */
const services = servicesOfFile();

type AtEnd = (end: () => void | Promise<void>) => void;

/** Replicas with a scripted model and an action that asks. */
async function world(
  count: number,
  scripts: readonly ModelScript[],
  {
    environment = {},
    atEnd = onTestFinished,
  }: { readonly environment?: Readonly<Record<string, string>>; readonly atEnd?: AtEnd } = {},
): Promise<OrderReplicas> {
  return startOrderReplicas(count, await services(), {
    scripts,
    atEnd,
    yaml: `auth: { jwt: { secret: '${tokenSecret}' } }\n`,
    environment: { HELPER__HITLMODE: 'Native', HELPER__SERVER__SHUTDOWNGRACE: '10s', ...environment },
  });
}

const ends: (() => void | Promise<void>)[] = [];
let shared: Promise<OrderReplicas> | undefined;

/** Three replicas that the tests share which end none of them. */
function three(): Promise<OrderReplicas> {
  shared ??= world(3, [], { atEnd: (end) => void ends.push(end) });
  return shared;
}

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const durable = { environment: { HELPER__SERVER__DURABLETURNS: 'true' } };

/** Says a part, and the rest once the test lets it. */
function inTwoParts(first: string, rest: string, gate: Promise<unknown>): ModelScript {
  return async (exchange) => {
    await exchange.send(chunk({ role: 'assistant', content: first }));
    await gate;
    if (exchange.isClosed) return;
    await exchange.send(chunk({ content: rest }));
    await exchange.send(ending());
    exchange.end();
  };
}

function ask(url: string, message = 'cancel order 7'): Promise<SseConversation> {
  return openSse(`${url}/helper/chat`, { method: 'POST', body: { message } });
}

function read(url: string, turnId: string, after = 0): Promise<SseConversation> {
  return openSse(`${url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:${String(after)}` } });
}

async function questionIn(stream: SseConversation): Promise<string> {
  return String((await stream.next('confirmation')).data?.['actionId']);
}

async function post(
  url: string,
  path: string,
  body: object,
  credential: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { 'content-type': 'application/json', ...credential };
  const response = await fetch(`${url}/helper/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

/** Approves as a client does: after `cluster_unavailable` it asks again. */
async function approve(url: string, actionId: string): ReturnType<typeof post> {
  const answer = await post(url, 'approve', { actionId, approved: true });
  return answer.status === 503 ? approve(url, actionId) : answer;
}

/** Says something over a hub connection. Gives what the first of these events tells, and when the connection has closed. */
async function askOverHub(url: string, message: string, event: string) {
  const { connection, events } = await officialClient(`${url}/helper-hub`, { skipNegotiation: true });
  const closed = new Promise((resolve) => connection.onclose(resolve));
  connection.invoke('SendMessage', message, {}).catch(() => undefined);
  const told = await vi.waitFor(() => {
    const found = events.find(({ name }) => name === event);
    if (found === undefined) throw new Error(`no ${event} yet`);
    return found.fields;
  });
  return { closed, told };
}

/** A turn that has left its replica tells no end there. */
async function endedWithoutEnd(stream: SseConversation): Promise<void> {
  await stream.closed;
  expect(stream.frames.map(({ event }) => event)).not.toContain('end');
}

const turnIdOf = (stream: SseConversation): string => String(stream.headers['x-turn-id']);

describe.skipIf(!hasReplicas)('turns of replicas (contract/replicas.md#turns)', () => {
  // proves wire-10-60, wire-10-61
  it('are approved on any replica, once', async () => {
    const { at, orders, model } = await three();
    model.script(calling({ name: 'cancel_order', arguments: { id: 7 } }), saying('Done.'));
    const before = orders.posts().length;
    const stream = await ask(at(0).url);
    const actionId = await questionIn(stream);
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((index) => approve(at(index).url, actionId)));
    const others = answers.filter(({ status }) => status !== 200);
    // On a busy machine, the answer that counted may not be heard of in time.
    expect([5, 6]).toContain(others.length);
    for (const other of others) expect(other).toMatchObject({ status: 404, body: { outcome: 'approved' } });
    expect((await stream.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(orders.posts()).toHaveLength(before + 1);
    for (const index of [0, 1, 2]) {
      const again = await approve(at(index).url, actionId);
      expect(again).toMatchObject({ status: 404, body: { outcome: 'approved' } });
    }
  });

  // proves wire-10-61
  it('are stopped on any replica', async () => {
    const { at, model } = await three();
    model.script(inTwoParts('Once', ' upon', new Promise(() => undefined)));
    const stream = await ask(at(0).url);
    await stream.next('text');
    expect(await post(at(1).url, 'cancel', { turnId: turnIdOf(stream) })).toMatchObject({
      status: 200,
      body: { stopped: true },
    });
    expect((await stream.next('end')).data).toMatchObject({ status: 'stopped' });
    expect(await post(at(2).url, 'cancel', { turnId: turnIdOf(stream) })).toMatchObject({ body: { stopped: false } });
  });

  // proves wire-10-60, wire-10-62
  it('are read on any replica, live and after their end, from any event on', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { at, model } = await three();
    model.script(inTwoParts('Once', ' upon a time', gate.promise));
    const stream = await ask(at(0).url);
    await stream.next('text');
    const elsewhere = await read(at(1).url, turnIdOf(stream));
    await elsewhere.next('text');
    gate.resolve(undefined);
    expect((await elsewhere.next('end')).data).toMatchObject({ status: 'completed', text: 'Once upon a time' });
    expect(elsewhere.text()).toBe('Once upon a time');
    const later = await read(at(2).url, turnIdOf(stream));
    expect((await later.next('end')).data).toMatchObject({ text: 'Once upon a time' });
    await later.closed;
    expect((await read(at(2).url, `${turnIdOf(stream)}x`)).status).toBe(204);
  });

  // proves wire-10-62, wire-10-63
  it('go on with their conversation on the replica where the hub connection comes back', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { at, model } = await three();
    model.script(inTwoParts('Hello', ' Ann.', gate.promise), saying('You are Ann.'));
    const first = await officialClient(`${at(0).url}/helper-hub`, { skipNegotiation: true });
    first.connection.invoke('SendMessage', 'I am Ann.', {}).catch(() => undefined);
    await vi.waitUntil(() => first.events.some(({ name }) => name === 'TextDelta'));
    const turnId = String(first.events.find(({ name }) => name === 'TurnStarted')?.fields['turnId']);
    first.sockets[0]?.terminate();
    const second = await officialClient(`${at(1).url}/helper-hub`, { skipNegotiation: true });
    expect(await second.connection.invoke('Resume', { turnId, afterSeq: 0 })).toMatchObject({ turnId, running: true });
    gate.resolve(undefined);
    await vi.waitUntil(() => second.events.some(({ name }) => name === 'TurnCompleted'));
    const text = second.events.filter(({ name }) => name === 'TextDelta').map(({ fields }) => fields['text']);
    expect(text.join('')).toBe('Hello Ann.');
    expect(await second.connection.invoke('SendMessage', 'Who am I?', {})).toMatchObject({ text: 'You are Ann.' });
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('I am Ann.');
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('Hello Ann.');
  });

  // proves wire-10-63
  it('ask the page of the connection that reads them, on whatever replica it is', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { at, model } = await three();
    const callsPage = calling({ name: 'page_show_order', arguments: { id: 7 } });
    model.script(async (exchange) => {
      await gate.promise;
      await callsPage(exchange);
    }, saying('Done.'));
    const showOrder = {
      ...{ name: 'show_order', description: 'Scrolls to an order.', readOnly: true },
      parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    };
    const page = { name: 'orders', actions: [showOrder] };
    const first = await officialClient(`${at(0).url}/helper-hub`, { skipNegotiation: true });
    await first.connection.invoke('SetPage', page);
    first.connection.invoke('SendMessage', 'show order 7', {}).catch(() => undefined);
    await vi.waitUntil(() => first.events.some(({ name }) => name === 'TurnStarted'));
    const turnId = String(first.events.find(({ name }) => name === 'TurnStarted')?.fields['turnId']);
    const second = await officialClient(`${at(1).url}/helper-hub`, { skipNegotiation: true });
    second.connection.on(
      'UiActionRequested',
      ({ arguments: { id } }: { readonly arguments: { readonly id: number } }) => ({
        shown: id,
      }),
    );
    await second.connection.invoke('SetPage', page);
    first.sockets[0]?.terminate();
    expect(await second.connection.invoke('Resume', { turnId, afterSeq: 0 })).toMatchObject({ running: true });
    await vi.waitUntil(() => second.events.some(({ name }) => name === 'TurnStarted'));
    gate.resolve(undefined);
    await vi.waitUntil(() => second.events.some(({ name }) => name === 'TurnCompleted'));
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toMatch(/shown.{1,5}:7/u);
  });

  // proves wire-10-64
  it('belong to their user on every replica', async () => {
    const { at, model, orders } = await three();
    const before = orders.posts().length;
    model.script(calling({ name: 'cancel_order', arguments: { id: 7 } }));
    const ann = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
    const bob = { authorization: `Bearer ${await makeToken({ sub: 'bob' })}` };
    const asked = { method: 'POST', body: { message: 'cancel order 7' }, headers: ann } as const;
    const stream = await openSse(`${at(0).url}/helper/chat`, asked);
    const turnId = turnIdOf(stream);
    await vi.waitUntil(() => stream.frames.some(({ event }) => event === 'confirmation'));
    const foreign = { headers: { ...bob, 'last-event-id': `${turnId}:0` } };
    expect((await openSse(`${at(1).url}/helper/chat`, foreign)).status).toBe(204);
    expect(await post(at(1).url, 'cancel', { turnId }, bob)).toMatchObject({ status: 403 });
    expect(await post(at(1).url, 'cancel', { turnId })).toMatchObject({ status: 401 });
    expect(await post(at(1).url, 'cancel', { turnId }, ann)).toMatchObject({ body: { stopped: true } });
    expect(orders.posts()).toHaveLength(before);
  });

  // proves wire-10-68
  it('are stopped and forgotten when the data of their user is erased on another replica', async () => {
    const { at, model } = await three();
    model.script(inTwoParts('Secret', ' text', new Promise(() => undefined)));
    const ann = { authorization: `Bearer ${await makeToken({ sub: 'carla' })}` };
    const asked = { method: 'POST', body: { message: 'Hello' }, headers: ann } as const;
    const stream = await openSse(`${at(0).url}/helper/chat`, asked);
    await stream.next('text');
    const erased = await fetch(`${at(1).url}/helper/user-data`, { method: 'DELETE', headers: ann });
    expect(erased.status).toBe(200);
    expect((await stream.next('end')).data).toMatchObject({ status: 'stopped' });
    const again = { headers: { ...ann, 'last-event-id': `${turnIdOf(stream)}:0` } };
    expect((await openSse(`${at(2).url}/helper/chat`, again)).status).toBe(204);
  });

  // proves wire-10-65
  it('go on in another replica when theirs is killed, and their readers see nothing but a pause', async () => {
    const scripts = [calling({ name: 'cancel_order', arguments: { id: 7 } }), saying('Done.')];
    const { at, orders } = await world(2, scripts, durable);
    const stream = await ask(at(0).url);
    const actionId = await questionIn(stream);
    const reader = await read(at(1).url, turnIdOf(stream));
    expect(await questionIn(reader)).toBe(actionId);
    await at(0).kill('SIGKILL');
    await vi.waitFor(async () => {
      expect((await approve(at(1).url, actionId)).status).toBe(200);
    });
    expect((await reader.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(orders.posts()).toHaveLength(1);
  });

  // proves wire-10-66
  it('are handed over at once by a replica that ends, in the middle of a reply and of a question', async () => {
    const never = new Promise(() => undefined);
    const scripts = [
      calling({ name: 'cancel_order', arguments: { id: 7 } }),
      inTwoParts('Once', ' upon', never),
      saying('Once upon a time.'),
      saying('Done.'),
    ];
    const environment = { ...durable.environment, HELPER__SERVER__SHUTDOWNGRACE: '100s' };
    const { at, orders } = await world(2, scripts, { environment });
    const asking = await ask(at(0).url);
    const actionId = await questionIn(asking);
    const talking = await ask(at(0).url, 'a story');
    await talking.next('text');
    const readers = await Promise.all([asking, talking].map((stream) => read(at(1).url, turnIdOf(stream))));
    expect(await questionIn(readers[0] ?? asking)).toBe(actionId);
    await readers[1]?.next('text');
    // The grace was not waited for, which is longer than this test may take.
    expect(await at(0).kill('SIGTERM')).toBe(0);
    for (const stream of [asking, talking]) await endedWithoutEnd(stream);
    expect((await readers[1]?.next('end'))?.data).toMatchObject({ status: 'completed', text: 'Once upon a time.' });
    expect((await approve(at(1).url, actionId)).status).toBe(200);
    expect((await readers[0]?.next('end'))?.data).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(orders.posts()).toHaveLength(1);
  });

  // proves wire-10-95
  it('stay with a replica that ends while they ask with `hitlMode: Blocking`: it takes the answer, and then hands them over', async () => {
    const never = new Promise(() => undefined);
    const scripts = [
      calling({ name: 'cancel_order', arguments: { id: 7 } }),
      inTwoParts('Once', ' upon', never),
      saying('Once upon a time.'),
      inTwoParts('Do', 'ne.', never),
      saying('Done.'),
    ];
    const blocking = { HELPER__HITLMODE: 'Blocking', HELPER__SERVER__SHUTDOWNGRACE: '100s' };
    const { at, orders } = await world(2, scripts, { environment: { ...durable.environment, ...blocking } });
    const asking = await ask(at(0).url);
    const actionId = await questionIn(asking);
    const talking = await ask(at(0).url, 'a story');
    await talking.next('text');
    const readers = await Promise.all([asking, talking].map((stream) => read(at(1).url, turnIdOf(stream))));
    const exited = at(0).kill('SIGTERM');
    // The other turn is handed over, so the replica has looked at both.
    expect((await readers[1]?.next('end'))?.data).toMatchObject({ text: 'Once upon a time.' });
    expect((await approve(at(1).url, actionId)).status).toBe(200);
    expect((await readers[0]?.next('end'))?.data).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(orders.posts()).toHaveLength(1);
    expect(await exited).toBe(0);
  });

  // proves wire-10-99
  it('are followed at once by their hub connections, also where others stay with the replica that ends', async () => {
    const never = new Promise(() => undefined);
    const scripts = [
      calling({ name: 'cancel_order', arguments: { id: 7 } }),
      inTwoParts('Once', ' upon', never),
      saying('Once upon a time.'),
      saying('Done.'),
    ];
    const blocking = { HELPER__HITLMODE: 'Blocking', HELPER__SERVER__SHUTDOWNGRACE: '100s' };
    const { at } = await world(2, scripts, { environment: { ...durable.environment, ...blocking } });
    const asking = await ask(at(0).url);
    const actionId = await questionIn(asking);
    const { closed, told } = await askOverHub(at(0).url, 'a story', 'TextDelta');
    const exited = at(0).kill('SIGTERM');
    // The other turn keeps its replica for longer than this test may take.
    await closed;
    const second = await officialClient(`${at(1).url}/helper-hub`, { skipNegotiation: true });
    await second.connection.invoke('Resume', { turnId: told['turnId'], afterSeq: 0 });
    await vi.waitUntil(() => second.events.some(({ name }) => name === 'TurnCompleted'));
    expect(second.events.find(({ name }) => name === 'TurnCompleted')?.fields).toMatchObject({ status: 'completed' });
    expect((await approve(at(1).url, actionId)).status).toBe(200);
    expect(await exited).toBe(0);
  });

  // proves wire-10-99
  it('that ask are followed at once by their hub connections, also without `server.durableTurns`', async () => {
    const gate = Promise.withResolvers<undefined>();
    const scripts = [
      inTwoParts('Once', ' upon a time.', gate.promise),
      calling({ name: 'cancel_order', arguments: { id: 7 } }),
      saying('Done.'),
    ];
    const { at } = await world(2, scripts, { environment: { HELPER__SERVER__SHUTDOWNGRACE: '100s' } });
    const talking = await ask(at(0).url, 'a story');
    await talking.next('text');
    const { closed, told } = await askOverHub(at(0).url, 'cancel order 7', 'ConfirmationRequested');
    const exited = at(0).kill('SIGTERM');
    // The other turn keeps its replica for longer than this test may take.
    await closed;
    const second = await officialClient(`${at(1).url}/helper-hub`, { skipNegotiation: true });
    await second.connection.invoke('Resume', { turnId: told['turnId'], afterSeq: 0 });
    expect((await approve(at(1).url, String(told['actionId']))).status).toBe(200);
    await vi.waitUntil(() => second.events.some(({ name }) => name === 'TurnCompleted'));
    gate.resolve(undefined);
    expect((await talking.next('end')).data).toMatchObject({ status: 'completed' });
    expect(await exited).toBe(0);
  });

  // proves service-4.7-56, wire-10-66
  it('stay with a replica that ends where their client could not come back, and end there', async () => {
    const gate = Promise.withResolvers<undefined>();
    const never = new Promise(() => undefined);
    const scripts = [
      inTwoParts('Once', ' upon a time.', gate.promise),
      inTwoParts('Other', '', never),
      saying('Done.'),
    ];
    const environment = { ...durable.environment, HELPER__ENDPOINTS__OPENAI__ENABLED: 'true' };
    const { at } = await world(2, scripts, { environment: { ...environment, HELPER__SERVER__SHUTDOWNGRACE: '60s' } });
    const apiKey = await makeToken({ sub: 'ann' });
    const client = new OpenAI({ baseURL: `${at(0).url}/v1`, apiKey, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'A story' }];
    const stream = await client.chat.completions.create({ model: 'helper', messages, stream: true });
    const said: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    const read = async (): Promise<unknown> => {
      let reason: unknown;
      for await (const { choices } of stream) {
        said.push(choices[0]?.delta.content ?? '');
        reason = choices[0]?.finish_reason;
        if (said.join('') === 'Once') begun.resolve(undefined);
      }
      return reason;
    };
    const reason = read();
    await begun.promise;
    await (await ask(at(0).url)).next('text');
    const exited = at(0).kill('SIGTERM');
    // The turn that began later is handed over, so the replica has looked at both.
    await vi.waitFor(() => {
      expect(at(1).printed()).toContain('is taken up');
    });
    gate.resolve(undefined);
    expect(await reason).toBe('stop');
    expect(said.join('')).toBe('Once upon a time.');
    expect(await exited).toBe(0);
    expect(
      at(1)
        .printed()
        .match(/is taken up/gu),
    ).toHaveLength(1);
  });

  // proves wire-10-67
  it('are lost to a replica that was frozen for longer than its lease: it does nothing of them any more', async () => {
    const scripts = [calling({ name: 'cancel_order', arguments: { id: 7 } }), saying('Done.')];
    const { at, orders } = await world(2, scripts, durable);
    const stream = await ask(at(0).url);
    const actionId = await questionIn(stream);
    process.kill(at(0).pid, 'SIGSTOP');
    await vi.waitFor(async () => {
      expect((await approve(at(1).url, actionId)).status).toBe(200);
    });
    const reader = await read(at(1).url, turnIdOf(stream));
    await reader.next('end');
    process.kill(at(0).pid, 'SIGCONT');
    const late = await Promise.all([0, 1, 0, 1].map((index) => approve(at(index).url, actionId)));
    for (const answer of late) expect(answer).toMatchObject({ status: 404, body: { outcome: 'approved' } });
    await endedWithoutEnd(stream);
    expect(orders.posts()).toHaveLength(1);
  });

  // proves wire-10-96
  it('that wait for their user are lost to a replica that was frozen, too: it ends their streams, and sends answers and readers on', async () => {
    const scripts = [calling({ name: 'cancel_order', arguments: { id: 7 } }), saying('Done.')];
    const { at, orders } = await world(3, scripts, durable);
    const stream = await ask(at(0).url);
    const actionId = await questionIn(stream);
    process.kill(at(0).pid, 'SIGSTOP');
    await vi.waitFor(() => {
      expect(at(1).printed() + at(2).printed()).toContain('is taken up');
    });
    process.kill(at(0).pid, 'SIGCONT');
    // Only now does the frozen replica find out. Its question was neither answered nor ended.
    expect((await approve(at(0).url, actionId)).status).toBe(200);
    await endedWithoutEnd(stream);
    for (const index of [0, 1, 2]) {
      const reader = await read(at(index).url, turnIdOf(stream));
      expect((await reader.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    }
    expect(orders.posts()).toHaveLength(1);
  });
});
