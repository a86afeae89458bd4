import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { dashboardChannel, type DashboardChannelOptions } from '../../src/channels/dashboard/dashboard-channel.ts';
import { prepareHttp } from '../../src/channels/shared/prepare-http.ts';
import { testAdmission } from '../support/test-admission.ts';

const assetsDirectory = mkdtempSync(join(tmpdir(), 'helper-dashboard-'));

beforeAll(() => buildDashboard({ root: join(import.meta.dirname, '../..'), outdir: assetsDirectory }));
afterAll(() => rmSync(assetsDirectory, { recursive: true, force: true }));

async function opened(options: Partial<DashboardChannelOptions>): Promise<FastifyInstance> {
  const app = fastify();
  prepareHttp(app);
  await app.register(dashboardChannel, {
    basePath: '',
    assetsDirectory,
    languageTag: '',
    appName: 'Desk & "Co"',
    canSignIn: true,
    role: '',
    admission: testAdmission(),
    now: () => Date.parse('2026-11-22T10:00:00Z'),
    read: () => Promise.reject(new Error('never asked')),
    ...options,
  });
  await app.ready();
  onTestFinished(() => app.close());
  return app;
}

const unavailable = { statusCode: 503, headers: { 'retry-after': '1' } };

describe('the figures while the storage fails (contract/operations.md#dashboard)', () => {
  it('are 503, and the fault is told to nobody', async () => {
    const app = await opened({ read: () => Promise.reject(new Error('/data/helper.db is gone')) });
    const answer = await app.inject('/helper/admin/metrics');
    expect(answer).toMatchObject(unavailable);
    expect(answer.json()).toMatchObject({ code: 'storage_unavailable' });
    expect(answer.body).not.toContain('/data');
  });

  it('are 503 after ten seconds of a storage that does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: asked, resolve } = Promise.withResolvers<undefined>();
    const app = await opened({
      read: () => {
        resolve(undefined);
        return new Promise(() => undefined);
      },
    });
    const answer = app.inject('/helper/admin/metrics');
    await asked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toMatchObject(unavailable);
  });
});

describe('the page of the dashboard (contract/operations.md#dashboard)', () => {
  it('knows where it is, its language, and whether anybody can sign in', async () => {
    const app = await opened({ basePath: '/help', languageTag: 'de', canSignIn: false });
    const { body } = await app.inject('/help/helper/admin');
    expect(body).toContain('<html lang="de">');
    expect(body).toContain('data-path="/help/helper/admin"');
    expect(body).toContain('data-sign-in="none"');
    expect(body).not.toContain('{{');
  });

  it('fails to open with advice when it was not built', async () => {
    await expect(opened({ assetsDirectory: '/nowhere' })).rejects.toThrow('Run "npm run build" first.');
  });
});
