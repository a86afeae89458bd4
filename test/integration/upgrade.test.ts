import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildServer } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { openSse } from '../support/sse-client.ts';

const file = join(import.meta.dirname, '../../config/helper.yaml');

/** Epoch milliseconds at which version 1.0 stored the fixture. */
const storedAt = Date.parse('2026-11-23T01:27:00Z');
const hourMs = 3_600_000;

/** Starts this version on the storage of version 1.0, one hour later. */
async function upgraded(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-upgrade-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = new SqliteDatabase(join(folder, 'helper.db'));
  database.exec(readFileSync(join(import.meta.dirname, 'fixtures/storage-1.0.sql'), 'utf8'));
  database.close();
  const environment = {
    HELPER__SERVER__PORT: '0',
    HELPER__HITLMODE: 'Native',
    HELPER__CONFIRMATIONTIMEOUT: '0',
    HELPER__STORAGE__PATH: folder,
    HELPER__SERVER__SHUTDOWNGRACE: '0',
  };
  const { settings } = loadSettings({ file, environment });
  const begin = Date.now();
  const clock = { now: () => storedAt + hourMs + Date.now() - begin, elapsed: () => performance.now() };
  const server = await buildServer(settings, { silent: true, clock });
  onTestFinished(() => server.close());
  return (await server.listen()).url;
}

const answer = (url: string, actionId: string, approved: boolean): Promise<Response> =>
  fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved }),
  });

async function statusOf(url: string, orderNumber: number): Promise<string | undefined> {
  const { lists } = (await (await fetch(`${url}/helper/demo`)).json()) as DemoAnswer; // this server sends the shape
  return lists[0]?.rows
    .find(([key]) => key === orderNumber)
    ?.find((cell) => ['open', 'cancelled'].includes(String(cell))) as string | undefined; // `find` accepts only these texts
}

interface DemoAnswer {
  readonly lists: readonly { readonly rows: readonly (readonly unknown[])[] }[];
}

describe('an upgrade from version 1.0 with questions open (contract/restarts.md)', () => {
  const cancel = { actionId: 'rb6YqPTr1yqkRyul121grw', last: 'OrToF6ScrCw7-16bVtSNug:2' };
  const move = { actionId: 'WwyLvQJ5Agsd0QAA5gNyzw', last: 'HgwdCuzXiMwHSArMO92HIw:2' };

  it('goes on with each of them: what is approved runs once, what is declined does not', async () => {
    const url = await upgraded();
    expect(await statusOf(url, 1002)).toBe('open');
    expect((await answer(url, cancel.actionId, true)).status).toBe(200);
    expect((await answer(url, move.actionId, false)).status).toBe(200);
    for (const { last } of [cancel, move]) {
      const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': last } });
      expect((await resumed.next('end')).data).toMatchObject({ status: 'completed' });
    }
    expect(await statusOf(url, 1002)).toBe('cancelled');
    expect((await answer(url, cancel.actionId, true)).status).toBe(404);
    const { lists } = (await (await fetch(`${url}/helper/demo`)).json()) as DemoAnswer; // this server sends the shape
    expect(JSON.stringify(lists)).not.toContain('Canal Side');
  });
});
