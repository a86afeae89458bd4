import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteAgents } from '../../src/app/agents/remote-agents.ts';
import type { RemoteAgentDefinition } from '../../src/core/agents/agent-definition.ts';
import { hubServer, type HubServer } from '../support/hub-server.ts';
import { type OfficialClient, officialClient } from '../support/hub-official-client.ts';
import { recordingLogger } from '../support/quiet.ts';
import { startRemoteAgent, startRemoteServer } from '../support/remote-agent-server.ts';
import { fakeModel } from '../support/fake-model.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken } from '../support/tokens.ts';

const definitionOf = (agentCardUrl: string, more: Partial<RemoteAgentDefinition> = {}): RemoteAgentDefinition => ({
  kind: 'remote',
  name: 'Warehouse',
  description: 'Knows stock levels.',
  requiredRoles: [],
  version: '1',
  agentCardUrl,
  headers: {},
  ...more,
});

const warehouse = (): ReturnType<typeof startRemoteAgent> =>
  startRemoteAgent({ work: ({ message, text }) => message(`12 ${text}`) });

async function open(
  ...definitions: readonly RemoteAgentDefinition[]
): Promise<{ agents: RemoteAgents; server: HubServer }> {
  const agents = new RemoteAgents(recordingLogger());
  onTestFinished(() => agents.close());
  await agents.use(definitions);
  return { agents, server: await hubServer({ model: fakeModel({ text: 'Hi.' }) }, { remoteAgents: agents }) };
}

/** What a connection was told of the remote agents, in order. */
const toldTo = ({ events }: OfficialClient): readonly unknown[] =>
  events.filter(({ name }) => name === 'RemoteAgentStatusChanged').map(({ fields }) => fields['agents']);

const namesTold = (client: OfficialClient): readonly unknown[] =>
  (toldTo(client) as { name: string }[][]).map((agents) => agents.map(({ name }) => name)); // Events have this shape.

describe('RemoteAgentStatusChanged (contract/events.md#events-of-the-connection)', () => {
  // proves service-2.18-20
  it('tells each connection how the agents are doing, and then each change', async () => {
    const remote = await warehouse();
    const { agents, server } = await open(definitionOf(remote.url));
    const client = await officialClient(server.url);
    const connected = [{ name: 'Warehouse', agentCardUrl: remote.url, status: 'connected' }];
    await expect.poll(() => toldTo(client).at(-1)).toEqual(connected);
    expect(client.events[0]?.name).toBe('Connected');
    await remote.close();
    const signal = new AbortController().signal;
    await expect(
      agents.of('Warehouse')?.ask({ text: 'bolts', messageId: 'm', signal }, () => undefined),
    ).rejects.toThrow('Warehouse could not be reached');
    await expect.poll(() => toldTo(client).at(-1)).toEqual([{ ...connected[0], status: 'failed' }]);
    expect(client.faults()).toEqual([]);
  });

  // proves service-2.18-20
  it('is not sent where there are no remote agents', async () => {
    const { server } = await open();
    const client = await officialClient(server.url);
    await client.connection.invoke('SendMessage', 'hello');
    expect(toldTo(client)).toEqual([]);
  });

  // proves service-2.18-21
  it('names an agent with roles only to those who have one of them', async () => {
    const remote = await warehouse();
    const secret = definitionOf(remote.url, { name: 'Vault', requiredRoles: ['boss'] });
    const { server } = await open(definitionOf(remote.url), secret);
    const anybody = await officialClient(server.url);
    const boss = await officialClient(server.url, { token: await makeToken({ sub: 'ann', role: 'boss' }) });
    await expect.poll(() => namesTold(boss).at(-1)).toEqual(['Warehouse', 'Vault']);
    await expect.poll(() => namesTold(anybody).at(-1)).toEqual(['Warehouse']);
    expect(namesTold(anybody).flat()).not.toContain('Vault');
  });

  // proves service-2.18-21
  it('has addresses without user info and query', async () => {
    const remote = await warehouse();
    const address = `${remote.url.replace('http://', 'http://ann:safe@')}/agents/stock?key=safe`;
    const { server } = await open(definitionOf(address));
    const client = await officialClient(server.url);
    await expect
      .poll(() => JSON.stringify(toldTo(client).at(-1)))
      .toContain(`"agentCardUrl":"${remote.url}/agents/stock"`);
    expect(JSON.stringify(client.events)).not.toContain('safe');
  });

  it('follows the definitions: an agent comes, changes and goes', async () => {
    const [first, second] = [await warehouse(), await warehouse()];
    const { agents, server } = await open();
    const client = await officialClient(server.url);
    const last = (): unknown => toldTo(client).at(-1);
    await agents.use([definitionOf(first.url)]);
    await expect.poll(last).toMatchObject([{ agentCardUrl: first.url, status: 'connected' }]);
    await agents.use([definitionOf(second.url)]);
    await expect.poll(last).toMatchObject([{ agentCardUrl: second.url, status: 'connected' }]);
    await agents.use([]);
    await expect.poll(last).toEqual([]);
    expect(agents.of('Warehouse')).toBeUndefined();
  });
});

describe('a server with remote agents (contract/agents.md#remote-agents)', () => {
  it('hands a request over to one, whose reply the user reads, and goes on when it is away', async () => {
    const remote = await warehouse();
    const handOver = calling({ name: 'route_to_specialist', arguments: { name: 'Warehouse', request: 'bolts' } });
    const { url } = await scriptedServer({
      scripts: [handOver, saying('Shall I order?'), handOver, saying('The warehouse is closed.')],
      settings: {
        remoteAgents: [
          {
            name: 'Warehouse',
            description: 'Knows stock levels.',
            agentCardUrl: remote.url,
            headers: { Authorization: 'Bearer w' },
          },
        ],
      },
    });
    const client = await officialClient(`${url}/helper-hub`);
    await expect.poll(() => toldTo(client).at(-1)).toMatchObject([{ status: 'connected' }]);
    const textOf = (agent: string): string =>
      client.events
        .filter(({ name, fields }) => name === 'TextDelta' && fields['agent'] === agent)
        .map(({ fields }) => String(fields['text']))
        .join('');
    await client.connection.invoke('SendMessage', 'How many bolts are there?');
    await expect.poll(() => client.events.map(({ name }) => name)).toContain('TurnCompleted');
    expect(textOf('Warehouse')).toContain('12 ');
    expect(remote.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer w', 'Bearer w']);
    await remote.close();
    await client.connection.invoke('SendMessage', 'And now?');
    await expect
      .poll(() => client.events.filter(({ name }) => name === 'TurnCompleted'))
      .toMatchObject([{ fields: { status: 'completed' } }, { fields: { status: 'completed' } }]);
    expect(toldTo(client).at(-1)).toMatchObject([{ name: 'Warehouse', status: 'failed' }]);
  });
});

describe('the remote agents of a server (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-18
  it('keep an agent whose address and headers are as they were', async () => {
    const remote = await warehouse();
    const { agents } = await open(definitionOf(remote.url));
    const before = agents.of('Warehouse');
    await agents.use([definitionOf(remote.url, { description: 'Knows more.', version: '2' })]);
    expect(agents.of('Warehouse')).toBe(before);
    await agents.use([definitionOf(remote.url, { headers: { Authorization: 'Bearer w' } })]);
    expect(agents.of('Warehouse')).not.toBe(before);
  });

  // proves service-2.18-18
  it('let a turn ask the agent that it began with, also when it is no longer defined', async () => {
    const remote = await warehouse();
    const { agents } = await open(definitionOf(remote.url));
    const begunWith = agents.of('Warehouse');
    await agents.use([]);
    const signal = new AbortController().signal;
    const reply = await begunWith?.ask({ text: 'bolts', messageId: 'm', signal }, () => undefined);
    expect(reply?.text).toBe('12 bolts');
  });

  // proves service-2.18-07
  it('are connected in the background: nobody waits for an agent that does not answer', async () => {
    const silent = await startRemoteServer(
      () => undefined,
      () => undefined,
    );
    const agents = new RemoteAgents(recordingLogger());
    onTestFinished(() => agents.close());
    await agents.use([definitionOf(silent.url)]);
    expect(agents.shown()).toMatchObject([{ name: 'Warehouse', status: 'connecting' }]);
    await expect.poll(() => silent.methods()).toEqual(['card']);
    await agents.close();
    await expect.poll(() => silent.openSockets()).toBe(0);
  });

  it('are those of the last list, also when lists come fast one after the other', async () => {
    const remote = await warehouse();
    const { agents } = await open();
    await Promise.all([agents.use([definitionOf(remote.url)]), agents.use([])]);
    expect(agents.shown()).toEqual([]);
  });

  it('stay as they were when an address is none', async () => {
    const remote = await warehouse();
    const { agents } = await open(definitionOf(remote.url));
    const before = agents.of('Warehouse');
    await expect(agents.use([definitionOf('ftp://warehouse.example')])).rejects.toThrow(TypeError);
    expect(agents.of('Warehouse')).toBe(before);
  });
});
