import { describe, expect, it, onTestFinished } from 'vitest';
import { hourMs, stepMs } from '../../../../src/adapters/hourly-metrics/hour-book.ts';
import { HourlyMetrics } from '../../../../src/adapters/hourly-metrics/hourly-metrics.ts';
import { InMemoryMetricsStore } from '../../../../src/adapters/stores/in-memory/in-memory-metrics-store.ts';
import type { HourStore } from '../../../../src/core/ports/metrics-store.ts';

const start = Date.parse('2026-11-22T10:00:00Z');

/** A store that fails for one tenant, or for all callers, while it is told to. */
class FailingStore extends InMemoryMetricsStore {
  failsFor: string | undefined;

  override of(tenant: string): HourStore {
    const hours = super.of(tenant);
    const save: HourStore['save'] = (hour) =>
      this.failsFor === tenant ? Promise.reject(new Error('the disk is full')) : hours.save(hour);
    return { ...hours, save };
  }
}

function opened(store = new FailingStore()) {
  const clock = { now: start };
  const options = { intervalMs: 30_000, retentionMs: 3 * hourMs, now: () => clock.now };
  const metrics = new HourlyMetrics({ ...options, hasTenants: true, mostTenants: 200 });
  metrics.open(store);
  onTestFinished(() => metrics.close());
  return { metrics, store, clock };
}

const limitedOf = async (metrics: HourlyMetrics, tenant: string, long = stepMs): Promise<number> =>
  (await metrics.report({ from: start, to: start + hourMs, stepMs: long }, {}, tenant)).totals.rateLimited;

const countAs = (metrics: HourlyMetrics, tenant: string): void => metrics.countsOf(tenant)?.rateLimited('message');

describe('the hourly figures of tenants (contract/operations.md#dashboard)', () => {
  // proves configuration-7-65
  it('are of each tenant alone, and beside those of all callers', async () => {
    const { metrics } = opened();
    for (const tenant of ['a', 'a', 'b']) countAs(metrics, tenant);
    expect([await limitedOf(metrics, 'a'), await limitedOf(metrics, 'b'), await limitedOf(metrics, 'c')]).toEqual([
      2, 1, 0,
    ]);
    const all = await metrics.report({ from: start, to: start + hourMs, stepMs: hourMs }, {});
    expect(all.totals.rateLimited).toBe(0);
  });

  // proves configuration-7-65
  it('go on over a restart, by the hour and by steps', async () => {
    const { metrics, store } = opened();
    countAs(metrics, 'a');
    metrics.countsOf('b')?.connectionOpened('hub');
    await metrics.close();
    const next = opened(store).metrics;
    countAs(next, 'a');
    await next.close();
    const last = opened(store).metrics;
    expect([await limitedOf(last, 'a'), await limitedOf(last, 'a', hourMs)]).toEqual([2, 2]);
    const { connections } = await last.report({ from: start, to: start + hourMs, stepMs: hourMs }, {}, 'b');
    expect(connections).toMatchObject([{ channel: 'hub', peak: 1, opened: 1 }]);
  });

  // proves configuration-7-67
  it('are counted of any number of tenants, as long as each is stored before there are too many', async () => {
    const { metrics } = opened();
    const names = Array.from({ length: 450 }, (_, index) => `t${String(index)}`);
    for (const round of [1, 2]) {
      for (const [index, name] of names.entries()) {
        countAs(metrics, name);
        if (index % 150 === 149) await metrics.close();
      }
      for (const name of names) expect(await limitedOf(metrics, name)).toBe(round);
    }
  });

  // proves configuration-7-67
  it('are left out for a tenant that comes while as many others as may be held wait to be stored or are connected', async () => {
    const { metrics } = opened();
    for (let index = 0; index < 200; index += 1) metrics.countsOf(`t${String(index)}`)?.connectionOpened('hub');
    expect(metrics.countsOf('late')).toBeUndefined();
    await metrics.close();
    expect(metrics.countsOf('late')).toBeUndefined();
    expect(metrics.countsOf('t7')).toBeDefined();
    metrics.countsOf('t7')?.connectionEnded('hub', 1000);
    expect(metrics.countsOf('late')).toBeUndefined();
    await metrics.close();
    countAs(metrics, 'late');
    expect(await limitedOf(metrics, 'late')).toBe(1);
    expect(metrics.connections('t8')).toMatchObject([{ channel: 'hub', connections: 1 }]);
  });

  // proves configuration-7-65
  it('of one tenant that cannot be stored hold up no other, and are not lost', async () => {
    const { metrics, store } = opened();
    for (const tenant of ['a', 'b']) countAs(metrics, tenant);
    store.failsFor = 'a';
    await expect(metrics.close()).rejects.toThrow('the disk is full');
    expect(await store.of('b').read(start, start + hourMs)).toHaveLength(1);
    for (let index = 0; index < 300; index += 1) {
      metrics.countsOf(`t${String(index)}`)?.rateLimited('turn');
      if (index % 90 === 89) await metrics.close().catch(() => undefined);
    }
    store.failsFor = undefined;
    await metrics.close();
    expect(await limitedOf(opened(store).metrics, 'a')).toBe(1);
  });

  // proves configuration-7-66
  it('are not counted without tenants', () => {
    const metrics = new HourlyMetrics({ intervalMs: 30_000, retentionMs: hourMs, now: () => start });
    expect(metrics.countsOf('a')).toBeUndefined();
  });
});
