import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAgents } from '../../src/config/agents/read-agents.ts';
import { realServer } from '../support/real-server.ts';
import { openSse } from '../support/sse-client.ts';
import { openAgent } from '../support/asked-agent.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const guide = 'docs/guides/remote-agents.md';

/** Starts the agent of the guide as a reader would save it. Resolves with its address. */
async function startWarehouse(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'remote-agents-guide-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  const file = join(directory, 'warehouse.mjs');
  writeFileSync(file, exampleFile(guide, 'warehouse.mjs'));
  const program: ChildProcess = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  if (program.stdout === null) throw new Error('the output of the program is not read');
  for await (const line of createInterface({ input: program.stdout })) return line;
  throw new Error('the agent ended without its address');
}

describe('the guide to an agent in place of the model (contract/agents.md#an-agent-that-answers)', () => {
  // proves configuration-6-92
  it('has an agent of a plugin that answers by rules, and looks orders up', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'answering-agent-guide-'));
    onTestFinished(() => {
      rmSync(directory, { recursive: true });
    });
    mkdirSync(join(directory, 'plugins'));
    for (const name of ['helper.yaml', 'plugins/rules.plugin.js'])
      writeFileSync(join(directory, name), exampleFile(guide, name));
    const { url } = await realServer({}, join(directory, 'helper.yaml'));
    const say = async (message: string): Promise<string> => {
      const stream = await openSse(`${url}/helper/chat?message=${encodeURIComponent(message)}`);
      await stream.closed;
      return stream.text();
    };
    await expect(say('hello')).resolves.toBe('Which order do you mean?');
    await expect(say('where is order 12?')).resolves.toMatch(/I have looked: .*packed/u);
  });
});

describe('the guide to remote agents (contract/agents.md#remote-agents)', () => {
  it('has a definition with roles and a header of its own', () => {
    const { agents, faults } = readAgents({
      configFile: 'helper.yaml',
      declarative: {
        ...{ directory: null, searchPattern: '*.agent.yaml', recursive: false, watch: false },
        definitions: [exampleFile(guide, 'warehouse.agent.yaml')],
        configurationSection: 'agentVariables',
      },
      agentVariables: { WAREHOUSE_TOKEN: 'Bearer w' },
      remoteAgents: [],
    });
    expect(faults).toEqual([]);
    expect(agents[0]?.definition).toMatchObject({
      name: 'Warehouse',
      agentCardUrl: 'https://warehouse.example',
      requiredRoles: ['Clerk'],
      headers: { Authorization: 'Bearer w' },
    });
  });

  it('has an agent that answers, and that asks back', async () => {
    const { ask, agent } = openAgent(await startWarehouse());
    await expect(ask('How many bolts are there?')).resolves.toMatchObject({
      text: 'There are 1200 bolts.',
      asksBack: false,
    });
    const question = await ask('How many are there?');
    expect(question).toMatchObject({ text: 'Which article?', asksBack: true });
    await expect(ask('nuts', { thread: question.thread })).resolves.toMatchObject({ text: 'There are 0 nuts.' });
    expect(agent.status).toBe('connected');
  });
});
