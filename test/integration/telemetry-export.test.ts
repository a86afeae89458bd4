import { describe, expect, it } from 'vitest';
import { saying } from '../support/scripted-model.ts';
import { answer, chat, confirmed, ended, said, sendAnswer, spanNamed, tracedServer } from '../support/traced-server.ts';

describe('what telemetry holds (contract/operations.md#traces)', () => {
  // proves wire-6-41
  it('is nothing that users, models and tools said, nor who the user is', async () => {
    const started = await tracedServer(confirmed);
    await answer(started.url, await chat(started.url), true);
    await ended(started);
    const sent = started.otlp.requests.map(({ body }) => body).join('\n');
    expect(sent).toContain('execute_tool cancel_order');
    for (const secret of [...Object.values(said), 'Cancels an order', 'anon:']) expect(sent).not.toContain(secret);
  });

  // proves wire-6-41
  it('is all of it when that is asked for, and the server warns of it', async () => {
    const started = await tracedServer(confirmed, { observabilityIncludeSensitiveData: true });
    await answer(started.url, await chat(started.url), true);
    const spans = await ended(started);
    const [, second] = spans.filter((span) => span.name === 'chat scripted');
    const { attributes } = spanNamed(spans, 'execute_tool cancel_order');
    expect(attributes['gen_ai.tool.call.arguments']).toContain(said.argument);
    expect(attributes['gen_ai.tool.call.result']).toContain(said.result);
    for (const secret of [said.message, said.argument, said.result])
      expect(second?.attributes['gen_ai.input.messages']).toContain(secret);
    expect(second?.attributes['gen_ai.output.messages']).toContain(said.reply);
    expect(second?.attributes['gen_ai.system_instructions']).toContain('Test');
    expect(second?.attributes['gen_ai.tool.definitions']).toContain('cancel_order');
    expect(spanNamed(spans, 'invoke_agent coordinator').attributes['user.id']).toEqual(expect.any(String));
    expect(started.server.printed()).toContain('HLP1018');
  });

  // proves wire-6-45
  it('is sent with the headers and under the source name of the configuration', async () => {
    const started = await tracedServer([saying('Hello.')], { observabilitySourceName: 'ShopAssistant' });
    await (await chat(started.url)).next('end');
    const spans = await ended(started);
    expect(spans.map(({ scope }) => scope)).toContain('ShopAssistant');
    expect(started.otlp.points()[0]?.scope).toBe('ShopAssistant');
    const paths = started.otlp.requests.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    for (const { headers } of started.otlp.requests) expect(headers['x-api-key']).toBe('of-the-receiver');
  });

  // proves wire-6-45, service-18-20
  it('is the same numbers as on the Prometheus page, the model’s under the names of the conventions', async () => {
    const started = await tracedServer(confirmed);
    await answer(started.url, await chat(started.url), true);
    const page = await (await fetch(`${started.url}/metrics`)).text();
    await ended(started);
    const points = started.otlp.points();
    const value = (metric: string, attributes: object): number | undefined =>
      points.find((point) => point.metric === metric && contains(point.attributes, attributes))?.value;
    expect(value('helperagent.turns', { channel: 'sse', status: 'completed' })).toBe(1);
    expect(page).toContain('helperagent_turns_total{channel="sse",status="completed"} 1');
    expect(value('helperagent.tool_calls', { action: 'cancel_order', status: 'succeeded' })).toBe(1);
    expect(value('helperagent.confirmations', { outcome: 'approved', by: 'user' })).toBe(1);
    expect(
      value('gen_ai.client.operation.duration', {
        'gen_ai.request.model': 'scripted',
        'gen_ai.provider.name': 'openai',
      }),
    ).toBe(2);
    expect(value('gen_ai.client.token.usage', { 'gen_ai.token.type': 'input' })).toBe(2);
    const duration = points.find(({ metric }) => metric === 'helperagent.turn_duration');
    expect([duration?.kind, duration?.unit]).toEqual(['histogram', 's']);
    // Everything that the server itself counts, by its name on the page.
    const ours = [...page.matchAll(/^# TYPE (helperagent_\w+) /gm)].map(([, name]) => String(name));
    // Without a source of documents there are no counts for such sources, and without other replicas nothing joins them. The labels of a fault
    // and of a refused tool are known once there is one, and the page has no number for them before.
    const unforeseen = ['helperagent_model_faults_total', 'helperagent_tools_left_out_total'];
    for (const name of unforeseen) expect(page).not.toMatch(new RegExp(`^${name}\\{`, 'm'));
    const isElsewhere = (name: string): boolean =>
      name.startsWith('helperagent_knowledge_') || name === 'helperagent_bus_up' || unforeseen.includes(name);
    const counted = ours.filter((name) => !isElsewhere(name));
    const metrics = new Set(points.map(({ metric }) => metric));
    const inOtlp = (name: string): string =>
      name.replace('helperagent_', 'helperagent.').replace(/_(total|seconds)$/, '');
    expect(counted.filter((name) => !metrics.has(inOtlp(name)))).toEqual(['helperagent_build_info']);
  });
});

describe('a receiver that fails (contract/operations.md#traces)', () => {
  // proves wire-6-46
  it('harms no turn when it is not there, and holds up no end', async () => {
    const started = await tracedServer([saying('One.'), saying('Two.')], {
      telemetry: { otlpEndpoint: 'http://127.0.0.1:9' },
    });
    for (const text of ['One.', 'Two.']) {
      const turn = await chat(started.url);
      await turn.next('end');
      expect(turn.text()).toBe(text);
    }
    expect(await started.server.kill('SIGTERM')).toBe(0);
    expect(started.server.printed()).toContain('the last traces and metrics were not sent');
  });

  // proves wire-6-46
  it('is said once for traces and once for metrics when it refuses, and nothing of its key is', async () => {
    const started = await tracedServer([saying('One.')]);
    started.otlp.status = 401;
    await (await chat(started.url)).next('end');
    expect(await started.server.kill('SIGTERM')).toBe(0);
    const lines = started.server
      .printed()
      .split('\n')
      .filter((line) => line.includes('telemetry is not taken'));
    expect(lines.map((line) => /"what":"(\w+)"/.exec(line)?.[1]).toSorted()).toEqual(['metrics', 'traces']);
    expect(lines[0]).toContain('(401)');
    expect(started.server.printed()).not.toContain('of-the-receiver');
  });
});

describe('a server without enableObservability (contract/operations.md#traces)', () => {
  /** Tells of each file of the packages and of our own part that is loaded. */
  const watch = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    import { writeSync } from 'node:fs';
    registerHooks({
      load(url, context, next) {
        if (/@opentelemetry\\/|chunks\\/telemetry-/.test(url)) writeSync(2, 'loaded ' + url + '\\n');
        return next(url, context);
      },
    });`)}`;

  /** What is loaded for a turn, beside the interface that other packages need. */
  async function loadedWith(settings: Readonly<Record<string, unknown>>): Promise<() => readonly string[]> {
    const started = await tracedServer(confirmed, settings, { NODE_OPTIONS: `--import=${watch}` });
    await answer(started.url, await chat(started.url), true);
    await ended(started);
    // What a process has printed may come after the news that it has ended.
    return () => {
      const loaded = [...started.server.printed().matchAll(/^loaded (.*)$/gm)].map(([, url]) => String(url));
      return loaded.filter((url) => !url.includes('/@opentelemetry/api/'));
    };
  }

  // proves wire-6-47
  it('loads nothing of it, sends nothing and writes no trace_id', async () => {
    const without = await loadedWith({ enableObservability: false, telemetry: {} });
    const loaded = await loadedWith({});
    for (const part of ['/chunks/telemetry-', '/sdk-metrics/', '/otlp-exporter-base/'])
      await expect.poll(() => loaded().filter((url) => url.includes(part))).not.toEqual([]);
    expect(without()).toEqual([]);
  });

  // proves wire-6-47, configuration-10-01
  it('sends the trace of a message on to callbacks, and to no model', async () => {
    const started = await tracedServer(confirmed, { enableObservability: false });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await answer(started.url, await chat(started.url, { traceparent: `00-${trace}-b7ad6b7169203331-01` }), true);
    await ended(started);
    expect(started.callback.posts()[0]?.headers['traceparent']).toContain(trace);
    expect(started.model.requests.map(({ headers }) => headers['traceparent'])).toEqual([undefined, undefined]);
    expect(started.otlp.requests).toEqual([]);
    expect(started.server.printed()).toContain('HLP1036');
    expect(started.server.printed()).not.toContain('trace_id');
  });

  // proves wire-6-43
  it('sends the trace of a message on to callbacks after a restart too', async () => {
    const started = await tracedServer(confirmed, { enableObservability: false, hitlMode: 'Native' });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const turn = await chat(started.url, { traceparent });
    const { data } = await turn.next('confirmation');
    await ended(started);
    const next = started.again();
    await sendAnswer(await next.url, data?.['actionId'], true);
    await expect.poll(() => started.callback.posts().length).toBe(1);
    const trace = traceparent.slice(3, 35);
    expect(started.callback.posts()[0]?.headers['traceparent']).toContain(trace);
    expect(await next.kill('SIGTERM')).toBe(0);
  });
});

function contains(whole: Readonly<Record<string, unknown>>, part: object): boolean {
  return Object.entries(part).every(([key, value]) => whole[key] === value);
}
