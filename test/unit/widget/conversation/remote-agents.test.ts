import { describe, expect, it } from 'vitest';
import { testConversation, type TestConversation } from './fake-hub.ts';

const warehouse = { name: 'Warehouse', agentCardUrl: 'https://warehouse.example', status: 'connected' } as const;

const shown = ({ conversation }: TestConversation): unknown => conversation.state.status.agents;

async function connected(settings: Parameters<typeof testConversation>[0]): Promise<TestConversation> {
  const test = testConversation(settings);
  void test.conversation.send({ text: 'Hello' });
  await test.settled();
  return test;
}

describe('remote agents (contract/widget.md#remote-agents)', () => {
  // proves service-2.20-09
  it('are those of the connection, also in a new conversation, until another connection tells of others', async () => {
    const test = await connected({ showsRemoteAgents: true });
    test.listener.onStatus({ agents: [warehouse] });
    expect(shown(test)).toEqual([warehouse]);
    void test.conversation.newConversation();
    expect(shown(test)).toEqual([warehouse]);
    test.drop();
    test.restore();
    expect(shown(test)).toBeUndefined();
  });

  // proves service-2.20-09
  it('are not shown unless the widget shows them', async () => {
    const test = await connected({});
    test.listener.onStatus({ agents: [warehouse] });
    expect(shown(test)).toBeUndefined();
  });

  // proves service-2.20-10
  it('are those that the page expects until there is a connection', async () => {
    const test = testConversation({
      showsRemoteAgents: true,
      expectedAgents: [{ ...warehouse, status: 'connecting' }],
    });
    expect(shown(test)).toEqual([{ ...warehouse, status: 'connecting' }]);
    void test.conversation.send({ text: 'Hello' });
    await test.settled();
    expect(shown(test)).toBeUndefined();
  });

  // proves service-2.20-11
  it('beside MCP servers are told apart, and each is shown where the widget shows it', async () => {
    const erp = { name: 'erp', status: 'connected', toolCount: 2 } as const;
    const statusOf = async (settings: Parameters<typeof testConversation>[0]): Promise<unknown> => {
      const test = await connected(settings);
      test.listener.onStatus({ agents: [warehouse] });
      test.listener.onStatus({ servers: [erp] });
      return test.conversation.state.status;
    };
    expect(await statusOf({ showsMcpServers: true })).toEqual({ servers: [erp] });
    expect(await statusOf({ showsRemoteAgents: true })).toEqual({ agents: [warehouse] });
    expect(await statusOf({ showsRemoteAgents: true, showsMcpServers: true })).toEqual({
      agents: [warehouse],
      servers: [erp],
    });
    expect(testConversation({ showsMcpServers: true, expectedServers: [] }).conversation.state.status).toEqual({
      servers: [],
    });
  });

  // proves service-2.20-09
  it('of one user are not shown to the next', async () => {
    const test = await connected({ showsRemoteAgents: true });
    test.listener.onStatus({ agents: [warehouse] });
    test.listener.onOtherUser();
    expect(shown(test)).toBeUndefined();
  });
});
