import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../../src/adapters/hourly-metrics/hour-book.ts';
import { HourlyMetrics } from '../../../../src/adapters/hourly-metrics/hourly-metrics.ts';
import { InMemoryMetricsStore } from '../../../../src/adapters/stores/in-memory/in-memory-metrics-store.ts';
import { csvOf } from '../../../../src/channels/dashboard/metrics-csv.ts';
import { type AdminMetrics, csvTables } from '../../../../src/wire/admin-metrics.ts';

const start = Date.parse('2026-11-22T10:00:00Z');

async function figures(): Promise<AdminMetrics> {
  const metrics = new HourlyMetrics({ intervalMs: 30_000, retentionMs: hourMs, now: () => start });
  metrics.open(new InMemoryMetricsStore());
  const call = { provider: 'p', durationMs: 1, error: undefined, inputTokens: 10, outputTokens: 1 };
  for (const model of ['=HYPERLINK("http://x")', 'plain', 'with, comma'])
    metrics.counts.modelCalled({ ...call, model });
  metrics.counts.connectionOpened('hub');
  metrics.counts.confirmationRequested({ action: '=1+1' });
  metrics.counts.snapshotHandled({ what: 'refused', reason: 'too_old' });
  metrics.counts.filesDropped('disabled', 2);
  const range = await metrics.report({ from: start, to: start + 2 * hourMs, stepMs: hourMs }, {});
  await metrics.close();
  return {
    tenant: null,
    ...range,
    actions: [],
    live: {
      connections: 1,
      channels: [{ channel: 'hub', connections: 1, averageAgeMs: 0 }],
      turns: 0,
      questions: { count: 0, oldestAt: null },
      storage: { type: 'memory', state: 'ok', savedAt: null, retentionMs: hourMs },
      callbacks: [],
      mcpServers: [],
      agents: [],
      killSwitch: { writes: false, tools: [], isSetHere: false, canSet: false },
      budgets: [],
      folders: [
        {
          source: 'handbook',
          documents: 2,
          leftOut: 1,
          passedOver: 1,
          files: [{ file: '=a.pdf', reason: 'is empty' }],
        },
      ],
    },
    server: {
      version: '1.0.0',
      currency: null,
      startedAt: new Date(start).toISOString(),
      configuration: 'c',
      options: [],
      warnings: [],
      hasSecurityLog: false,
    },
  };
}

describe('the figures as CSV (contract/operations.md#dashboard)', () => {
  // proves service-2.15-36
  it('quote what needs it, and keep a text from being run as a formula', async () => {
    expect(csvOf(await figures(), 'models').split('\r\n')).toEqual([
      'model,calls,inputTokens,outputTokens,cachedInputTokens,cost,errors,p95',
      `"'=HYPERLINK(""http://x"")",1,10,1,0,,0,1`,
      'plain,1,10,1,0,,0,1',
      '"with, comma",1,10,1,0,,0,1',
      '',
    ]);
  });

  it('have a line for each hour', async () => {
    const lines = csvOf(await figures(), 'hourly')
      .trimEnd()
      .split('\r\n');
    expect(lines).toEqual([
      'at,turns,inputTokens,outputTokens,cachedInputTokens,cost,guardrailBlocks,rateLimited,errors,goodRatings,badRatings,p50,p95,firstTokenP50,firstTokenP95',
      '2026-11-22T10:00:00.000Z,0,30,3,0,,0,0,0,0,0,,,,',
      '2026-11-22T11:00:00.000Z,0,0,0,0,,0,0,0,0,0,,,,',
    ]);
  });

  it('have the most connections of a channel beside its turns', async () => {
    expect(csvOf(await figures(), 'channels')).toBe('channel,turns,peakConnections\r\nhub,0,1\r\n');
  });

  // proves service-2.15-44
  it('have the confirmations of each action, connections, snapshots and files', async () => {
    const metrics = await figures();
    expect(csvOf(metrics, 'actionConfirmations')).toBe(
      "action,asked,approved,declined,expired,cancelled,byRule,medianMs\r\n'=1+1,1,0,0,0,0,0,\r\n",
    );
    expect(csvOf(metrics, 'connections')).toBe('channel,peak,opened,returned,averageMs\r\nhub,1,1,0,\r\n');
    expect(csvOf(metrics, 'snapshots')).toBe('what,reason,count\r\nrefused,too_old,1\r\n');
    expect(csvOf(metrics, 'files')).toBe('reason,count\r\ndisabled,2\r\n');
  });

  // proves service-2.15-49
  it('have the folders of documents and what is left out of them', async () => {
    const metrics = await figures();
    expect(csvOf(metrics, 'folders')).toBe('source,documents,leftOut,passedOver\r\nhandbook,2,1,1\r\n');
    expect(csvOf(metrics, 'leftOut')).toBe("source,file,reason\r\nhandbook,'=a.pdf,is empty\r\n");
  });

  it('name the columns of every table, also of one without rows', async () => {
    const metrics = await figures();
    for (const table of csvTables) expect(csvOf(metrics, table), table).toMatch(/^[a-z]\w+(,\w+)+\r\n/);
  });
});
