import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { a2aClient, asking, everyTask, replyOf, taskOf, wordsOf } from '../support/a2a-client.ts';
import { freePort } from '../support/free-port.ts';
import { linkIn, PageOfQuestion, sessionCookie, tokensOf } from '../support/mcp/confirming-server.ts';
import { calling, hangingAfter, saying, type ScriptedModel } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

async function agent(more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-a2a-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { a2aServerEnabled: true, auth: { jwt: { secret: tokenSecret } }, ...more };
  const scripts = [saying('Two orders.'), hangingAfter('One moment')];
  const { configuration, model } = await scriptedConfiguration({ scripts, callbacks: [], settings });
  const config = join(folder, 'helper.yaml');
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ ...configuration, actions: 'none' }));
  const token = await makeToken({ sub: 'ann' });
  const start = async (): Promise<
    ServerProcess & { client: Awaited<ReturnType<typeof a2aClient>>; model: ScriptedModel }
  > => {
    const server = startServerProcess({ folder, config });
    return { ...server, model, client: await a2aClient(await server.url, token) };
  };
  return { start };
}

describe('tasks over a restart (contract/a2a-server.md#tasks)', () => {
  // proves service-4.8-21
  it('are still told when they were over, and are failed when they ran', async () => {
    const { start } = await agent();
    const first = await start();
    const done = await taskOf(first.client.sendMessage(asking('Which?')));
    const running = await taskOf(
      first.client.sendMessage(asking('Count', { configuration: { returnImmediately: true } })),
    );
    await first.kill('SIGKILL');

    const { client } = await start();
    expect(replyOf(await client.getTask({ tenant: '', id: done.id }))).toBe('Two orders.');
    const { tasks } = await client.listTasks(everyTask);
    expect(tasks.map(({ id, status }) => [id, status?.state])).toEqual([
      [running.id, TaskState.TASK_STATE_FAILED],
      [done.id, TaskState.TASK_STATE_COMPLETED],
    ]);
    const interrupted = await client.getTask({ tenant: '', id: running.id });
    expect(wordsOf(interrupted)).toContain('The server was interrupted before the answer was complete.');
  });

  // proves service-4.8-21
  it.each(['SIGKILL', 'SIGTERM'] as const)('go on where turns do, and end as they would have: %s', async (signal) => {
    const { start } = await agent({ server: { durableTurns: true, shutdownGrace: '1s' } });
    const first = await start();
    await taskOf(first.client.sendMessage(asking('Which?')));
    const { id } = await taskOf(
      first.client.sendMessage(asking('Count', { configuration: { returnImmediately: true } })),
    );
    await first.model.request(1);
    await first.kill(signal);

    const { client } = await start();
    await vi.waitFor(async () => {
      const task = await client.getTask({ tenant: '', id });
      expect([task.status?.state, replyOf(task)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'OK']);
    });
  });

  it('that run when the server stops say so, and are kept', async () => {
    const { start } = await agent({ server: { shutdownGrace: '1s' } });
    const first = await start();
    await taskOf(first.client.sendMessage(asking('Which?')));
    const { id } = await taskOf(
      first.client.sendMessage(asking('Count', { configuration: { returnImmediately: true } })),
    );
    await first.kill('SIGTERM');

    const { client } = await start();
    const stopped = await client.getTask({ tenant: '', id });
    expect(stopped.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(wordsOf(stopped)).toContain('The server is being restarted.');
  });
});

/** The action writes a line each time that it runs. */
const bankPlugin = `
import { appendFileSync } from 'node:fs';
export default {
  name: 'bank',
  actions: [{
    name: 'pay', description: 'Pays an amount.',
    parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    execute: ({ amount }) => { appendFileSync(process.env.LEDGER, amount + '\\n'); return { amount }; },
  }],
};`;

async function bank(hitlMode: 'Native' | 'Blocking') {
  const folder = mkdtempSync(join(tmpdir(), 'helper-a2a-bank-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const scripts = [calling({ name: 'pay', arguments: { amount: 5 } }), saying('Paid.')];
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  const { configuration } = await scriptedConfiguration({
    scripts,
    plugin: bankPlugin,
    settings: {
      ...{ a2aServerEnabled: true, hitlMode, server: { publicUrl: origin } },
      auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } },
      endpoints: { a2a: { confirmations: 'page' } },
    },
  });
  const [config, ledger] = [join(folder, 'helper.yaml'), join(folder, 'ledger')];
  writeFileSync(config, JSON.stringify(configuration));
  writeFileSync(ledger, '');
  const tokens = await tokensOf('ann');
  const start = async () => {
    const server = startServerProcess({
      folder,
      config,
      environment: { HELPER__SERVER__PORT: port, LEDGER: ledger },
    });
    await server.url;
    return { ...server, client: await a2aClient(origin, tokens.program) };
  };
  const pageOf = (task: object): PageOfQuestion => new PageOfQuestion(origin, linkIn(task), { token: tokens.browser });
  return { start, pageOf, paid: () => readFileSync(ledger, 'utf8') };
}

describe('a task that waits for its user over a restart (contract/a2a-server.md#confirmations)', () => {
  // proves service-4.8-32
  it('goes on waiting where questions are kept, and its action runs once', async () => {
    const { start, pageOf, paid } = await bank('Native');
    const first = await start();
    const task = await taskOf(first.client.sendMessage(asking('Pay 5')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    await first.kill('SIGKILL');

    const { client } = await start();
    const read = () => client.getTask({ tenant: '', id: task.id });
    expect((await read()).status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    await Promise.all([pageOf(task).answer('approve'), pageOf(task).answer('approve')]);
    await vi.waitFor(async () => {
      const after = await read();
      expect([after.status?.state, replyOf(after)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'Paid.']);
    });
    expect(paid()).toBe('5\n');
  });

  // proves service-4.8-32
  it('is failed where they are not, and nothing runs', async () => {
    const { start, pageOf, paid } = await bank('Blocking');
    const first = await start();
    const task = await taskOf(first.client.sendMessage(asking('Pay 5')));
    await first.kill('SIGKILL');
    const { client } = await start();
    expect((await client.getTask({ tenant: '', id: task.id })).status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(await pageOf(task).text()).not.toContain('<form');
    expect(paid()).toBe('');
  });
});
