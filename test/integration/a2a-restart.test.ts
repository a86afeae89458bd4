import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { a2aClient, asking, everyTask, replyOf, taskOf, wordsOf } from '../support/a2a-client.ts';
import { hangingAfter, saying, type ScriptedModel } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** The test starts processes, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

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

  it('go on where turns do, and end as they would have', async () => {
    const { start } = await agent({ server: { durableTurns: true } });
    const first = await start();
    await taskOf(first.client.sendMessage(asking('Which?')));
    const { id } = await taskOf(
      first.client.sendMessage(asking('Count', { configuration: { returnImmediately: true } })),
    );
    await first.model.request(1);
    await first.kill('SIGKILL');

    const { client } = await start();
    await vi.waitFor(async () => {
      const task = await client.getTask({ tenant: '', id });
      expect([task.status?.state, replyOf(task)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'OK']);
    }, 20_000);
  });

  it('that run when the server stops say so, and are kept', async () => {
    const { start } = await agent();
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
