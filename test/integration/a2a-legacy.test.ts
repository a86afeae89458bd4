import { TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { describe, expect, it } from 'vitest';
import { a2aClient, asking, posting, readStream, replyOf, taskOf } from '../support/a2a-client.ts';
import { calling, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `
const parameters = { type: 'object', properties: {} };
export default {
  name: 'desk',
  actions: [
    { name: 'get_order', description: 'Reads an order.', readOnly: true, parameters, execute: () => 'blue' },
    { name: 'cancel_order', description: 'Cancels an order.', parameters, execute: () => 'cancelled' },
  ],
};`;

async function served(scripts: readonly ModelScript[], legacy = true) {
  const settings = { a2aServerEnabled: true, endpoints: { a2a: { legacy } } };
  return scriptedServer({ scripts, plugin, settings });
}

/** The official client with the layer for agents of version 0.3, which finds the card of that version alone. */
function oldClient(url: string): Promise<Client> {
  const legacyCompat = { enabled: true };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ path: '/.well-known/agent.json', legacyCompat }),
  });
  return new ClientFactory(options).createFromUrl(url);
}

describe('clients of before 1.0 (contract/a2a-server.md#clients-of-before-10)', () => {
  // proves configuration-5-52
  it('are answered, and have a stream, a task and a stop', async () => {
    const { url, model } = await served([
      saying('Two orders.'),
      saying('Three ', 'orders.'),
      hangingAfter('One moment'),
      calling({ name: 'cancel_order', arguments: {} }),
      saying('I cannot.'),
    ]);
    const client = await oldClient(url);
    const task = await taskOf(client.sendMessage(asking('Which?')));
    expect([task.status?.state, replyOf(task)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'Two orders.']);
    expect((await readStream(client.sendMessageStream(asking('And now?')))).reply).toBe('Three orders.');
    expect(replyOf(await client.getTask({ tenant: '', id: task.id }))).toBe('Two orders.');
    const begun = await taskOf(client.sendMessage(asking('Count', { configuration: { returnImmediately: true } })));
    const stopped = await client.cancelTask({ tenant: '', id: begun.id, metadata: undefined });
    expect(stopped.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await taskOf(client.sendMessage(asking('Cancel it')));
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('nobody can be asked here');
  });

  // proves configuration-5-53
  it('have a card of their own, and others have theirs', async () => {
    const { url } = await served([saying('Hello.')]);
    const old = await (await fetch(`${url}/.well-known/agent.json`)).json();
    expect(old).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${url}/a2a`,
      preferredTransport: 'JSONRPC',
      skills: [{ id: 'get_order' }],
    });
    expect(old).not.toHaveProperty('supportedInterfaces');
    const card = `${url}/.well-known/agent-card.json`;
    const headers = { 'a2a-version': '0.3' };
    expect(await (await fetch(card, { headers })).json()).toEqual(old);
    const modern = await fetch(card, { headers: { 'a2a-version': '1.0' } });
    expect(modern.headers.get('vary')).toContain('a2a-version');
    expect(await modern.json()).not.toHaveProperty('protocolVersion');
    expect(replyOf(await taskOf((await a2aClient(url)).sendMessage(asking('Hi'))))).toBe('Hello.');
  });

  // proves configuration-5-53
  it('find theirs by their defaults in a card that has the members of both versions', async () => {
    const { url } = await served([saying('Hello.')]);
    const both = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as Readonly<
      Record<string, unknown>
    >;
    expect(both).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${url}/a2a`,
      preferredTransport: 'JSONRPC',
      supportedInterfaces: [{ url: `${url}/a2a`, protocolVersion: '1.0' }],
      capabilities: { streaming: true, stateTransitionHistory: false },
      skills: [{ id: 'get_order' }],
    });
    const legacyCompat = { enabled: true };
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    });
    const client = await new ClientFactory(options).createFromUrl(url);
    expect(replyOf(await taskOf(client.sendMessage(asking('Hi'))))).toBe('Hello.');
  });

  it('are told of their faults as such', async () => {
    const { url } = await served([]);
    const sent = (method: string, params: object) =>
      posting(url, { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': '0.3' });
    expect(await (await sent('tasks/get', { id: 'nobody' })).json()).toMatchObject({ error: { code: -32001 } });
    expect(
      await (
        await sent('message/send', { message: { kind: 'message', role: 'user', messageId: 'm', parts: [] } })
      ).json(),
    ).toMatchObject({ error: { code: -32602 } });
    expect(await (await sent('tasks/everything', {})).json()).toMatchObject({ error: { code: -32601 } });
  });

  // proves configuration-5-52
  it('are told that they are not served', async () => {
    const { url } = await served([], false);
    expect((await fetch(`${url}/.well-known/agent.json`)).status).toBe(404);
    const answer = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: {} }),
    });
    expect(await answer.json()).toMatchObject({ error: { code: -32009 } });
  });
});
