import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CallbackReceiver, callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { hasReplicas, type Replicas, servicesOfFile, startReplicas } from '../support/replicas/replica-processes.ts';
import {
  calling,
  chunk,
  ending,
  type ModelScript,
  saying,
  type ScriptedModel,
  startScriptedModel,
} from '../support/scripted-model.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';

/** Each test starts processes, and some wait for a lease to end. */
vi.setConfig({ testTimeout: 120_000 });

const services = servicesOfFile();

interface World extends Replicas {
  readonly model: ScriptedModel;
  /** The action `cancel_order` of another system. */
  readonly orders: CallbackReceiver;
}

async function world(
  scripts: readonly ModelScript[],
  environment: Readonly<Record<string, string>> = {},
  count = 3,
): Promise<World> {
  const actions = [{ name: 'cancel_order', description: 'Cancels an order.', parameters: { type: 'object' } }];
  const orders = await startCallback({ version: 1, actions });
  orders.answer = json({ result: 'cancelled' });
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const replicas = await startReplicas(count, await services(), {
    yaml: `actions: { plugins: [], callbacks: [{ name: erp, url: '${orders.url}', secret: '${callbackSecret}' }] }\n`,
    environment: {
      ...{ HELPER__MODELS__DEMO__PROVIDER: 'openai', HELPER__MODELS__DEMO__BASEURL: model.url },
      ...{ HELPER__MODELS__DEMO__MODEL: 'scripted', HELPER__MODELS__DEMO__APIKEY: 'none' },
      ...{ HELPER__HITLMODE: 'Native', HELPER__SERVER__SHUTDOWNGRACE: '10s' },
      ...environment,
    },
  });
  return { ...replicas, model, orders };
}

const durable = { HELPER__SERVER__DURABLETURNS: 'true' };

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

async function post(url: string, path: string, body: object): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/helper/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const approve = (url: string, actionId: string) => post(url, 'approve', { actionId, approved: true });

const turnIdOf = (stream: SseConversation): string => String(stream.headers['x-turn-id']);

describe.skipIf(!hasReplicas)('turns of replicas (contract/replicas.md#turns)', () => {
  it('are approved on any replica, once', async () => {
    const { at, orders } = await world([calling({ name: 'cancel_order', arguments: { id: 7 } }), saying('Done.')]);
    const stream = await ask(at(0).url);
    const actionId = await questionIn(stream);
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((index) => approve(at(index).url, actionId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    expect((await stream.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(orders.posts()).toHaveLength(1);
    for (const index of [0, 1, 2]) {
      const again = await approve(at(index).url, actionId);
      expect(again).toMatchObject({ status: 404, body: { outcome: 'approved' } });
    }
  });

  it('are stopped on any replica', async () => {
    const { at } = await world([inTwoParts('Once', ' upon', new Promise(() => undefined))]);
    const stream = await ask(at(0).url);
    await stream.next('text');
    expect(await post(at(1).url, 'cancel', { turnId: turnIdOf(stream) })).toMatchObject({
      status: 200,
      body: { stopped: true },
    });
    expect((await stream.next('end')).data).toMatchObject({ status: 'stopped' });
    expect(await post(at(2).url, 'cancel', { turnId: turnIdOf(stream) })).toMatchObject({ body: { stopped: false } });
  });

  it('are read on any replica, live and after their end, from any event on', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { at } = await world([inTwoParts('Once', ' upon a time', gate.promise)]);
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

  it('go on with their conversation on the replica where the hub connection comes back', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { at, model } = await world([inTwoParts('Hello', ' Ann.', gate.promise), saying('You are Ann.')]);
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

  it('go on in another replica when theirs is killed, and their readers see nothing but a pause', async () => {
    const scripts = [calling({ name: 'cancel_order', arguments: { id: 7 } }), saying('Done.')];
    const { at, orders, replicas } = await world(scripts, durable);
    const stream = await ask(at(0).url);
    const actionId = await questionIn(stream);
    const reader = await read(at(1).url, turnIdOf(stream));
    expect(await questionIn(reader)).toBe(actionId);
    await replicas[0]?.kill('SIGKILL');
    await vi.waitFor(async () => {
      expect((await approve(at(2).url, actionId)).status).toBe(200);
    }, 40_000);
    expect((await reader.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(orders.posts()).toHaveLength(1);
  });

  it('are handed over at once by a replica that ends, in the middle of a reply and of a question', async () => {
    const never = new Promise(() => undefined);
    const scripts = [inTwoParts('Once', ' upon', never), saying('Once upon a time.')];
    const { at, replicas } = await world(scripts, durable);
    const stream = await ask(at(0).url);
    await stream.next('text');
    const reader = await read(at(1).url, turnIdOf(stream));
    await reader.next('text');
    const began = performance.now();
    await replicas[0]?.kill('SIGTERM');
    expect((await reader.next('end')).data).toMatchObject({ status: 'completed', text: 'Once upon a time.' });
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
