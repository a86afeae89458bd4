import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { officialClient } from '../support/hub-official-client.ts';
import { startOrderReplicas } from '../support/replicas/order-replicas.ts';
import { hasReplicas, servicesOfFile } from '../support/replicas/replica-processes.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { tokenSecret } from '../support/tokens.ts';

/** A replica that was killed is waited for. */
const services = servicesOfFile();

const page = {
  name: 'orders',
  actions: [
    {
      ...{ name: 'delete_order', description: 'Deletes an order.', readOnly: false },
      parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    },
  ],
};

describe.skipIf(!hasReplicas)('the page of a replica that is killed (contract/replicas.md#turns)', () => {
  // proves configuration-5-92
  it('may have done what it was asked: the user and the model are told that nobody knows', async () => {
    const gate = Promise.withResolvers<undefined>();
    const callsPage = calling({ name: 'page_delete_order', arguments: { id: 7 } });
    const gated: ModelScript = async (exchange) => {
      await gate.promise;
      await callsPage(exchange);
    };
    const { at, model } = await startOrderReplicas(2, await services(), {
      scripts: [gated, saying('Please check.')],
      atEnd: onTestFinished,
      yaml: `auth: { jwt: { secret: '${tokenSecret}' } }\n`,
    });
    const first = await officialClient(`${at(0).url}/helper-hub`, { skipNegotiation: true });
    await first.connection.invoke('SetPage', page);
    first.connection.invoke('SendMessage', 'delete order 7', {}).catch(() => undefined);
    await vi.waitUntil(() => first.events.some(({ name }) => name === 'TurnStarted'));
    const turnId = String(first.events.find(({ name }) => name === 'TurnStarted')?.fields['turnId']);
    const second = await officialClient(`${at(1).url}/helper-hub`, { skipNegotiation: true });
    const asked: unknown[] = [];
    second.connection.on('UiActionRequested', (request) => {
      asked.push(request);
      return new Promise(() => undefined);
    });
    await second.connection.invoke('SetPage', page);
    first.sockets[0]?.terminate();
    expect(await second.connection.invoke('Resume', { turnId, afterSeq: 0 })).toMatchObject({ running: true });
    gate.resolve(undefined);
    const question = await vi.waitUntil(() => second.events.find(({ name }) => name === 'ConfirmationRequested'));
    const answered = await fetch(`${at(0).url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: question.fields['actionId'], approved: true }),
    });
    expect(answered.status).toBe(200);
    await vi.waitUntil(() => asked.length === 1);
    await at(1).kill('SIGKILL');
    const reader = await openSse(`${at(0).url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
    expect((await reader.next('end')).data).toMatchObject({ text: 'Please check.' });
    const told = JSON.stringify(model.requests.at(-1)?.body['messages']);
    expect(told).toContain('[unknown] The connection to the page ended before it answered.');
    expect(told).toContain('do not call it again by yourself');
    expect(JSON.stringify(reader.frames)).toContain('"unknown"');
  });
});
