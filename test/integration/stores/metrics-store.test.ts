import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores, type StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import type { MetricsStore } from '../../../src/core/ports/metrics-store.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';

const postgres = databasesOfRun();

async function embedded(): Promise<StorageOptions> {
  const path = await mkdtemp(join(tmpdir(), 'figures-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return { type: 'embedded', path };
}

async function opened(storage: StorageOptions): Promise<{ metrics: MetricsStore; close: () => Promise<void> }> {
  const { metrics, journal } = await openStores(storage);
  return { metrics, close: () => journal.close() };
}

describe.each<readonly [string, () => Promise<StorageOptions>]>([
  ['InMemoryMetricsStore', (): Promise<StorageOptions> => Promise.resolve({ type: 'memory' })],
  ['SqlMetricsStore on SQLite', embedded],
  ...(hasPostgres ? [['SqlMetricsStore on PostgreSQL', postgres] as const] : []),
])('%s (contract/operations.md#dashboard)', (_name, storage) => {
  it('reads the hours of a range in their order, each as it was stored last', async () => {
    const { metrics, close } = await opened(await storage());
    for (const hour of [3000, 1000, 2000]) await metrics.save({ hour, figures: `first of ${String(hour)}` });
    await metrics.save({ hour: 2000, figures: 'second' });
    expect(await metrics.read(1000, 3000)).toEqual([
      { hour: 1000, figures: 'first of 1000' },
      { hour: 2000, figures: 'second' },
    ]);
    await close();
  });

  it('forgets the hours before a moment, and no other', async () => {
    const { metrics, close } = await opened(await storage());
    for (const hour of [1000, 2000, 3000]) await metrics.save({ hour, figures: '{}' });
    for (const hour of [2000, 3000]) await metrics.of('acme').save({ hour, figures: '{}' });
    await metrics.forget(3000);
    expect((await metrics.read(0, 9000)).map(({ hour }) => hour)).toEqual([3000]);
    expect((await metrics.of('acme').read(0, 9000)).map(({ hour }) => hour)).toEqual([3000]);
    await close();
  });

  // proves configuration-7-65
  it('keeps the hours of each tenant apart, and from those of all', async () => {
    const { metrics, close } = await opened(await storage());
    const names = ['acme', 'Acme', 'acme%20', 'acme ', 'a/b', 'ä\u0000'];
    await metrics.save({ hour: 1000, figures: 'all' });
    for (const name of names) await metrics.of(name).save({ hour: 1000, figures: `first of ${name}` });
    for (const name of names) await metrics.of(name).save({ hour: 1000, figures: `of ${name}` });
    for (const name of names)
      expect(await metrics.of(name).read(0, 2000)).toEqual([{ hour: 1000, figures: `of ${name}` }]);
    expect(await metrics.read(0, 2000)).toEqual([{ hour: 1000, figures: 'all' }]);
    expect(await metrics.of('nobody').read(0, 2000)).toEqual([]);
    await close();
  });
});

describe('the figures in SQLite', () => {
  it('are there again when the folder is opened again', async () => {
    const storage = await embedded();
    const first = await opened(storage);
    await first.metrics.save({ hour: 1000, figures: 'kept' });
    await first.close();
    const second = await opened(storage);
    expect(await second.metrics.read(0, 2000)).toEqual([{ hour: 1000, figures: 'kept' }]);
    await second.close();
  });
});
