import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { buildServer } from '../../src/app.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { type Series, seriesOf } from '../support/monitoring/scrape.ts';
import { openSse } from '../support/sse-client.ts';

const minuteMs = 60_000;

interface Watched {
  readonly url: string;
  readonly clock: Clock & { aheadMs: number };
  /** The present value of one series; undefined when there is none. */
  readonly value: (metric: string, labels?: Series['labels']) => Promise<number | undefined>;
  /** The names and labels of all series of the product. */
  readonly names: () => Promise<readonly string[]>;
}

/** The server as it ships, with a clock that a test sets forward. It ends with the test. */
async function watched(): Promise<Watched> {
  const clock = {
    aheadMs: 0,
    now: () => Date.now() + clock.aheadMs,
    elapsed: () => performance.now() + clock.aheadMs,
  };
  const environment = {
    HELPER__SERVER__PORT: '0',
    HELPER__STORAGE__TYPE: 'memory',
    HELPER__SERVER__SHUTDOWNGRACE: '0',
    HELPER__SERVER__DISCONNECTGRACE: '0',
  };
  const { settings } = loadSettings({ file: 'config/helper.yaml', environment });
  const server = await buildServer(settings, { silent: true, clock });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  const scrape = async (): Promise<readonly Series[]> => seriesOf(await (await fetch(`${url}/metrics`)).text());
  return {
    url,
    clock,
    value: async (metric, labels = {}) => {
      const isAsked = (series: Series): boolean =>
        Object.entries(labels).every(([name, text]) => series.labels[name] === text);
      return (await scrape()).find((series) => series.metric === metric && isAsked(series))?.value;
    },
    names: async () => {
      const own = (await scrape()).filter(({ metric }) => /^(helperagent|gen_ai)_/.test(metric));
      return own.map(({ metric, labels }) => `${metric} ${JSON.stringify(labels)}`).sort();
    },
  };
}

async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return status;
}

describe('the metrics of a server (contract/operations.md#metrics)', () => {
  // proves wire-6-31
  it('are all there from the start: nothing that happens adds a series', async () => {
    const { url, names } = await watched();
    const before = await names();
    expect(before.length).toBeGreaterThan(500);
    await (await fetch(`${url}/helper/chat?message=List%20the%20orders.`)).text();
    const turn = await openSse(`${url}/helper/chat?message=Cancel%20order%201042.`);
    const { data } = await turn.next('confirmation');
    expect(await post(`${url}/helper/approve`, { actionId: data?.['actionId'], approved: true })).toBe(200);
    await turn.closed;
    expect(await post(`${url}/helper/approve`, { actionId: data?.['actionId'], approved: true })).toBe(404);
    for (const path of ['/nowhere', '/helper/chat', '/helper/widget.js', '/healthz'])
      await (await fetch(url + path)).text();
    const client = await RawHubClient.open(`${url}/helper-hub`);
    client.say({ protocol: 'json', version: 1 });
    await client.event('Connected');
    expect(await names()).toEqual(before);
  });

  // proves wire-6-32
  it('show the turns that run, the questions that are open, and how long the oldest has waited', async () => {
    const { url, clock, value } = await watched();
    const live = async (): Promise<unknown> => ({
      turns: await value('helperagent_running_turns', { channel: 'sse' }),
      questions: await value('helperagent_open_questions'),
    });
    expect(await live()).toEqual({ turns: 0, questions: 0 });
    const turn = await openSse(`${url}/helper/chat?message=Cancel%20order%201042.`);
    const { data } = await turn.next('confirmation');
    clock.aheadMs = 2 * minuteMs;
    expect(await live()).toEqual({ turns: 1, questions: 1 });
    expect(await value('helperagent_oldest_open_question_seconds')).toBeGreaterThanOrEqual(120);
    await post(`${url}/helper/approve`, { actionId: data?.['actionId'], approved: false });
    await turn.closed;
    expect(await live()).toEqual({ turns: 0, questions: 0 });
    expect(await value('helperagent_oldest_open_question_seconds')).toBe(0);
  });

  // proves wire-6-33
  it('time an action without the wait for its user, and its call with it', async () => {
    const { url, clock, value } = await watched();
    const turn = await openSse(`${url}/helper/chat?message=Cancel%20order%201042.`);
    const { data } = await turn.next('confirmation');
    clock.aheadMs = 2 * minuteMs;
    await post(`${url}/helper/approve`, { actionId: data?.['actionId'], approved: true });
    await turn.closed;
    const action = { action: 'cancel_order' };
    expect(await value('helperagent_tool_call_seconds_sum', action)).toBeGreaterThanOrEqual(120);
    expect(await value('helperagent_tool_run_seconds_count', action)).toBe(1);
    expect(await value('helperagent_tool_run_seconds_sum', action)).toBeLessThan(60);
    // The first text came after the user's answer. The time until then is not counted, because the user was not waiting for the model.
    expect(await value('helperagent_first_token_seconds_count', { channel: 'sse' })).toBe(0);
    expect(await value('helperagent_confirmation_wait_seconds_sum', { outcome: 'approved' })).toBeGreaterThanOrEqual(
      120,
    );
  });

  // proves wire-6-34
  it('count answers by the pattern of the address and the class of the status', async () => {
    const { url, value } = await watched();
    const answers = (route: string, kind: string): Promise<number | undefined> =>
      value('helperagent_http_responses_total', { route, class: kind });
    await fetch(`${url}/nowhere?a=b`);
    await fetch(`${url}/%E0%A4%A`);
    await (await fetch(`${url}/helper/chat?message=hello`)).text();
    expect(await post(`${url}/helper/approve`, { actionId: 5 })).toBe(400);
    await vi.waitFor(async () => {
      expect(await answers('', '4xx')).toBe(2);
      expect(await answers('/helper/chat', '2xx')).toBe(1);
      expect(await answers('/helper/approve', '4xx')).toBe(1);
      expect(await answers('/helper/approve', '2xx')).toBe(0);
    });
  });

  // proves wire-6-35
  it('see a hold-up of the event loop that lasts for some ten milliseconds', async () => {
    const { value } = await watched();
    // The shortest delay between two scrapes is close to the interval of the measurement itself.
    await vi.waitFor(async () => {
      const shortest = await value('nodejs_eventloop_lag_min_seconds');
      expect(shortest).toBeGreaterThan(0);
      expect(shortest).toBeLessThan(0.05);
    });
  });
});
