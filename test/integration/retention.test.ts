import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildServer, type ListeningServer } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { openSse } from '../support/sse-client.ts';

const dayMs = 86_400_000;
const file = join(import.meta.dirname, '../../config/helper.yaml');

describe('what was confirmed (contract/operations.md#retention)', () => {
  // proves configuration-7-14
  it('is known for retention.journal, over restarts, and then forgotten', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-retention-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const environment = {
      HELPER__SERVER__PORT: '0',
      HELPER__STORAGE__PATH: folder,
      HELPER__RETENTION__JOURNAL: '40d',
      HELPER__SERVER__SHUTDOWNGRACE: '0',
    };
    const { settings } = loadSettings({ file, environment });
    const startedLater = async (days: number): Promise<ListeningServer & { readonly end: () => Promise<void> }> => {
      const clock = { now: () => Date.now() + days * dayMs, elapsed: () => performance.now() };
      const server = await buildServer(settings, { silent: true, clock });
      onTestFinished(() => server.close());
      return { ...(await server.listen()), end: () => server.close() };
    };
    const first = await startedLater(0);
    const turn = await openSse(`${first.url}/helper/chat`, { method: 'POST', body: { message: 'cancel order 1002' } });
    const { data } = await turn.next('confirmation');
    const query = `/helper/approve?actionId=${String(data?.['actionId'])}`;
    await fetch(`${first.url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    await turn.next('end');
    await first.end();
    const later = await startedLater(39);
    expect(await (await fetch(later.url + query)).json()).toMatchObject({ outcome: 'approved' });
    await later.end();
    const muchLater = await startedLater(41);
    expect((await fetch(muchLater.url + query)).status).toBe(404);
  });
});
