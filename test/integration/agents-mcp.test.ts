import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { answering, mcpHelper, offeredIn, reasonsIn, statusesIn } from '../support/mcp/mcp-helper.ts';
import { type RealMcpServer, startMcpServer, type TestTool } from '../support/mcp/real-mcp-server.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

/** Tools that note what they have done. */
function parts(): { readonly tools: readonly TestTool[]; readonly ran: string[] } {
  const ran: string[] = [];
  const tool = (name: string, more: Partial<TestTool>): TestTool => ({
    ...{ name, description: `${name} in the store.`, ...more },
    inputSchema: { type: 'object', properties: { part: { type: 'string' } } },
    run: ({ part }) => {
      ran.push(`${name} ${String(part)}`);
      return `${name} is done`;
    },
  });
  return { ran, tools: [tool('find_part', { annotations: { readOnlyHint: true } }), tool('order_part', {})] };
}

/** The definition of an agent with an MCP server of its own. */
function buyer(url: string, more = ''): string {
  return [
    'kind: Prompt',
    'name: Buyer',
    'description: Buys parts.',
    'instructions: You buy parts.',
    'tools:',
    `  - { kind: mcp, name: erp, url: "${url}"${more} }`,
  ].join('\n');
}

const handOver = calling({ name: 'route_to_specialist', arguments: { name: 'Buyer', request: 'Buy a wheel' } });
const call = (tool: string): ModelScript => calling({ name: `buyer_erp__${tool}`, arguments: { part: 'wheel' } });

const bothOk = ['Buyer/erp', 'Seller/erp'].map((name) => ({ name: `mcp:${name}`, state: 'ok' }));

async function helperWith(definition: string, scripts: readonly ModelScript[]) {
  return mcpHelper([], scripts, { declarative: { definitions: [definition] } });
}

describe('MCP servers that one agent has for itself (contract/agents.md#own-mcp-servers)', () => {
  // proves extending-4-26
  it('give their tools to that agent alone, whose writes ask, and run once when approved', async () => {
    const { tools, ran } = parts();
    const mcp = await startMcpServer('new', tools);
    const scripts = [handOver, call('find_part'), call('order_part'), saying('Ordered by Buyer.'), saying('Done.')];
    const { session, model } = await helperWith(buyer(mcp.url), scripts);
    const events = await answering(session.send('buy a wheel'), (actionId) => session.approve(actionId, true));
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ConfirmationRequested', agent: 'Buyer', action: 'buyer_erp__order_part' }),
    );
    expect(statusesIn(events)).toEqual(
      expect.arrayContaining(['buyer_erp__find_part succeeded', 'buyer_erp__order_part succeeded']),
    );
    expect(ran).toEqual(['find_part wheel', 'order_part wheel']);
    expect(offeredIn(model, 1)).toEqual(['buyer_erp__find_part', 'buyer_erp__order_part']);
    expect(offeredIn(model, 0)).not.toEqual(expect.arrayContaining(['buyer_erp__find_part']));
  });

  // proves extending-4-27
  it.each([
    ['always', ', approvalMode: always'],
    ['specify', ', approvalMode: { kind: specify, alwaysRequireApprovalTools: [find_part] }'],
  ])('ask for reads too where the mode is %s', async (_mode, more) => {
    const { tools, ran } = parts();
    const mcp = await startMcpServer('new', tools);
    const scripts = [handOver, call('find_part'), saying('Not found.'), saying('Done.')];
    const { session } = await helperWith(buyer(mcp.url, more), scripts);
    const events = await answering(session.send('find a wheel'), (actionId) => session.approve(actionId, false));
    expect(reasonsIn(events)).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  // proves extending-4-27, extending-4-29
  it('offer what is allowed, ask for writes with never, and are read as Microsoft Agent Framework writes them', async () => {
    const { tools, ran } = parts();
    const mcp = await startMcpServer('new', tools);
    const definition = [
      'kind: Prompt',
      'name: Buyer',
      'description: Buys parts.',
      'instructions: You buy parts.',
      'tools:',
      '  - kind: mcp',
      '    serverName: erp',
      '    serverDescription: The store.',
      `    connection: { kind: AnonymousConnection, endpoint: "${mcp.url}" }`,
      '    allowedTools: [order_part]',
      '    approvalMode: { kind: never }',
    ].join('\n');
    const { session, model, log } = await helperWith(definition, [
      handOver,
      call('order_part'),
      saying('Not ordered.'),
      saying('Done.'),
    ]);
    const events = await answering(session.send('buy a wheel'), (actionId) => session.approve(actionId, false));
    expect(reasonsIn(events)).toHaveLength(1);
    expect(offeredIn(model, 1)).toEqual(['buyer_erp__order_part']);
    expect(ran).toEqual([]);
    const warned = log.lines.filter(({ message }) => message.includes('connection'));
    expect(warned).toEqual([]);
  });

  // proves extending-4-28
  it('are named with their agent to those who may reach it', async () => {
    const mcp = await startMcpServer('new', parts().tools);
    const { readiness } = await started(mcp);
    await expect.poll(readiness).toEqual(expect.arrayContaining([{ name: 'mcp:Buyer/erp', state: 'ok' }]));
  });

  // proves extending-4-30
  it('go and come with the definitions, while a turn that runs keeps the tools that it began with', async () => {
    const { tools, ran } = parts();
    const mcp = await startMcpServer('new', tools);
    const one = await started(mcp, [handOver, call('order_part'), saying('Ordered.'), saying('Done.')]);
    await expect.poll(one.readiness).toHaveLength(one.checks + 1);
    const chat = await openSse(`${one.url}/helper/chat?message=buy`);
    const { data = {} } = await chat.next('confirmation');
    one.write('kind: Prompt\nname: Clerk\ndescription: Files things.\ninstructions: You file.\n');
    await expect.poll(one.readiness).toHaveLength(one.checks);
    const approved = await fetch(`${one.url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data['actionId'], approved: true }),
    });
    expect(approved.status).toBe(200);
    expect((await chat.next('end')).data).toMatchObject({
      receipts: [{ action: 'buyer_erp__order_part', status: 'succeeded' }],
    });
    expect(ran).toEqual(['order_part wheel']);
    one.write(buyer(mcp.url));
    await expect.poll(one.readiness).toHaveLength(one.checks + 1);
  });

  // proves extending-4-26
  it('are there for a turn that a killed process has left with an open question', async () => {
    const { tools, ran } = parts();
    const mcp = await startMcpServer('new', tools);
    const one = await started(mcp, [handOver, call('order_part'), saying('Ordered.'), saying('Done.')]);
    const chat = await openSse(`${one.url}/helper/chat?message=buy`);
    const { id = '', data = {} } = await chat.next('confirmation');
    await one.kill();
    const url = await one.again();
    const approved = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data['actionId'], approved: true }),
    });
    expect(approved.status).toBe(200);
    const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({
      status: 'completed',
      receipts: [{ action: 'buyer_erp__order_part', status: 'succeeded' }],
    });
    expect(ran).toEqual(['order_part wheel']);
  });

  // proves extending-4-26
  it('keep their names in every process, whichever server with the same tools answers first', async () => {
    const [{ tools, ran }, others] = [parts(), parts()];
    const [mcp, other] = await Promise.all([startMcpServer('new', tools), startMcpServer('new', others.tools)]);
    const both = `${buyer(mcp.url)}\n---\n${buyer(other.url).replace('Buyer', 'Seller')}`;
    const one = await started(mcp, [handOver, call('order_part'), saying('Ordered.'), saying('Done.')], both);
    await expect.poll(one.readiness).toEqual(expect.arrayContaining(bothOk));
    const chat = await openSse(`${one.url}/helper/chat?message=buy`);
    const { id = '', data = {} } = await chat.next('confirmation');
    await one.kill();
    const gate = Promise.withResolvers<false>();
    mcp.before = () => gate.promise;
    const url = await one.again();
    const checks = async () => ((await (await fetch(`${url}/readyz`)).json()) as { readonly checks: unknown }).checks; // as its schema says
    await expect.poll(checks).toEqual(expect.arrayContaining(bothOk.slice(1)));
    gate.resolve(false);
    await expect.poll(checks).toEqual(expect.arrayContaining(bothOk));
    const approved = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data['actionId'], approved: true }),
    });
    expect(approved.status).toBe(200);
    const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed' });
    expect([ran, others.ran]).toEqual([['order_part wheel'], []]);
  });

  // proves extending-4-26
  it.each([
    ['name', '{ kind: mcp, url: "https://erp.example/mcp" }', 'missing; an MCP server needs it'],
    ['url', '{ kind: mcp, name: erp }', 'missing; an MCP server needs it'],
    ['url', '{ kind: mcp, name: erp, url: "ftp://erp.example" }', 'found'],
    [
      'approvalMode.kind',
      '{ kind: mcp, name: erp, url: "https://erp.example/mcp", approvalMode: maybe }',
      'found "maybe"',
    ],
    [
      'fileIds',
      '{ kind: mcp, name: erp, url: "https://erp.example/mcp", fileIds: [x] }',
      'is no member of a tool with kind: mcp',
    ],
  ])('that lack or misspell %s are a fault', async (key, tool, message) => {
    const definition = `kind: Prompt\nname: Buyer\ndescription: Buys.\ntools: [${tool}]`;
    await expect(helperWith(definition, [])).rejects.toMatchObject({
      faults: [
        expect.objectContaining({
          path: expect.stringContaining(`tools[0].${key}`),
          message: expect.stringContaining(message),
        }),
      ],
    });
  });
});

describe('a changed list of MCP servers (contract/mcp-servers.md#configuration)', () => {
  // proves service-2.16-06
  it('is taken by a reload: new servers are connected, the others are left, and one that stays keeps its connection', async () => {
    const [stays, goes, comes] = await Promise.all([1, 2, 3].map(() => startMcpServer('new', parts().tools)));
    const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-reload-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, 'helper.yaml');
    const write = (entries: Readonly<Record<string, RealMcpServer | undefined>>): void => {
      const mcpServers = Object.entries(entries).map(([name, mcp]) => ({ name, serverUrl: mcp?.url }));
      const demo = { chatClient: 'demo', models: { demo: { provider: 'demo' } }, actions: 'none' };
      writeFileSync(config, JSON.stringify({ appName: 'Test', ...demo, storage: { path: folder }, mcpServers }));
    };
    write({ stays, goes });
    const url = await startServerProcess({ folder, config }).url;
    const servers = async (): Promise<readonly string[]> => {
      const { checks } = (await (await fetch(`${url}/readyz`)).json()) as {
        readonly checks: readonly { readonly name: string; readonly state: string }[];
      }; // as its schema says
      return checks.filter(({ name }) => name.startsWith('mcp:')).map(({ name, state }) => `${name} ${state}`);
    };
    await expect.poll(servers).toEqual(['mcp:stays ok', 'mcp:goes ok']);
    const lists = stays?.of('tools/list').length;
    write({ stays, comes });
    const context = fakeContext(folder);
    await runCommand(['reload', '--config', config], context);
    expect(context.written()).toContain('mcpServers');
    await expect.poll(servers).toEqual(['mcp:stays ok', 'mcp:comes ok']);
    expect(stays?.of('tools/list')).toHaveLength(lists ?? 0);
  });
});

/** A server process that watches one file of definitions. */
async function started(mcp: RealMcpServer, scripts: readonly ModelScript[] = [], definitions = buyer(mcp.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-own-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const agents = join(folder, 'all.agent.yaml');
  const write = (text: string): void => {
    writeFileSync(agents, text);
  };
  write(definitions);
  const configuration = {
    appName: 'Test',
    hitlMode: 'Native',
    chatClient: 'main',
    models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
    actions: 'none',
    declarative: { directory: '.', watch: true },
  };
  writeFileSync(config, JSON.stringify(configuration));
  const server = startServerProcess({ folder, config });
  const url = await server.url;
  const readiness = async (): Promise<readonly unknown[]> => {
    const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { readonly checks: readonly unknown[] }; // as its schema says
    return checks;
  };
  return {
    ...{ url, write, readiness },
    /** The checks of a server without MCP servers. */
    checks: 1,
    kill: () => server.kill('SIGKILL'),
    again: () => startServerProcess({ folder, config }).url,
  };
}
