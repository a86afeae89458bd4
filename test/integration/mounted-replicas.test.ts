import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { officialClient } from '../support/hub-official-client.ts';
import { mountedHost, type MountedHost } from '../support/mounted-host.ts';
import { hasReplicas, servicesOfFile } from '../support/replicas/replica-processes.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';

const services = servicesOfFile();

const plugin = `
  const parameters = { type: 'object', properties: { order: { type: 'integer' } } };
  export default {
    name: 'shop',
    actions: [{ name: 'cancel', description: 'Cancels.', parameters, execute: ({ order }) => ({ order, done: true }) }],
  };`;

/** Hosts whose assistants are replicas of each other. */
async function mountedReplicas(
  first: readonly ModelScript[],
  second: readonly ModelScript[],
): Promise<readonly [MountedHost, MountedHost]> {
  const { postgres, redis } = await services();
  const folder = mkdtempSync(join(tmpdir(), 'mounted-replicas-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await postgres.newDatabase();
  const host = (name: string, scripts: readonly ModelScript[]): Promise<MountedHost> =>
    mountedHost({
      scripts,
      plugin,
      settings: {
        hitlMode: 'Native',
        storage: { type: 'postgres', url, path: join(folder, name) },
        scaleOut: { type: 'redis', url: redis.url(), prefix: 'mounted', replicas: 2 },
        dataProtection: { keys: [Buffer.alloc(32, 7).toString('base64')] },
      },
    });
  return [await host('one', first), await host('other', second)];
}

describe.skipIf(!hasReplicas)('assistants inside other servers that are replicas (contract/replicas.md#turns)', () => {
  it('answer a question of each other, read its turn on, and serve the hub each', async () => {
    const cancel = calling({ name: 'cancel', arguments: { order: 7 } });
    const [one, other] = await mountedReplicas([cancel, saying('Done.')], [saying('Hello.')]);
    const turn = await openSse(`${one.assistant}/helper/chat`, { body: { message: 'Cancel order 7' } });
    const { data: question } = await turn.next('confirmation');
    const approved = await fetch(`${other.assistant}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: question?.['actionId'], approved: true }),
    });
    expect([approved.status, await approved.json()]).toMatchObject([200, { outcome: 'approved' }]);
    expect((await turn.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    const again = await openSse(`${other.assistant}/helper/chat`, {
      headers: { 'last-event-id': `${String(turn.headers['x-turn-id'])}:0` },
    });
    expect((await again.next('end')).data).toMatchObject({ status: 'completed', text: 'Done.' });
    const { connection } = await officialClient(`${other.assistant}/helper-hub`);
    expect(await connection.invoke('SendMessage', 'Hi', {})).toMatchObject({ status: 'completed' });
  });
});
