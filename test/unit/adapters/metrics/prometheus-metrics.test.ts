import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { cachedChildren } from '../../../../src/adapters/metrics/cached-children.ts';
import { familyText } from '../../../../src/adapters/metrics/family-text.ts';
import { MetricsPage } from '../../../../src/adapters/metrics/metrics-page.ts';
import {
  createPrometheusMetrics,
  type PrometheusMetrics,
} from '../../../../src/adapters/metrics/prometheus-metrics.ts';

function quietMetrics(): PrometheusMetrics {
  return createPrometheusMetrics({ version: '1.2.3', defaultMetrics: false });
}

async function samplesOf(prometheus: PrometheusMetrics): Promise<readonly string[]> {
  const { body } = await prometheus.render();
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const usage = { inputTokens: 30, outputTokens: 7, model: 'small' };

describe('createPrometheusMetrics (contract/operations.md#metrics)', () => {
  // proves wire-6-08
  it('counts turns, their time, their tokens and their errors', async () => {
    const prometheus = quietMetrics();
    const turn = { turnId: 't1', channel: 'sse', durationMs: 1_500, firstTokenMs: 300, usage } as const;
    prometheus.metrics.turnEnded({ ...turn, status: 'completed', code: undefined });
    prometheus.metrics.turnEnded({ ...turn, status: 'failed', code: 'model_timeout', firstTokenMs: undefined });
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_turns_total{channel="sse",status="completed"} 1');
    expect(samples).toContain('helperagent_turns_total{channel="sse",status="failed"} 1');
    expect(samples).toContain('helperagent_turn_duration_seconds_sum{channel="sse"} 3');
    expect(samples).toContain('helperagent_first_token_seconds_count{channel="sse"} 1');
    expect(samples).toContain('helperagent_first_token_seconds_sum{channel="sse"} 0.3');
    expect(samples).toContain('helperagent_tokens_total{direction="input",model="small"} 60');
    expect(samples).toContain('helperagent_tokens_total{direction="output",model="small"} 14');
    expect(samples).toContain('helperagent_errors_total{code="model_timeout"} 1');
  });

  it('counts no tokens for a turn that never reached a model', async () => {
    const prometheus = quietMetrics();
    prometheus.metrics.turnEnded({
      turnId: 't1',
      channel: 'hub',
      status: 'refused',
      code: 'message_too_long',
      durationMs: 1,
      firstTokenMs: undefined,
      usage: { inputTokens: 0, outputTokens: 0, model: '' },
    });
    expect((await samplesOf(prometheus)).filter((line) => line.startsWith('helperagent_tokens_total'))).toEqual([]);
  });

  // proves service-2.15-47
  it('leaves refused turns out of the times, which they would shorten', async () => {
    const prometheus = quietMetrics();
    const turn = {
      turnId: 't1',
      channel: 'sse',
      code: undefined,
      durationMs: 1_500,
      firstTokenMs: undefined,
      usage,
    } as const;
    for (const status of ['completed', 'refused', 'stopped', 'failed'] as const)
      prometheus.metrics.turnEnded({ ...turn, status });
    expect(await samplesOf(prometheus)).toContain('helperagent_turn_duration_seconds_count{channel="sse"} 3');
  });

  it('counts snapshots, files that were left out, and tokens from a cache', async () => {
    const prometheus = quietMetrics();
    const { metrics } = prometheus;
    metrics.snapshotHandled({ what: 'saved' });
    metrics.snapshotHandled({ what: 'refused', reason: 'too_old' });
    metrics.filesDropped('too_many_images', 5);
    const call = { provider: 'openai', model: 'small', durationMs: 1, error: undefined, outputTokens: 0 };
    metrics.modelCalled({ ...call, inputTokens: 30, cachedInputTokens: 20 });
    metrics.modelCalled({ ...call, inputTokens: 30 });
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_snapshots_total{what="saved",reason=""} 1');
    expect(samples).toContain('helperagent_snapshots_total{what="restored",reason=""} 0');
    expect(samples).toContain('helperagent_snapshots_total{what="refused",reason="too_old"} 1');
    expect(samples).toContain('helperagent_files_dropped_total{reason="too_many_images"} 5');
    expect(samples).toContain('helperagent_files_dropped_total{reason="disabled"} 0');
    expect(samples).toContain('helperagent_cached_input_tokens_total{model="small"} 20');
  });

  // proves wire-6-08
  it('counts tool calls, confirmations and connections', async () => {
    const prometheus = quietMetrics();
    prometheus.metrics.toolCalled({ action: 'cancel_order', status: 'declined', durationMs: 20 });
    prometheus.metrics.toolRan({ action: 'cancel_order', durationMs: 5 });
    prometheus.metrics.confirmationRequested({ action: 'cancel_order' });
    prometheus.metrics.confirmationResolved({
      action: 'cancel_order',
      outcome: 'declined',
      by: 'user',
      waitedMs: 4_000,
    });
    for (let opened = 0; opened < 2; opened += 1) prometheus.metrics.connectionOpened('hub');
    prometheus.metrics.connectionEnded('hub', 30_000);
    prometheus.metrics.connectionReturned('hub', 'line');
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_tool_calls_total{action="cancel_order",status="declined"} 1');
    expect(samples).toContain('helperagent_tool_call_seconds_sum{action="cancel_order"} 0.02');
    expect(samples).toContain('helperagent_confirmations_requested_total 1');
    expect(samples).toContain('helperagent_confirmations_total{outcome="declined",by="user"} 1');
    expect(samples).toContain('helperagent_tool_run_seconds_sum{action="cancel_order"} 0.005');
    expect(samples).toContain('helperagent_confirmation_wait_seconds_sum{outcome="declined"} 4');
    expect(samples).toContain('helperagent_action_confirmations_total{action="cancel_order",outcome="asked"} 1');
    expect(samples).toContain('helperagent_action_confirmations_total{action="cancel_order",outcome="declined"} 1');
    expect(samples).toContain('helperagent_action_answer_seconds_sum{action="cancel_order"} 4');
    expect(samples).toContain('helperagent_connections{channel="hub"} 1');
    expect(samples).toContain('helperagent_connections_opened_total{channel="hub"} 2');
    expect(samples).toContain('helperagent_connection_duration_seconds_sum{channel="hub"} 30');
    expect(samples).toContain('helperagent_connections_returned_total{channel="hub",how="line"} 1');
    expect(samples).toContain('helperagent_connections_returned_total{channel="sse",how="turn"} 0');
  });

  it('times no wait for what a rule approved: nobody was asked', async () => {
    const prometheus = quietMetrics();
    prometheus.metrics.confirmationResolved({ action: 'cancel_order', outcome: 'approved', by: 'rule', waitedMs: 0 });
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_confirmations_total{outcome="approved",by="rule"} 1');
    expect(samples).toContain('helperagent_confirmation_wait_seconds_count{outcome="approved"} 0');
    expect(samples).toContain(
      'helperagent_action_confirmations_total{action="cancel_order",outcome="approved_by_rule"} 1',
    );
    expect(samples.filter((sample) => sample.startsWith('helperagent_action_answer_seconds'))).toEqual([]);
  });

  // proves wire-6-34
  it('counts answers by the class of their status', async () => {
    const prometheus = quietMetrics();
    for (const status of [200, 204, 404, 503]) prometheus.metrics.requestAnswered({ route: '/helper/chat', status });
    const samples = await samplesOf(prometheus);
    expect(samples).toContain('helperagent_http_responses_total{route="/helper/chat",class="2xx"} 2');
    expect(samples).toContain('helperagent_http_responses_total{route="/helper/chat",class="4xx"} 1');
    expect(samples).toContain('helperagent_http_responses_total{route="/helper/chat",class="5xx"} 1');
  });

  // proves wire-6-31
  it('shows what it is told of at 0, before anything of it is counted', async () => {
    const prometheus = quietMetrics();
    const before = await samplesOf(prometheus);
    prometheus.metrics.expect({ kind: 'action', action: 'cancel_order' });
    prometheus.metrics.expect({ kind: 'callback', callback: 'crm' });
    prometheus.metrics.expect({ kind: 'model', provider: 'openai', model: 'small' });
    prometheus.metrics.expect({ kind: 'route', route: '/helper/chat' });
    const added = (await samplesOf(prometheus)).filter((sample) => !before.includes(sample));
    expect(added).toContain('helperagent_tool_calls_total{action="cancel_order",status="unknown"} 0');
    expect(added).toContain('helperagent_callback_calls_total{callback="crm",type="action",outcome="paused"} 0');
    expect(added).toContain('helperagent_tokens_total{direction="output",model="small"} 0');
    expect(added).toContain('helperagent_http_responses_total{route="/helper/chat",class="5xx"} 0');
    expect(added.filter((sample) => !sample.endsWith(' 0'))).toEqual([]);
  });

  it('reads what goes on now when it is asked for the page', async () => {
    const prometheus = quietMetrics();
    const samplesOfNow = async (): Promise<readonly string[]> =>
      (await samplesOf(prometheus)).filter((sample) => /running_turns|open_question/.test(sample));
    expect((await samplesOfNow()).filter((sample) => !sample.endsWith(' 0'))).toEqual([]);
    const runningTurns = { hub: 2, sse: 1, 'in-process': 0, openai: 0, a2a: 0, agui: 0 };
    prometheus.watch(() => ({ runningTurns, openQuestions: 3, oldestQuestionMs: 61_000 }));
    expect(await samplesOfNow()).toEqual([
      'helperagent_running_turns{channel="hub"} 2',
      'helperagent_running_turns{channel="sse"} 1',
      'helperagent_running_turns{channel="in-process"} 0',
      'helperagent_running_turns{channel="openai"} 0',
      'helperagent_running_turns{channel="a2a"} 0',
      'helperagent_running_turns{channel="agui"} 0',
      'helperagent_open_questions 3',
      'helperagent_oldest_open_question_seconds 61',
    ]);
  });

  // proves wire-6-09
  it('measures model calls under the names of the semantic conventions', async () => {
    const prometheus = quietMetrics();
    const call = { provider: 'openai', model: 'small', durationMs: 500, inputTokens: 30, outputTokens: 0 };
    prometheus.metrics.modelCalled({ ...call, error: undefined });
    prometheus.metrics.modelCalled({ ...call, error: 'model_timeout', inputTokens: 0 });
    const samples = await samplesOf(prometheus);
    const labels = 'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="small"';
    expect(samples).toContain(`gen_ai_client_operation_duration_seconds_count{${labels},error_type=""} 1`);
    expect(samples).toContain(`gen_ai_client_operation_duration_seconds_count{${labels},error_type="model_timeout"} 1`);
    expect(samples).toContain(`gen_ai_client_operation_duration_seconds_bucket{le="81.92",${labels},error_type=""} 1`);
    expect(samples).toContain(`gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="input"} 30`);
    expect(samples).toContain(`gen_ai_client_token_usage_bucket{le="67108864",${labels},gen_ai_token_type="input"} 1`);
    expect(samples.filter((line) => line.includes('gen_ai_token_type="output"'))).toEqual([]);
  });

  // proves wire-6-08
  it('begins every product metric with helperagent_, and tells the version', async () => {
    const samples = await samplesOf(quietMetrics());
    expect(samples).toContain('helperagent_build_info{version="1.2.3"} 1');
    expect(samples.filter((line) => !/^(helperagent|gen_ai)_/.test(line))).toEqual([]);
  });

  it('has each metric with its type in the reference', async () => {
    const reference = await readFile(new URL('../../../../docs/reference/metrics.md', import.meta.url), 'utf8');
    const { body } = await quietMetrics().render();
    const served = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map((line) => [line[1], line[2]].join(' '));
    const rows = [...reference.matchAll(/^\| `(\S+)` +\| (counter|gauge|histogram) +\|/gm)];
    const documented = rows.map((row) => [row[1], row[2]].join(' '));
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  // proves wire-6-07
  it('serves the process metrics unless told not to, in the Prometheus text format', async () => {
    const rendered = await createPrometheusMetrics({ version: '1.2.3' }).render();
    expect(rendered.contentType).toContain('text/plain; version=0.0.4');
    expect(rendered.body).toContain('process_resident_memory_bytes');
  });

  it('keeps the counters of two servers apart', async () => {
    const [one, other] = [quietMetrics(), quietMetrics()];
    one.metrics.confirmationRequested({ action: 'cancel_order' });
    expect(await samplesOf(other)).toContain('helperagent_confirmations_requested_total 0');
  });
});

describe('MetricsPage', () => {
  it('writes the text format of Prometheus', () => {
    const page = new MetricsPage();
    const seen = page.counter({ name: 'seen_total', help: 'What was seen.', labelNames: ['kind', 'size'] });
    const waits = page.histogram({ name: 'wait_seconds', help: 'Waits.', buckets: [0.5, 1] });
    page.reading({ name: 'open', help: 'What is open.', labelNames: ['channel'] }, () => []);
    seen.add(2, 'a "quoted" \\ line\nbreak', 'small');
    for (const value of [0.5, 0.7, 3]) waits.observe(value);
    expect(page.families().flatMap((family) => [...familyText(family).split('\n'), ''])).toEqual([
      '# HELP seen_total What was seen.',
      '# TYPE seen_total counter',
      'seen_total{kind="a \\"quoted\\" \\\\ line\\nbreak",size="small"} 2',
      '',
      '# HELP wait_seconds Waits.',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.5"} 1',
      'wait_seconds_bucket{le="1"} 2',
      'wait_seconds_bucket{le="+Inf"} 3',
      'wait_seconds_sum 4.2',
      'wait_seconds_count 3',
      '',
      '# HELP open What is open.',
      '# TYPE open gauge',
      '',
    ]);
  });
});

describe('cachedChildren', () => {
  it('makes one child per label values', () => {
    const children = cachedChildren((...values) => ({ values }));
    expect(children.of('a', 'b')).toBe(children.of('a', 'b'));
    expect(children.of('a', 'b')).not.toBe(children.of('ab', ''));
  });

  // proves wire-6-13
  it('counts what comes after 500 series as other', () => {
    const children = cachedChildren((...values) => values.join('/'));
    for (let index = 0; index < 500; index += 1) children.of(`model-${String(index)}`, 'ok');
    expect(children.of('one-more', 'ok')).toBe('other/other');
    expect(children.of('model-7', 'ok')).toBe('model-7/ok');
  });

  it('makes up to 5000 series ahead, which take nobody else’s place', () => {
    const made: string[] = [];
    const children = cachedChildren((...values) => made.push(values.join('/')));
    for (let index = 0; index < 6000; index += 1) children.expect(`action-${String(index)}`);
    expect(made).toHaveLength(5000);
    for (let index = 0; index < 500; index += 1) children.of(`model-${String(index)}`);
    children.of('one-more');
    expect(made.slice(-2)).toEqual(['model-499', 'other']);
  });
});
