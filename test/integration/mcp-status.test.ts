import { describe, expect, it } from 'vitest';
import { type OfficialClient, officialClient } from '../support/hub-official-client.ts';
import { allOf } from '../support/in-process-helper.ts';
import { mcpHelper, offeredIn } from '../support/mcp/mcp-helper.ts';
import { startMcpServer, type TestTool } from '../support/mcp/real-mcp-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const tool = (name: string): TestTool => ({ name, annotations: { readOnlyHint: true }, run: () => name });

/** What a connection was told of the MCP servers, in order. */
const toldTo = ({ events }: OfficialClient): readonly unknown[] =>
  events.filter(({ name }) => name === 'McpStatusChanged').map(({ fields }) => fields['servers']);

describe('McpStatusChanged (contract/events.md#events-of-the-connection)', () => {
  // proves service-2.16-25, service-2.16-26
  it('tells each connection how the servers are doing, and then each change', async () => {
    const mcp = await startMcpServer('new', [tool('one'), tool('two')]);
    const settings = { mcpServers: [{ name: 'erp', serverUrl: mcp.url }] };
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'one', arguments: {} }), saying('Gone.')],
      settings,
    });
    const client = await officialClient(`${url}/helper-hub`);
    const connected = [{ name: 'erp', status: 'connected', toolCount: 2 }];
    await expect.poll(() => toldTo(client).at(-1)).toEqual(connected);
    expect(client.events[0]?.name).toBe('Connected');
    await mcp.close();
    await client.connection.invoke('SendMessage', 'one');
    const failed = [{ name: 'erp', status: 'failed', toolCount: 2, error: 'could not be reached' }];
    await expect.poll(() => toldTo(client).at(-1)).toEqual(failed);
    await mcp.listen();
    await expect.poll(() => toldTo(client).at(-1)).toEqual(connected);
    expect(client.faults()).toEqual([]);
  });

  // proves service-2.16-25
  it('is not sent where there are no servers', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hi.')] });
    const client = await officialClient(`${url}/helper-hub`);
    await client.connection.invoke('SendMessage', 'hello');
    expect(toldTo(client)).toEqual([]);
  });

  // proves service-2.16-26, service-2.16-44
  it('names a server with roles only to those who have one of them, and its tools run for them alone', async () => {
    const mcp = await startMcpServer('new', [tool('one')]);
    const { url, model } = await scriptedServer({
      scripts: [
        calling({ name: 'one', arguments: {} }),
        saying('No.'),
        calling({ name: 'one', arguments: {} }),
        saying('Yes.'),
      ],
      overrides: { HELPER__AUTH__JWT__SECRET: tokenSecret },
      settings: { mcpServers: [{ name: 'vault', serverUrl: mcp.url, requiredRoles: ['boss'] }] },
    });
    const anybody = await officialClient(`${url}/helper-hub`);
    const boss = await officialClient(`${url}/helper-hub`, { token: await makeToken({ sub: 'ann', role: 'boss' }) });
    await expect.poll(() => toldTo(boss).at(-1)).toMatchObject([{ name: 'vault', status: 'connected' }]);
    expect(toldTo(anybody)).toEqual([]);
    await anybody.connection.invoke('SendMessage', 'one');
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('needs the role boss');
    expect(mcp.of('tools/call')).toEqual([]);
    await boss.connection.invoke('SendMessage', 'one');
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  // proves service-2.16-25
  it('says that a server is disabled while the kill switch stops all its tools', async () => {
    const mcp = await startMcpServer('new', [tool('one')]);
    const { url } = await scriptedServer({
      scripts: [],
      settings: { mcpServers: [{ name: 'erp', serverUrl: mcp.url }], killSwitch: { tools: ['one'] } },
    });
    const client = await officialClient(`${url}/helper-hub`);
    await expect.poll(() => toldTo(client).at(-1)).toEqual([{ name: 'erp', status: 'disabled', toolCount: 1 }]);
  });
});

describe('the tools of an MCP server (contract/mcp-servers.md#tools)', () => {
  // proves service-2.16-41
  it.each(['new', 'old'] as const)(
    'are taken for new turns when the %s server says that they have changed',
    async (era) => {
      const mcp = await startMcpServer(era, [tool('one')]);
      const { session, model } = await mcpHelper([{ name: 'erp', serverUrl: mcp.url }], [saying('1'), saying('2')]);
      await allOf(session.send('hello'));
      expect(offeredIn(model, 0)).toContain('one');
      mcp.tools = [tool('two')];
      const before = mcp.of('tools/list').length;
      await expect
        .poll(() => mcp.requests.some(({ method }) => method === 'GET' || method.startsWith('subscriptions/')))
        .toBe(true);
      await expect
        .poll(
          async () => {
            await mcp.changed();
            return mcp.of('tools/list').length;
          },
          { interval: 500 },
        )
        .toBeGreaterThan(before);
      await expect
        .poll(async () => {
          model.script(saying('more'));
          await allOf(session.send('hello again'));
          return offeredIn(model, model.requests.length - 1);
        })
        .toContain('two');
      expect(offeredIn(model, model.requests.length - 1)).not.toContain('one');
    },
  );

  // proves service-2.16-40
  it('are only those of allowedTools, and each has the same name for as long as it is free', async () => {
    const [first, second] = [
      await startMcpServer('new', [tool('one'), tool('two')]),
      await startMcpServer('new', [tool('one')]),
    ];
    const servers = [
      { name: 'first', serverUrl: first.url, allowedTools: ['one', 'three'] },
      { name: 'second', serverUrl: second.url },
    ];
    const { session, model, log } = await mcpHelper(servers, [saying('1')]);
    await allOf(session.send('hello'));
    const offered = offeredIn(model, 0).filter((name) => /one|two/.test(name));
    expect(offered).toHaveLength(2);
    expect(offered).toContain('one');
    expect(offered.some((name) => /^(first|second)__one$/.test(name))).toBe(true);
    expect(JSON.stringify(log.lines)).toContain(
      'allowedTools names \\"three\\", which is no tool of the MCP server first',
    );
  });

  // proves service-2.16-47
  it('are warned of on the dashboard where the configuration names what is not there', async () => {
    const mcp = await startMcpServer('new', [tool('get_order')]);
    const { url } = await scriptedServer({
      scripts: [],
      settings: {
        dashboardRole: '',
        mcpServers: [{ name: 'erp', serverUrl: mcp.url, tools: { get_ordr: { readOnly: true } } }],
      },
    });
    await expect
      .poll(async () => {
        const figures = (await (await fetch(`${url}/helper/admin/metrics`)).json()) as {
          readonly server: { readonly warnings: readonly { readonly code: string; readonly message: string }[] };
        }; // as the server writes it
        return figures.server.warnings.filter(({ code }) => code === 'HLP1161').map(({ message }) => message);
      })
      .toEqual([
        'tools names "get_ordr", which is no tool of the MCP server erp, so it does nothing (did you mean "get_order"?).',
      ]);
  });

  // proves service-2.16-13
  it('have the trace context of the call', async () => {
    const mcp = await startMcpServer('new', [tool('one')]);
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'one', arguments: {} }), saying('Yes.')],
      settings: { mcpServers: [{ name: 'erp', serverUrl: mcp.url }] },
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const answer = await fetch(`${url}/helper/chat?message=one`, { headers: { traceparent } });
    await answer.text();
    expect(mcp.of('tools/call')[0]?.params['_meta']).toMatchObject({ traceparent });
  });
});
