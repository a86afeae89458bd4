import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hourMs } from '../../../../src/adapters/hourly-metrics/hour-book.ts';
import { HourlyMetrics } from '../../../../src/adapters/hourly-metrics/hourly-metrics.ts';
import { InMemoryMetricsStore } from '../../../../src/adapters/stores/in-memory/in-memory-metrics-store.ts';
import type { RangeFigures } from '../../../../src/wire/admin-metrics.ts';

const start = Date.parse('2026-11-22T10:00:00Z');
const usage = { inputTokens: 0, outputTokens: 0, model: 'm' };
const turn = {
  turnId: 't1',
  channel: 'sse',
  status: 'completed',
  code: undefined,
  durationMs: 1000,
  firstTokenMs: 100,
  usage,
} as const;
const call = {
  provider: 'openai',
  model: 'gpt',
  durationMs: 500,
  error: undefined,
  inputTokens: 1000,
  outputTokens: 200,
};

function opened(store = new InMemoryMetricsStore()): {
  metrics: HourlyMetrics;
  store: InMemoryMetricsStore;
  clock: { now: number };
} {
  const clock = { now: start };
  const metrics = new HourlyMetrics({ intervalMs: 30_000, retentionMs: 3 * hourMs, now: () => clock.now });
  metrics.open(store);
  onTestFinished(() => metrics.close());
  return { metrics, store, clock };
}

const report = (metrics: HourlyMetrics, prices = {}): Promise<RangeFigures> =>
  metrics.report({ from: start, to: start + hourMs, stepMs: hourMs }, prices);

describe('the hourly figures (contract/operations.md#dashboard)', () => {
  // proves service-12-02
  it('count ratings that were given, by the hour', async () => {
    const { metrics } = opened();
    for (const rating of ['good', 'good', 'bad', 'withdrawn'] as const) metrics.counts.feedbackGiven(rating);
    const { totals, hourly } = await report(metrics);
    expect(totals).toMatchObject({ goodRatings: 2, badRatings: 1 });
    expect(hourly[0]).toMatchObject({ goodRatings: 2, badRatings: 1 });
  });

  // proves service-2.15-47
  it('count turns by channel and status, and their times', async () => {
    const { metrics } = opened();
    metrics.counts.turnEnded(turn);
    metrics.counts.turnEnded({
      ...turn,
      channel: 'hub',
      status: 'failed',
      code: 'model_timeout',
      firstTokenMs: undefined,
    });
    metrics.counts.turnEnded({ ...turn, channel: 'hub', status: 'refused', code: 'message_too_long', durationMs: 1 });
    const { totals, channels, latency, faults, hourly } = await report(metrics);
    expect(totals).toMatchObject({ turns: 3, errors: 1 });
    expect(channels).toEqual([
      { channel: 'hub', turns: 2 },
      { channel: 'sse', turns: 1 },
    ]);
    // The time of the refused turn is not counted. Each of the two other turns took a second.
    expect(latency.p50).toBeGreaterThan(900);
    expect(latency.firstTokenMs).toBeGreaterThan(90);
    expect(faults).toEqual([
      { kind: 'limit', code: 'message_too_long', count: 1 },
      { kind: 'timeout', code: 'model_timeout', count: 1 },
    ]);
    expect(hourly).toHaveLength(1);
    expect(hourly[0]).toMatchObject({
      at: '2026-11-22T10:00:00.000Z',
      channels: { hub: 2, sse: 1 },
      kinds: { timeout: 1, limit: 1, model: 0 },
    });
  });

  // proves service-2.15-38
  it('count calls of models, and what those with a price cost', async () => {
    const { metrics } = opened();
    metrics.counts.modelCalled(call);
    metrics.counts.modelCalled({ ...call, model: 'free', error: 'model_timeout' });
    metrics.counts.modelCalled({ ...call, model: 'free', error: 'stopped' });
    const unpriced = await report(metrics);
    expect(unpriced.totals).toMatchObject({ inputTokens: 3000, outputTokens: 600, cost: null });
    const { totals, models, hourly } = await report(metrics, { gpt: { inputPer1M: 2.5, outputPer1M: 10 } });
    expect(totals.cost).toBe(0.0045);
    expect(models).toMatchObject([
      { model: 'free', calls: 2, errors: 1, cost: null },
      { model: 'gpt', calls: 1, errors: 0, cost: 0.0045, inputTokens: 1000, outputTokens: 200 },
    ]);
    expect(hourly[0]?.costs).toEqual({ gpt: 0.0045 });
  });

  // proves service-2.15-44
  it('count actions, confirmations, callbacks, refusals and connections', async () => {
    const { metrics } = opened();
    const { counts } = metrics;
    for (const status of ['succeeded', 'failed', 'declined', 'unknown'] as const) {
      counts.toolCalled({ action: 'cancel_order', status, durationMs: 200 });
    }
    counts.toolRan({ action: 'cancel_order', durationMs: 50 });
    counts.confirmationRequested({ action: 'cancel_order' });
    counts.confirmationResolved({ action: 'cancel_order', outcome: 'approved', by: 'user', waitedMs: 60_000 });
    counts.confirmationResolved({ action: 'cancel_order', outcome: 'approved', by: 'rule', waitedMs: 0 });
    counts.confirmationResolved({ action: 'cancel_order', outcome: 'expired', by: 'system', waitedMs: 900_000 });
    counts.callbackAsked({ callback: 'erp', type: 'action', outcome: 'paused' });
    counts.rateLimited('message');
    counts.securityEvent({ what: 'authentication_failed', reason: 'expired' });
    // An approval does not count as a fault of access.
    counts.securityEvent({ what: 'approved', reason: 'user' });
    for (let opened = 0; opened < 2; opened += 1) counts.connectionOpened('hub');
    counts.connectionEnded('hub', 90_000);
    counts.connectionReturned('hub', 'line');
    const figures = await report(metrics);
    expect(figures.actions).toMatchObject([{ action: 'cancel_order', calls: 4, failures: 2, declined: 1 }]);
    // The time of the run is counted without the wait for the user.
    expect(figures.actions[0]?.p95).toBeLessThan(60);
    expect(figures.confirmations).toMatchObject({ asked: 1, approved: 1, byRule: 1, expired: 1, declined: 0 });
    expect(figures.confirmations.medianMs).toBeGreaterThan(54_000);
    expect(figures.confirmations.medianMs).toBeLessThan(66_000);
    expect(figures.callbacks).toEqual([{ callback: 'erp', answered: 0, failed: 0, paused: 1 }]);
    expect(figures.limited).toEqual([{ what: 'message', count: 1 }]);
    expect(figures.faults).toContainEqual({ kind: 'access', code: 'expired', count: 1 });
    expect(figures.faults).toContainEqual({ kind: 'tool', code: 'unknown', count: 1 });
    expect(figures.peaks).toEqual([{ channel: 'hub', connections: 2 }]);
    expect(figures.connections).toEqual([{ channel: 'hub', peak: 2, opened: 2, returned: 1, averageMs: 90_000 }]);
    expect(metrics.connections()).toMatchObject([{ channel: 'hub', connections: 1 }]);
  });

  // proves configuration-4-16
  it('count why calls of models failed, the most frequent first', async () => {
    const { metrics } = opened();
    const refused = { ...call, error: 'model_unavailable', status: 401, providerCode: 'invalid_api_key' };
    metrics.counts.modelCalled({ ...call, model: 'a|b c', error: 'model_timeout' });
    metrics.counts.modelCalled(refused);
    metrics.counts.modelCalled(refused);
    metrics.counts.modelCalled({ ...call, error: 'stopped' });
    const { modelFaults } = await report(metrics);
    expect(modelFaults).toEqual([
      {
        model: 'gpt',
        provider: 'openai',
        error: 'model_unavailable',
        status: 401,
        code: 'invalid_api_key',
        count: 2,
      },
      { model: 'a|b c', provider: 'openai', error: 'model_timeout', status: null, code: null, count: 1 },
    ]);
  });

  // proves service-2.15-41
  it('count what comes after 200 names as other, and cut names that are longer than a price can have', async () => {
    const { metrics } = opened();
    for (let index = 0; index < 250; index += 1) metrics.counts.modelCalled({ ...call, model: `m${String(index)}` });
    const { models, totals } = await report(metrics);
    expect(models).toHaveLength(201);
    expect(models.find(({ model }) => model === 'other')).toMatchObject({ calls: 50 });
    expect(totals.inputTokens).toBe(250_000);
    const other = opened().metrics;
    other.counts.modelCalled({ ...call, model: `a|${'x'.repeat(500)}` });
    expect((await report(other)).models[0]?.model).toBe(`a|${'x'.repeat(198)}`);
  });

  // proves service-2.15-38
  it('find the price of a model whatever its name is', async () => {
    const { metrics } = opened();
    for (const model of [`azure|gpt%7C`, 'm'.repeat(150), 'a/b']) metrics.counts.modelCalled({ ...call, model });
    const price = { inputPer1M: 1000, outputPer1M: 0 };
    const { models } = await report(metrics, { 'azure|gpt%7C': price, ['m'.repeat(150)]: price, 'a/b': price });
    expect(models.map(({ model, cost }) => [model, cost])).toEqual([
      ['a/b', 1],
      ['azure|gpt%7C', 1],
      ['m'.repeat(150), 1],
    ]);
  });

  // proves service-2.15-38
  it('count tokens from a cache of the provider, at the price of input tokens', async () => {
    const { metrics } = opened();
    metrics.counts.modelCalled({ ...call, cachedInputTokens: 800 });
    metrics.counts.modelCalled({ ...call, cachedInputTokens: undefined });
    const { totals, models, hourly } = await report(metrics, { gpt: { inputPer1M: 2.5, outputPer1M: 10 } });
    expect([totals, models[0], hourly[0]].map((each) => each?.cachedInputTokens)).toEqual([800, 800, 800]);
    expect(totals.cost).toBe(0.009);
  });

  // proves service-2.15-44
  it('count what users said by action', async () => {
    const { metrics } = opened();
    const { counts } = metrics;
    const [cancel, refund] = [{ action: 'cancel_order' }, { action: 'refund' }];
    for (const question of [cancel, cancel, cancel, refund]) counts.confirmationRequested(question);
    counts.confirmationResolved({ ...cancel, outcome: 'approved', by: 'user', waitedMs: 10_000 });
    counts.confirmationResolved({ ...cancel, outcome: 'declined', by: 'user', waitedMs: 10_000 });
    // A Stop is no answer, so its time is not counted.
    counts.confirmationResolved({ ...cancel, outcome: 'cancelled', by: 'user', waitedMs: 500_000 });
    counts.confirmationResolved({ ...cancel, outcome: 'approved', by: 'rule', waitedMs: 0 });
    counts.confirmationResolved({ ...refund, outcome: 'expired', by: 'system', waitedMs: 900_000 });
    const { actionConfirmations, confirmations } = await report(metrics);
    expect(actionConfirmations).toMatchObject([
      { action: 'cancel_order', asked: 3, approved: 1, declined: 1, cancelled: 1, byRule: 1, expired: 0 },
      { action: 'refund', asked: 1, approved: 0, expired: 1, medianMs: null },
    ]);
    expect(actionConfirmations[0]?.medianMs).toBeGreaterThan(9_000);
    expect(actionConfirmations[0]?.medianMs).toBeLessThan(11_000);
    expect(confirmations).toMatchObject({ asked: 4, cancelled: 1 });
    expect(confirmations.medianMs).toBe(actionConfirmations[0]?.medianMs);
  });

  // proves service-2.15-44
  it('count snapshots and files by reason', async () => {
    const { metrics } = opened();
    const { counts } = metrics;
    for (const what of ['saved', 'saved', 'restored'] as const) counts.snapshotHandled({ what });
    for (const reason of ['too_old', 'damaged'] as const) counts.snapshotHandled({ what: 'refused', reason });
    counts.filesDropped('too_many_images', 6);
    counts.filesDropped('disabled', 1);
    const { snapshots, files } = await report(metrics);
    expect(snapshots).toEqual([
      { what: 'saved', reason: null, count: 2 },
      { what: 'restored', reason: null, count: 1 },
      { what: 'refused', reason: 'damaged', count: 1 },
      { what: 'refused', reason: 'too_old', count: 1 },
    ]);
    expect(files).toEqual([
      { reason: 'disabled', count: 1 },
      { reason: 'too_many_images', count: 6 },
    ]);
  });

  // proves service-2.15-45
  it('have the most connections of an hour in which none was opened or ended', async () => {
    const { metrics, clock } = opened();
    for (let opened = 0; opened < 3; opened += 1) metrics.counts.connectionOpened('hub');
    clock.now += 5.5 * hourMs;
    const idle = await metrics.report({ from: start + hourMs, to: start + 5 * hourMs, stepMs: hourMs }, {});
    expect(idle.peaks).toEqual([{ channel: 'hub', connections: 3 }]);
    for (let hour = 0; hour < 6; hour += 1) {
      const from = start + hour * hourMs;
      const { peaks } = await metrics.report({ from, to: from + hourMs, stepMs: hourMs }, {});
      expect(peaks, String(hour)).toEqual([{ channel: 'hub', connections: 3 }]);
    }
    for (let ended = 0; ended < 3; ended += 1) metrics.counts.connectionEnded('hub', 5.5 * hourMs);
    clock.now += 2 * hourMs;
    const after = await metrics.report({ from: start + 6 * hourMs, to: start + 8 * hourMs, stepMs: hourMs }, {});
    expect(after.peaks).toEqual([]);
  });

  // proves service-2.15-43
  it('are the last hour by steps of five minutes too', async () => {
    const { metrics, clock } = opened();
    metrics.counts.turnEnded(turn);
    clock.now += 50 * 60_000;
    metrics.counts.turnEnded(turn);
    clock.now += 15 * 60_000;
    metrics.counts.turnEnded(turn);
    const [stepMs, to] = [300_000, start + 70 * 60_000];
    const { totals, hourly, from } = await metrics.report({ from: to - hourMs, to, stepMs }, {});
    // The first of the three is more than an hour ago.
    expect(totals.turns).toBe(2);
    expect(from).toBe('2026-11-22T10:10:00.000Z');
    expect(hourly).toHaveLength(12);
    expect(hourly.flatMap(({ at, turns }) => (turns === 0 ? [] : [at.slice(11, 16)]))).toEqual(['10:50', '11:05']);
  });

  // proves service-2.15-48
  it('load from hours that the version before has stored', async () => {
    const { metrics, store } = opened();
    const file = join(import.meta.dirname, 'fixtures/hour-1.0.json');
    const { hour, figures } = JSON.parse(readFileSync(file, 'utf8')) as { hour: string; figures: object };
    await store.save({ hour: Date.parse(hour), figures: JSON.stringify(figures) });
    metrics.counts.confirmationRequested({ action: 'cancel_order' });
    const seen = await report(metrics, { 'gpt-5-mini': { inputPer1M: 0.25, outputPer1M: 2 } });
    expect(seen.totals).toMatchObject({
      turns: 12,
      inputTokens: 20_400,
      cachedInputTokens: 0,
      cost: 0.0087,
      errors: 1,
    });
    expect(seen.confirmations).toMatchObject({ asked: 4, approved: 2, declined: 1, byRule: 1 });
    expect(seen.actionConfirmations).toMatchObject([{ action: 'cancel_order', asked: 1 }]);
    expect(seen.peaks).toEqual([{ channel: 'hub', connections: 4 }]);
    expect(seen.connections).toMatchObject([{ channel: 'hub', peak: 4, opened: 0, averageMs: null }]);
    expect(seen.latency.p50).toBeGreaterThan(1000);
  });

  // proves service-2.15-40
  it('are stored at every interval and at the end, and old hours are deleted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { metrics, store, clock } = opened();
    const figures = '{"turns|sse|completed":1}';
    await store.save({ hour: start - 3 * hourMs, figures });
    await store.save({ hour: start - 2 * hourMs, figures });
    expect(metrics.savedAt).toBeNull();
    metrics.counts.turnEnded(turn);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(metrics.savedAt).toBe(start);
    // Three hours are kept. The last of them is the current hour.
    expect((await store.read(0, clock.now + 1)).map(({ hour }) => hour)).toEqual([start - 2 * hourMs, start]);
    metrics.counts.turnEnded(turn);
    await metrics.close();
    const [stored] = await store.read(start, start + 1);
    expect(JSON.parse(stored?.figures ?? '')).toMatchObject({ 'turns|sse|completed': 2 });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cannot be read before there is a store, and lose nothing of that time', async () => {
    const metrics = new HourlyMetrics({ intervalMs: 30_000, retentionMs: hourMs, now: () => start });
    metrics.counts.turnEnded(turn);
    await expect(report(metrics)).rejects.toThrow('no store is open');
    metrics.open(new InMemoryMetricsStore());
    expect((await report(metrics)).totals.turns).toBe(1);
    await metrics.close();
  });
});
