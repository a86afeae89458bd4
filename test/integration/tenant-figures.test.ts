import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
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
const start = (scripts: readonly ModelScript[], settings: object = {}): Promise<ScriptedServer> =>
  scriptedServer({ scripts, plugin, settings: { ...tenancy, ...settings } });

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

const samples = async (url: string): Promise<readonly string[]> =>
  (await (await fetch(`${url}/metrics`)).text()).split('\n');

/** Ann of the north chats twice over both channels, and Ann of the south once. */
async function visited(): Promise<string> {
  const scripts = [
    ...[call('northern_stock'), saying('Seven.'), call('northern_stock'), saying('Seven.')],
    ...[call('southern_stock'), saying('Eight.')],
  ];
  const { url } = await start(scripts);
  const hub = await connect(url, north);
  await hub.invoke('SendMessage', 'How much?');
  await chat(url, north);
  await chat(url, south);
  return url;
}

describe('the metrics of tenants (contract/operations.md#metrics)', () => {
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
  });

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
  });

  it('have no such label without tenancy.claim', async () => {
    const { url } = await start([saying('Hi.')], { tenancy: { claim: null } });
    await chat(url, north);
    const found = await samples(url);
    expect(found).toContain('helperagent_turns_total{channel="sse",status="completed"} 1');
    expect(found.join('\n')).not.toContain('tenant=');
  });
});

describe('the trace of a turn (contract/operations.md#traces)', () => {
  it('names the tenant of its caller', async () => {
    const started = await tracedServer([saying('Hi.')], tenancy);
    await chat(started.url, north);
    const { attributes } = spanNamed(await ended(started), 'invoke_agent coordinator');
    expect(attributes['helper.tenant']).toBe('north');
    expect(Object.values(attributes)).not.toContain('ann');
  });
});
