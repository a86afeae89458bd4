import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { completed, created, responseEvents, textDelta, webSearch } from '../support/responses-model.ts';
import { openSse } from '../support/sse-client.ts';
import { startServerProcess } from '../support/server-process.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const billing = 'kind: Prompt\nname: Billing\ndescription: Invoices.\ninstructions: Never guess.\n';

/** A folder with a configuration whose definitions are in `agents`. */
function project(files: Readonly<Record<string, string>>, changes: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-agents-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'agents'));
  const config = join(folder, 'helper.yaml');
  const write = (name: string, text: string): void => writeFileSync(join(folder, 'agents', name), text);
  const configure = (more: object): void => {
    const base = { appName: 'Shop', chatClient: 'demo', models: { demo: { provider: 'demo' } }, actions: 'none' };
    const storage = { type: 'embedded', path: join(folder, 'data') };
    writeFileSync(config, JSON.stringify({ ...base, storage, declarative: { directory: 'agents' }, ...more }));
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  configure(changes);
  const command = async (...parameters: readonly string[]) => {
    const context = fakeContext(folder, process.env as Readonly<Record<string, string>>);
    const code = await runCommand([...parameters, '--config', config], context);
    return { code, text: context.written() + context.complained() };
  };
  const start = () => startServerProcess({ folder: join(folder, 'data'), config });
  return { folder, write, configure, command, start };
}

/** The lines of the log with this message. */
function linesOf(printed: string, message: string): readonly Readonly<Record<string, unknown>>[] {
  return printed
    .split('\n')
    .filter((line) => line.includes(message))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>); // pino writes objects
}

const readAgain = 'the definitions of agents were read again';
const faulty = 'the definitions of agents have faults: the earlier ones stay';

describe('helper check (contract/agents.md#definitions)', () => {
  // proves extending-4-06, extending-4-16
  it('gives a file of another host the model of chatClient where no entry has its own, and says so', async () => {
    const written = (more: string): string => `${billing}model: { id: gpt-small${more} }\n`;
    const foreign = project({
      'a.agent.yaml': written(', provider: OpenAI, connection: { kind: key, key: =Env.KEY }'),
    });
    const { code, text } = await foreign.command('check');
    expect(code).toBe(0);
    expect(text).toMatch(/Billing\s.*demo/);
    expect(text).toContain('HLP1150');
    expect(text).toContain('model.id (no entry of models has gpt-small; "demo" answers)');

    const own = await project({ 'a.agent.yaml': written('') }).command('check');
    expect(own.code).not.toBe(0);
    expect(own.text).toContain('model.id: "gpt-small" is no entry of models that answers');
  });

  // proves extending-4-05, extending-4-19
  it('lists the agents of files, of helper.yaml and of plugins', async () => {
    const one = project(
      {
        'a.agent.yaml': `${billing}helper: { requiredRoles: [Finance], actions: ["order_*"] }
---
kind: Team
name: Quotes
description: Prepares quotes.
mode: sequential
members: [Billing, Clerk, Warehouse]
`,
      },
      {
        actions: { plugins: ['plugins'] },
        remoteAgents: [{ name: 'Warehouse', description: 'Stock.', agentCardUrl: 'https://w.example' }],
        declarative: {
          directory: 'agents',
          definitions: ['kind: Prompt\nname: Inline\ndescription: d\nmodel: =Env.MODEL\n'],
          configurationSection: 'values',
        },
        values: { MODEL: 'demo' },
      },
    );
    mkdirSync(join(one.folder, 'plugins'));
    const tool = (name: string): string =>
      `{ name: '${name}', description: 'd', parameters: { type: 'object', additionalProperties: true }, readOnly: true, execute: () => 1 }`;
    writeFileSync(
      join(one.folder, 'plugins/desk.plugin.js'),
      `export default { name: 'desk', actions: [${tool('order_list')}],
        specialists: [{ name: 'Clerk', description: 'd', instructions: 'i', actions: [${tool('look_up')}] }] };`,
    );
    const { code, text } = await one.command('check', '--json');
    expect({ code, text }).toMatchObject({ code: 0 });
    const { agents, actions } = JSON.parse(text) as { agents: { name: string; version: string }[]; actions: object[] }; // contract/configuration.md#commands
    expect(agents.map(({ version: _version, ...agent }) => agent)).toEqual([
      row('Warehouse', { kind: 'remote', from: 'helper.yaml', model: null }),
      row('Inline', { from: 'declarative.definitions[0]' }),
      row('Billing', { from: 'a.agent.yaml', tools: ['order_list'], roles: ['Finance'] }),
      row('Quotes', {
        ...{ kind: 'team', mode: 'sequential', from: 'a.agent.yaml', model: null },
        members: ['Billing', 'Clerk', 'Warehouse'],
      }),
      row('Clerk', { from: 'plugin desk', tools: ['look_up'] }),
    ]);
    expect(actions).toMatchObject([
      { name: 'order_list', agent: null },
      { name: 'look_up', agent: 'Clerk', from: 'plugin desk' },
    ]);
    expect((await one.command('check')).text).toMatch(/Billing +specialist +order_list +Finance +demo +[0-9a-f]{12} /);
  });

  // proves extending-4-11
  it('tells every fault with its file and line', async () => {
    const one = project(
      {
        'a.agent.yaml': `${billing}x: 1\n---\n${billing.replace('Billing', 'B')}model: big\n`,
        'b.agent.yaml': 'kind: Workflow\n',
      },
      { declarative: { directory: 'agents', definitions: ['kind: Prompt\nname: a/b\n'] } },
    );
    const { code, text } = await one.command('check');
    expect(code).toBe(78);
    expect(text).toMatch(/helper\.yaml:1:\d+ declarative\.definitions\[0\]\.name: line 2 of this text: found "a\/b"/);
    expect(text).toMatch(/agents\/a\.agent\.yaml:5:1 x: unknown key/);
    expect(text).toMatch(/agents\/a\.agent\.yaml:11:8 model\.id: "big" is no entry of models that answers/);
    expect(text).toMatch(/agents\/b\.agent\.yaml:1:7 kind: workflows of Microsoft Agent Framework cannot run here/);
  });
});

/** An agent as `helper check --json` lists it, without its version. */
function row(name: string, more: object): object {
  const common = { kind: 'specialist', mode: null, tools: [], members: [], roles: [], model: 'demo' };
  return { name, ...common, ...more };
}

describe('a server whose definitions have faults (contract/agents.md#definitions)', () => {
  // proves extending-4-11
  it('does not start', async () => {
    const one = project({ 'a.agent.yaml': `${billing}tools:\n  - { kind: function, name: get_invoice }\n` });
    const server = one.start();
    expect(await server.exited).toBe(78);
    expect(server.printed()).toMatch(
      /agents\/a\.agent\.yaml:6:29 tools\[0\]\.name: "get_invoice" is no action or tool: the server has none/,
    );
  });
});

describe('a specialist with tools of its provider (contract/agents.md#definitions)', () => {
  // proves extending-4-25
  it('has them sent with its own calls alone', async () => {
    const answer = responseEvents(created('r1'), ...webSearch('ws_1'), textDelta('It rains.'), completed('r1'));
    const routing = calling({ name: 'route_to_specialist', arguments: { name: 'Weather', request: 'Look.' } });
    const scripted = await startScriptedModel({ scripts: [routing, answer, saying('It rains there.')] });
    onTestFinished(() => scripted.close());
    const entry = { provider: 'openai', baseUrl: scripted.url, model: 'm', apiKey: 'none' };
    const text = 'kind: Prompt\nname: Weather\ndescription: d\nmodel: search\ntools: [{ kind: web_search }]\n';
    const models = { main: { ...entry, api: 'chat' }, search: entry };
    const one = project({ 'a.agent.yaml': text }, { chatClient: 'main', models });
    const server = one.start();
    const chat = await openSse(`${await server.url}/helper/chat?message=weather`);
    await chat.next('end');
    expect(chat.text()).toContain('It rains.');
    expect(scripted.requests.map(({ body }) => JSON.stringify(body['tools']).includes('web_search'))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('changed definitions (contract/agents.md#watching)', () => {
  const watching = { declarative: { directory: 'agents', watch: true } };

  // proves extending-4-21, extending-4-22
  it('are read again while the server runs; a faulty edit keeps the last good ones and is told once', async () => {
    const one = project({ 'a.agent.yaml': billing }, watching);
    const server = one.start();
    await server.url;
    const seen = (message: string, count: number) =>
      expect.poll(() => linesOf(server.printed(), message).length).toBe(count);

    one.write('a.agent.yaml', billing.replace('guess', 'invent'));
    await seen(readAgain, 1);
    one.write('a.agent.yaml', `${billing}x: 1\n`);
    await seen(faulty, 1);
    one.write('b.agent.yaml', billing.replace('Billing', 'Other'));
    await seen(faulty, 2);
    one.write('a.agent.yaml', billing);
    await seen(readAgain, 2);

    const [first, second] = linesOf(server.printed(), readAgain).map(({ agents }) => agents as readonly string[]);
    expect(first).toEqual([expect.stringMatching(/^Billing [0-9a-f]{12}$/)]);
    expect(second?.map((agent) => agent.split(' ')[0])).toEqual(['Billing', 'Other']);
    expect(second?.[0]).not.toBe(first?.[0]);
    expect(linesOf(server.printed(), faulty)[0]).toMatchObject({
      faults: [{ file: join(one.folder, 'agents/a.agent.yaml'), line: 5, path: 'x' }],
    });
  });

  // proves extending-4-21
  it('answer new turns, and a turn that runs keeps those that it began with', async () => {
    const gate = Promise.withResolvers<undefined>();
    const routing = calling({ name: 'route_to_specialist', arguments: { name: 'Billing', request: 'How much?' } });
    const held: ModelScript = async (exchange) => {
      await gate.promise;
      await routing(exchange);
    };
    const answers = [saying('Ten.'), saying('It is ten.')];
    const scripted = await startScriptedModel({ scripts: [held, routing, ...answers, ...answers] });
    onTestFinished(() => scripted.close());
    const main = { provider: 'openai', baseUrl: scripted.url, model: 'm', apiKey: 'none' };
    const one = project({ 'a.agent.yaml': billing }, { ...watching, chatClient: 'main', models: { main } });
    const server = one.start();
    const url = await server.url;
    const ask = () => openSse(`${url}/helper/chat?message=hello`);

    const first = await ask();
    await scripted.request(0);
    one.write('a.agent.yaml', billing.replace('guess', 'invent'));
    await expect.poll(() => linesOf(server.printed(), readAgain).length).toBe(1);
    const second = await ask();
    await scripted.request(1);
    await second.next('end');
    gate.resolve(undefined);
    await first.next('end');

    const told = scripted.requests.map(({ body }) => /Never \w+/.exec(JSON.stringify(body))?.[0]);
    expect(told).toEqual([undefined, undefined, 'Never invent', undefined, 'Never guess', undefined]);
    await expect.poll(() => linesOf(server.printed(), '"msg":"turn ended"').length).toBe(2);
    const versions = linesOf(server.printed(), '"msg":"turn ended"').map(({ agents }) => JSON.stringify(agents));
    expect(versions[0]).toMatch(/Billing/);
    expect(versions[0]).not.toBe(versions[1]);
  });

  // proves extending-4-23
  it('wait for a reload without declarative.watch', async () => {
    const one = project({ 'a.agent.yaml': billing });
    const server = one.start();
    await server.url;
    one.write('a.agent.yaml', `${billing}x: 1\n`);
    const refused = await one.command('reload');
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(/a\.agent\.yaml:5:1 x: unknown key/);
    one.write('a.agent.yaml', billing);
    expect((await one.command('reload')).code).toBe(0);
    expect(linesOf(server.printed(), readAgain)).toEqual([]);
  });

  // proves extending-4-24
  it('with a fault do not keep a changed secret from being taken', async () => {
    const key = 'the first key for the first time';
    const models = { demo: { provider: 'demo' }, main: { provider: 'openai', model: 'm', apiKey: '${file:key}' } };
    const one = project({ 'a.agent.yaml': billing }, {});
    writeFileSync(join(one.folder, 'key'), key);
    one.configure({ models });
    const server = one.start();
    await server.url;
    one.write('a.agent.yaml', `${billing}x: 1\n`);
    writeFileSync(join(one.folder, 'key'), 'the second key');
    const told = (message: string) => expect.poll(() => linesOf(server.printed(), message).length).toBeGreaterThan(0);
    await told('changed secret files were read again');
    await told(faulty);
  });

  // proves extending-4-23
  it('of helper.yaml are taken by a reload, the values of expressions too', async () => {
    const declarative = { directory: 'agents', configurationSection: 'values' };
    const one = project(
      { 'a.agent.yaml': `${billing}model: =Env.MODEL\n` },
      { declarative, values: { MODEL: 'demo' } },
    );
    const server = one.start();
    await server.url;
    one.configure({ declarative, values: { MODEL: 'other' } });
    expect((await one.command('reload')).text).toContain('=Env.MODEL is no entry of models');
    const agent = { name: 'Warehouse', description: 'Stock.', agentCardUrl: 'https://w.example' };
    const models = { demo: { provider: 'demo' }, other: { provider: 'demo' } };
    one.configure({ declarative, values: { MODEL: 'other' }, models, remoteAgents: [agent] });
    const { code, text } = await one.command('reload');
    expect(code).toBe(0);
    for (const taken of ['models', 'remoteAgents', 'values']) expect(text).toContain(taken);
  });
});
