import { onTestFinished } from 'vitest';
import { HourlyMetrics } from '../../src/adapters/hourly-metrics/hourly-metrics.ts';
import { buildServer } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { shippedConfiguration, withoutDocuments } from './process-environment.ts';

const hourMs = 3_600_000;

/** Counts the figures of one past hour. Their number rises and falls over 24 hours. */
function fill({ counts }: HourlyMetrics, hour: number): void {
  const busy = 2 + Math.round(6 * (1 + Math.sin((hour / 24) * 2 * Math.PI))) + (hour % 5);
  for (let index = 0; index < busy; index += 1) countTurn(counts, hour, index);
  countQuestions(counts, hour);
  countVisits(counts, hour);
  if (hour % 6 === 0) counts.rateLimited('message');
  if (hour % 7 === 0) counts.securityEvent({ what: 'authentication_failed', reason: 'expired' });
}

function countTurn(counts: HourlyMetrics['counts'], hour: number, index: number): void {
  const failed = hour % 9 === 0 && index === 1;
  counts.turnEnded({
    turnId: `turn-${String(hour)}-${String(index)}`,
    channel: index % 3 === 0 ? 'sse' : 'hub',
    status: failed ? 'failed' : 'completed',
    code: failed ? 'model_timeout' : undefined,
    durationMs: 900 + 350 * index,
    firstTokenMs: failed ? undefined : 180 + 30 * index,
    usage: { inputTokens: 0, outputTokens: 0, model: 'large' },
  });
  const model = index % 4 === 0 ? 'small' : 'large';
  const tokens = {
    inputTokens: 1200 + 40 * index,
    outputTokens: 150 + 10 * index,
    cachedInputTokens: 700 + 30 * index,
  };
  counts.modelCalled({ provider: 'openai', model, durationMs: 700 + 200 * index, error: undefined, ...tokens });
  counts.toolCalled({ action: 'get_order', status: 'succeeded', durationMs: 40 + index });
  counts.toolRan({ action: 'get_order', durationMs: 40 + index });
}

function countQuestions(counts: HourlyMetrics['counts'], hour: number): void {
  const outcome = hour % 4 === 0 ? 'declined' : 'approved';
  const action = 'cancel_order';
  counts.confirmationRequested({ action });
  counts.confirmationResolved({ action, outcome, by: 'user', waitedMs: 9000 });
  counts.toolCalled({ action, status: hour % 4 === 0 ? 'declined' : 'succeeded', durationMs: 120 });
  if (hour % 5 === 0) counts.confirmationResolved({ action: 'add_note', outcome: 'approved', by: 'rule', waitedMs: 0 });
}

function countVisits(counts: HourlyMetrics['counts'], hour: number): void {
  for (let visitor = 0; visitor < 3; visitor += 1) counts.connectionOpened('hub');
  if (hour % 3 === 0) counts.connectionReturned('hub', 'line');
  for (let visitor = 0; visitor < 3; visitor += 1) counts.connectionEnded('hub', 240_000 + 60_000 * visitor);
  counts.snapshotHandled({ what: 'saved' });
  if (hour % 2 === 0) counts.snapshotHandled({ what: 'restored' });
  if (hour % 8 === 0) counts.snapshotHandled({ what: 'refused', reason: 'too_old' });
  if (hour % 6 === 0) counts.filesDropped('type', 1);
  for (let rated = 0; rated < 1 + (hour % 4); rated += 1) counts.feedbackGiven(rated === 3 ? 'bad' : 'good');
}

/**
 * The shipped server with figures of the last `days` days, counted in the way in which turns count them. `overrides` are those of
 * `realServer`.
 */
export async function dashboardServer(
  overrides: Readonly<Record<string, string>> = {},
  days = 15,
): Promise<{ readonly url: string }> {
  const environment = {
    HELPER__SERVER__PORT: '0',
    HELPER__STORAGE__TYPE: 'memory',
    HELPER__SERVER__SHUTDOWNGRACE: '0',
    ...withoutDocuments,
    HELPER__METRICSRETENTION: `${String(days)}d`,
    HELPER__MODELPRICING: JSON.stringify({ large: { inputPer1M: 2.5, outputPer1M: 10 } }),
    ...overrides,
  };
  const { settings } = loadSettings({ file: shippedConfiguration, environment });
  let past: Promise<void> = Promise.resolve();
  const server = await buildServer(settings, {
    silent: true,
    stores: (opened) => {
      past = (async () => {
        let now = 0;
        const metrics = new HourlyMetrics({
          intervalMs: hourMs,
          retentionMs: settings.metricsRetention,
          now: () => now,
        });
        metrics.open(opened.metrics);
        const hours = Array.from({ length: days * 24 - 1 }, (_, index) => index + 1);
        // The figures of three moments in the last hour are stored, and of one moment for each earlier hour.
        for (const hour of [0.2, 0.5, 0.8, ...hours]) {
          now = Date.now() - hour * hourMs;
          fill(metrics, Math.ceil(hour));
          // `close` stores the figures before the time of the next ones is set.
          await metrics.close();
        }
      })();
      return opened;
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  await past;
  return { url };
}
