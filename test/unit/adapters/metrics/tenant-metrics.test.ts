import { describe, expect, it } from 'vitest';
import {
  createPrometheusMetrics,
  type PrometheusMetrics,
} from '../../../../src/adapters/metrics/prometheus-metrics.ts';
import { tenantLabel } from '../../../../src/adapters/metrics/tenant-label.ts';
import { metricData } from '../../../../src/adapters/telemetry/metric-data.ts';
import type { LiveTurns } from '../../../../src/core/ports/metrics.ts';

function metricsOfTenants(): PrometheusMetrics {
  return createPrometheusMetrics({ version: '1.2.3', defaultMetrics: false, hasTenants: true });
}

async function samplesOf(prometheus: PrometheusMetrics): Promise<readonly string[]> {
  const { body } = await prometheus.render();
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const turns = (hub: number, oldestQuestionMs = 0): LiveTurns => ({
  runningTurns: { hub, sse: 0, 'in-process': 0, openai: 0, a2a: 0, agui: 0 },
  openQuestions: oldestQuestionMs === 0 ? 0 : 1,
  oldestQuestionMs,
});

describe('the label tenant (contract/operations.md#metrics)', () => {
  // proves configuration-7-63
  it('is on what callers do, and on nothing that the server does by itself', async () => {
    const prometheus = metricsOfTenants();
    prometheus.metrics.of('acme').factsCaptured('changed');
    const labelled = (await samplesOf(prometheus)).filter((line) => line.includes('tenant='));
    expect(labelled).toContain('helperagent_memory_captures_total{outcome="changed",tenant="acme"} 1');
    expect(
      labelled.filter((line) => /^helperagent_(http|issuer|storage|purged|knowledge_doc|build)/.test(line)),
    ).toEqual([]);
  });

  // proves configuration-7-63
  it('shows counters whose labels are known at 0 from the first thing that a tenant does', async () => {
    const prometheus = metricsOfTenants();
    prometheus.metrics.of('acme').toolCalled({ action: 'look', status: 'succeeded', durationMs: 1 });
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_turns_total{channel="hub",status="failed",tenant="acme"} 0');
    expect(samples).toContain('helperagent_tool_calls_total{action="look",status="failed",tenant="acme"} 0');
    expect(samples.filter((line) => line.includes('helperagent_turn_duration_seconds_count{channel="hub",'))).toEqual(
      [],
    );
  });

  it('counts the embedding calls of a tenant as embeddings, and expects no chat of their model', async () => {
    const prometheus = metricsOfTenants();
    prometheus.metrics.of('acme').modelCalled({
      provider: 'openai',
      model: 'vectors-1',
      operation: 'embeddings',
      error: undefined,
      durationMs: 20,
      inputTokens: 5,
      outputTokens: 0,
      cachedInputTokens: 0,
    });
    const ofModel = (await samplesOf(prometheus)).filter((line) => line.includes('vectors-1'));
    expect(ofModel.join('\n')).toContain('gen_ai_operation_name="embeddings"');
    expect(ofModel.filter((line) => line.includes('gen_ai_operation_name="chat"'))).toEqual([]);
  });

  // proves configuration-7-64
  it('takes 100 tenants, and counts those that come later together as other', async () => {
    const prometheus = metricsOfTenants();
    for (let number = 0; number < 150; number += 1) {
      prometheus.metrics.of(`t${String(number)}`).connectionOpened('hub');
      prometheus.metrics.of(`t${String(number)}`).connectionOpened('hub');
    }
    prometheus.watch(() => ({
      ...turns(0),
      tenants: new Map([
        ['t5', turns(1)],
        ['t120', turns(2, 3000)],
        ['t130', turns(3, 2000)],
      ]),
    }));
    const samples = await samplesOf(prometheus);
    const opened = samples.filter((line) => line.startsWith('helperagent_connections_opened_total{channel="hub"'));
    expect(opened).toHaveLength(102);
    expect(opened).toContain('helperagent_connections_opened_total{channel="hub",tenant="t99"} 2');
    expect(opened).toContain('helperagent_connections_opened_total{channel="hub",tenant="other"} 100');
    expect(samples).toContain('helperagent_running_turns{channel="hub",tenant="t5"} 1');
    expect(samples).toContain('helperagent_running_turns{channel="hub",tenant="other"} 5');
    expect(samples).toContain('helperagent_oldest_open_question_seconds{tenant="other"} 3');
    expect(samples).toContain('helperagent_connections{channel="hub",tenant="other"} 100');
  });

  // proves configuration-7-64
  it('is one of its own for a tenant whose name is other', async () => {
    const prometheus = metricsOfTenants();
    prometheus.metrics.of('other').connectionOpened('hub');
    for (let number = 0; number < 100; number += 1) prometheus.metrics.of(String(number)).connectionOpened('hub');
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_connections_opened_total{channel="hub",tenant="%6Fther"} 1');
    expect(samples).toContain('helperagent_connections_opened_total{channel="hub",tenant="other"} 1');
  });

  // proves configuration-7-64
  it('tells all names of tenants apart, on one line each', async () => {
    const names = [
      'other',
      '%6Fther',
      '%256Fther',
      'a\nb',
      'a%0Ab',
      'a\\nb',
      'a"} 1',
      'a\u202eb',
      'a\u0000',
      'Müller',
      '東',
    ];
    const labels = names.map(tenantLabel);
    expect(new Set([...labels, 'other']).size).toBe(names.length + 1);
    expect(labels.slice(-2)).toEqual(['Müller', '東']);
    const prometheus = metricsOfTenants();
    for (const name of names) prometheus.metrics.of(name).connectionOpened('hub');
    const opened = (await samplesOf(prometheus)).filter((line) => line.includes('opened_total{channel="hub",tenant='));
    expect(opened).toHaveLength(names.length);
    for (const line of opened)
      expect(line).toMatch(/^helperagent_connections_opened_total\{channel="hub",tenant="(?:[^"\\]|\\.)+"\} 1$/);
  });

  // proves configuration-7-63
  it('is an attribute over OTLP, of the series of tenants alone', () => {
    const prometheus = metricsOfTenants();
    prometheus.metrics.connectionOpened('hub');
    prometheus.metrics.of('acme').connectionOpened('hub');
    const family = prometheus.families().find(({ name }) => name === 'helperagent_connections_opened_total');
    if (family === undefined) throw new Error('the metric is missing');
    const { dataPoints } = metricData(family, { startTime: [0, 0], endTime: [1, 0] });
    expect(dataPoints.filter(({ value }) => value === 1).map(({ attributes }) => attributes)).toEqual([
      { channel: 'hub' },
      { channel: 'hub', tenant: 'acme' },
    ]);
  });

  // proves configuration-7-63
  it('is not there without tenants, whatever is counted for one', async () => {
    const prometheus = createPrometheusMetrics({ version: '1.2.3', defaultMetrics: false });
    prometheus.metrics.of('acme').connectionOpened('hub');
    prometheus.watch(() => ({ ...turns(1), tenants: new Map([['acme', turns(2, 4000)]]) }));
    const samples = await samplesOf(prometheus);
    expect(samples.filter((line) => line.includes('tenant='))).toEqual([]);
    expect(samples).toContain('helperagent_connections_opened_total{channel="hub"} 1');
    expect(samples).toContain('helperagent_running_turns{channel="hub"} 3');
    expect(samples).toContain('helperagent_oldest_open_question_seconds 4');
  });
});
