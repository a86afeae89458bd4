import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AdminMetrics, csvTables } from '../../src/wire/admin-metrics.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { ended, spanNamed, tracedServer } from '../support/traced-server.ts';

/** The same user, who is an admin, in two tenants. */
const [north, south] = await Promise.all(
  ['north', 'south'].map((org) => makeToken({ sub: 'ann', role: 'Admin', org })),
);
type Token = string | undefined;
const bearer = (token: Token): Record<string, string> => ({ authorization: `Bearer ${String(token)}` });
const tenancy = { tenancy: { claim: 'org' }, auth: { jwt: { secret: tokenSecret } } };

/** One action of each tenant, and one that asks. */
const plugin = `
const parameters = { type: 'object' };
export default { name: 'shelf', actions: [
  { name: 'northern_stock', description: 'Tells.', parameters, readOnly: true, tenants: ['north'], execute: () => '7' },
  { name: 'southern_stock', description: 'Tells.', parameters, readOnly: true, tenants: ['south'], execute: () => '8' },
  { name: 'cancel_order', description: 'Cancels.', parameters, execute: () => 'done' },
] };
`;
const call = (name: string): ModelScript => calling({ name, arguments: {} });
const start = (
  scripts: readonly ModelScript[],
  settings: object = {},
  overrides: Readonly<Record<string, string>> = {},
): Promise<ScriptedServer> => scriptedServer({ scripts, plugin, settings: { ...tenancy, ...settings }, overrides });

async function connect(url: string, token: Token): Promise<HubConnection> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, { accessTokenFactory: () => String(token) })
    .configureLogging(LogLevel.None)
    .build();
  await hub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

async function chat(url: string, token: Token): Promise<SseConversation> {
  const stream = await openSse(`${url}/helper/chat`, { body: { message: 'How much?' }, headers: bearer(token) });
  await stream.closed;
  return stream;
}

async function figures(url: string, token: Token): Promise<AdminMetrics> {
  const answer = await fetch(`${url}/helper/admin/metrics`, { headers: bearer(token) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as AdminMetrics; // contract/operations.md#dashboard
}

const samples = async (url: string): Promise<readonly string[]> =>
  (await (await fetch(`${url}/metrics`)).text()).split('\n');

/** Everything that the user of `token` is shown: the figures as JSON, and each table as CSV. */
async function shownTo(url: string, token: Token): Promise<string> {
  const queries = ['', '?step=5m', ...csvTables.map((table) => `?format=csv&table=${table}`)];
  const answers = queries.map(async (query) =>
    (await fetch(`${url}/helper/admin/metrics${query}`, { headers: bearer(token) })).text(),
  );
  return (await Promise.all(answers)).join('\n');
}

/** Ann of the north chats twice over both channels, and Ann of the south once. */
async function visited(settings: object = {}, overrides: Readonly<Record<string, string>> = {}): Promise<string> {
  const scripts = [
    ...[call('northern_stock'), saying('Seven.'), call('northern_stock'), saying('Seven.')],
    ...[call('southern_stock'), saying('Eight.')],
  ];
  const { url } = await start(scripts, settings, overrides);
  const hub = await connect(url, north);
  await hub.invoke('SendMessage', 'How much?');
  await chat(url, north);
  await chat(url, south);
  return url;
}

describe('the metrics of tenants (contract/operations.md#metrics)', () => {
  // proves configuration-7-63
  it('tell what their callers do under the label tenant, on every channel', async () => {
    const found = await samples(await visited());
    for (const sample of [
      'helperagent_turns_total{channel="hub",status="completed",tenant="north"} 1',
      'helperagent_turns_total{channel="sse",status="completed",tenant="north"} 1',
      'helperagent_turns_total{channel="sse",status="completed",tenant="south"} 1',
      'helperagent_turns_total{channel="sse",status="completed"} 0',
      'helperagent_tool_calls_total{action="northern_stock",status="succeeded",tenant="north"} 2',
      'helperagent_tool_calls_total{action="southern_stock",status="succeeded",tenant="south"} 1',
      'helperagent_tool_run_seconds_count{action="northern_stock",tenant="north"} 2',
      'helperagent_connections_opened_total{channel="sse",tenant="south"} 1',
      'helperagent_connections{channel="hub",tenant="north"} 1',
      'helperagent_connections{channel="hub",tenant="south"} 0',
      'helperagent_first_token_seconds_count{channel="sse",tenant="south"} 1',
    ])
      expect(found).toContain(sample);
    const calls = found.filter((line) => line.startsWith('gen_ai_client_operation_duration_seconds_count{'));
    const countOf = (tenant: string): number =>
      calls
        .filter((line) => line.includes(`tenant="${tenant}"`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    expect([countOf('north'), countOf('south')]).toEqual([4, 2]);
    expect(found.filter((line) => /northern.*tenant="south"|southern.*tenant="north"/.test(line))).toEqual([]);
  });

  // proves configuration-7-63, configuration-7-65
  it('tell the turns and questions that wait now, each of their tenant', async () => {
    const { url } = await start([call('cancel_order'), saying('Done.')]);
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel it' }, headers: bearer(north) });
    await stream.next('confirmation');
    const found = await samples(url);
    for (const sample of [
      'helperagent_running_turns{channel="sse",tenant="north"} 1',
      'helperagent_running_turns{channel="sse"} 0',
      'helperagent_open_questions{tenant="north"} 1',
      'helperagent_open_questions 0',
      'helperagent_confirmations_requested_total{tenant="north"} 1',
    ])
      expect(found).toContain(sample);
    expect((await figures(url, north)).live).toMatchObject({ turns: 1, connections: 1, questions: { count: 1 } });
    expect((await figures(url, south)).live).toMatchObject({
      ...{ turns: 0, connections: 0, channels: [] },
      questions: { count: 0, oldestAt: null },
    });
  });

  // proves configuration-7-63, service-2.15-49
  it('tell what the server does beside and after their turns: searches, callbacks, memory and its calls of the model', async () => {
    const receiver = await startCallback({ version: 1, hooks: ['search'] });
    receiver.answer = json({ documents: [] });
    const { url } = await scriptedServer({
      scripts: [saying('Hi.'), saying('{"add": [{"kind": "fact", "text": "Has a dog."}]}')],
      callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }],
      settings: {
        ...{ ...tenancy, useRag: true, useMemoryContext: true },
        ragSources: [{ type: 'files', name: 'handbook', path: import.meta.dirname, include: ['*.none'] }],
      },
    });
    await chat(url, north);
    await expect
      .poll(() => samples(url))
      .toContain('helperagent_memory_captures_total{outcome="changed",tenant="north"} 1');
    const found = await samples(url);
    for (const sample of [
      'helperagent_knowledge_searches_total{source="erp",outcome="nothing",tenant="north"} 1',
      'helperagent_callback_calls_total{callback="erp",type="search",outcome="answered",tenant="north"} 1',
      'helperagent_callback_calls_total{callback="erp",type="manifest",outcome="answered"} 1',
      'helperagent_memory_captures_total{outcome="changed"} 0',
    ])
      expect(found).toContain(sample);
    const calls =
      'gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="scripted",error_type=""';
    expect(found).toContain(`${calls},tenant="north"} 2`);
    expect(found).toContain(`${calls}} 0`);
    expect((await figures(url, north)).callbacks).toEqual([{ callback: 'erp', answered: 1, failed: 0, paused: 0 }]);
    const { callbacks, live } = await figures(url, south);
    expect([callbacks, live.callbacks, live.folders]).toEqual([[], [], []]);
  });

  // proves configuration-7-63
  it('count what is refused for the tenant of a user who is signed in, and for none of a caller whom nobody knows', async () => {
    const clerk = await makeToken({ sub: 'bob', org: 'north' });
    const { url } = await start([saying('Hi.')], { rateLimitPerUser: 1 });
    await chat(url, north);
    await chat(url, north);
    for (const token of [clerk, 'wrong']) await fetch(`${url}/helper/admin/metrics`, { headers: bearer(token) });
    const found = await samples(url);
    for (const sample of [
      'helperagent_rate_limited_total{what="message",tenant="north"} 1',
      'helperagent_security_events_total{what="entry_refused",reason="role",tenant="north"} 1',
      'helperagent_security_events_total{what="authentication_failed",reason="malformed"} 1',
    ])
      expect(found).toContain(sample);
    expect((await figures(url, north)).limited).toEqual([{ what: 'message', count: 1 }]);
    const { faults, limited } = await figures(url, south);
    expect({ faults, limited }).toEqual({ faults: [], limited: [] });
  });

  // proves configuration-7-63
  it('have no such label without tenancy.claim', async () => {
    const { url } = await start([saying('Hi.')], { tenancy: { claim: null } });
    await chat(url, north);
    const found = await samples(url);
    expect(found).toContain('helperagent_turns_total{channel="sse",status="completed"} 1');
    expect(found.join('\n')).not.toContain('tenant=');
    expect(await figures(url, south)).toMatchObject({ tenant: null, totals: { turns: 1 } });
  });
});

describe('the dashboard of a tenant (contract/operations.md#dashboard)', () => {
  // proves configuration-7-65
  it('has the figures of its own callers alone, as JSON and as CSV', async () => {
    const url = await visited({ modelPricing: { scripted: { inputPer1M: 1000, outputPer1M: 1000 } } });
    const [own, other] = [await figures(url, north), await figures(url, south)];
    expect(own).toMatchObject({ tenant: 'north', totals: { turns: 2 }, models: [{ model: 'scripted', calls: 4 }] });
    expect(own.actions).toMatchObject([{ action: 'northern_stock', calls: 2, from: 'plugin shelf' }]);
    expect(own.channels).toEqual([
      { channel: 'hub', turns: 1 },
      { channel: 'sse', turns: 1 },
    ]);
    expect(other).toMatchObject({ tenant: 'south', totals: { turns: 1 }, models: [{ model: 'scripted', calls: 2 }] });
    expect(other.channels).toEqual([{ channel: 'sse', turns: 1 }]);
    expect(own.totals.inputTokens).toBe(2 * other.totals.inputTokens);
    expect(own.totals.cost).toBeCloseTo(2 * (other.totals.cost ?? 0), 6);
    expect(await shownTo(url, north)).not.toMatch(/south/);
    expect(await shownTo(url, south)).not.toMatch(/north/);
    expect(await shownTo(url, south)).toContain('southern_stock,plugin shelf');
  });

  // proves configuration-7-65
  it('goes on after a restart where it was', async () => {
    const path = mkdtempSync(join(tmpdir(), 'helper-tenants-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    const stored = { HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: path };
    const first = await start([call('northern_stock'), saying('Seven.')], {}, stored);
    await chat(first.url, north);
    await chat(first.url, north);
    await first.server.close();
    const second = await start([saying('Hi.')], {}, stored);
    expect((await figures(second.url, north)).totals.turns).toBe(2);
    await chat(second.url, north);
    await chat(second.url, south);
    expect((await figures(second.url, north)).totals.turns).toBe(3);
    expect((await figures(second.url, south)).totals.turns).toBe(1);
    expect(await shownTo(second.url, south)).not.toMatch(/north/);
  });

  // proves configuration-7-65
  it('says nothing of the warnings of the server, which name what is there for others', async () => {
    const { url, server } = await start([], { server: { host: '0.0.0.0' } });
    expect(server.report.warnings).not.toEqual([]);
    expect((await figures(url, north)).server.warnings).toEqual([]);
  });

  // proves configuration-7-66
  it('is that of all tenants together with an empty dashboardRole, whoever asks', async () => {
    const url = await visited({ dashboardRole: '' });
    for (const token of [north, south]) {
      const all = await figures(url, token);
      expect(all).toMatchObject({ tenant: null, totals: { turns: 3 } });
      expect(all.actions).toMatchObject([{ action: 'northern_stock' }, { action: 'southern_stock' }]);
    }
  });
});

describe('the trace of a turn (contract/operations.md#traces)', () => {
  // proves configuration-7-68
  it('names the tenant of its caller', async () => {
    const started = await tracedServer([saying('Hi.')], tenancy);
    await chat(started.url, north);
    const { attributes } = spanNamed(await ended(started), 'invoke_agent coordinator');
    expect(attributes['helper.tenant']).toBe('north');
    expect(Object.values(attributes)).not.toContain('ann');
  });
});
