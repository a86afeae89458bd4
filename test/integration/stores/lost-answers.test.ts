import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endingProxy } from '../../support/databases/ending-proxy.ts';
import { hasPostgres, postgresOfRun } from '../../support/databases/postgres.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { openSse } from '../../support/sse-client.ts';

const postgres = postgresOfRun();

describe.skipIf(!hasPostgres)('a question whose row PostgreSQL has stored, and the answer is lost', () => {
  // proves wire-11-61
  it.each([
    ['its row', ['insert into "confirmation"', 'cancel_order']],
    ['its turn', ['insert into "turn"', 'on conflict']],
  ])('is put and can be answered, as every other one: %s', async (_which, losesAnswerTo) => {
    const proxy = await endingProxy(await (await postgres()).newDatabase());
    const folder = mkdtempSync(join(tmpdir(), 'helper-lost-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const server = startServerProcess({
      folder,
      environment: { HELPER__STORAGE__TYPE: 'postgres', HELPER__STORAGE__URL: proxy.url },
    });
    const url = await server.url;
    proxy.losesAnswerTo = losesAnswerTo;
    const turn = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel order 1002.' } });
    const { data } = await turn.next('confirmation');
    expect(proxy.lost).toBe(1);
    const approval = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    expect(approval.status).toBe(200);
    expect((await turn.next('end')).data).toMatchObject({ status: 'completed' });
    expect(turn.frames.filter(({ event }) => event === 'confirmation')).toHaveLength(1);
  });
});
