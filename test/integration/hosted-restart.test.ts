import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import {
  approvalRequest,
  created,
  eventBytes,
  mcpCall,
  replyWith,
  type ResponseEvent,
  webSearch,
} from '../support/responses-model.ts';
import { type ModelScript, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

const asking = replyWith('r1', [approvalRequest('mcpr_1', 'pay', { amount: 5 })], 'One moment.');
const paid = replyWith('r2', [mcpCall('mcp_1', 'pay', { approval_request_id: 'mcpr_1', output: 'Paid 5.' })], 'Paid.');

/** A configuration on a folder that outlives the servers of a test. */
async function kept(scripts: readonly ModelScript[], settings: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-hosted-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const configuration = {
    appName: 'Test',
    hitlMode: 'Native',
    chatClient: 'main',
    models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
    actions: 'none',
    hostedMcpServers: [{ name: 'erp', url: 'https://erp.example/mcp', headers: { 'x-key': 'of-the-server' } }],
    ...settings,
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(configuration));
  return { model, folder, start: () => startServerProcess({ folder, config }) };
}

function approve(url: string, actionId: unknown, approved = true): Promise<Response> {
  return fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved }),
  });
}

/** How often the provider was given an approval. */
function approvalsIn({ requests }: ScriptedModel): number {
  return requests.filter(({ body }) => JSON.stringify(body['input']).includes('"approve":true')).length;
}

/** Begins a reply and never ends it. `sent` resolves once the server may have read the beginning. */
function hanging(...events: readonly ResponseEvent[]): {
  readonly script: ModelScript;
  readonly sent: Promise<void>;
} {
  const sent = Promise.withResolvers<undefined>();
  return {
    sent: sent.promise,
    script: async (exchange) => {
      for (const bytes of eventBytes(...events)) await exchange.send(bytes);
      sent.resolve(undefined);
    },
  };
}

describe('an approval for the provider between two processes (contract/hosted-tools.md#restarts)', () => {
  // proves service-2.17-90
  it.each(['SIGKILL', 'SIGTERM'] as const)('is given once, after %s while its question is open', async (signal) => {
    const { model, start } = await kept([asking, paid]);
    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat?message=pay`);
    const { id = '', data = {} } = await chat.next('confirmation');
    expect(data).toMatchObject({ reason: 'hosted', action: 'mcp-erp-pay' });
    await first.kill(signal);
    await chat.closed;
    const second = start();
    const url = await second.url;
    expect((await approve(url, data['actionId'])).status).toBe(200);
    const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed', text: 'One moment.\n\nPaid.' });
    expect(approvalsIn(model)).toBe(1);
    const input = JSON.stringify((await model.request(1)).body['input']);
    expect(input).toContain('"type":"mcp_approval_request"');
    expect((await approve(url, data['actionId'])).status).toBe(404);
    expect(first.printed() + second.printed()).not.toContain('of-the-server');
  });

  // proves service-2.17-91
  it('is not given again after a crash that came when it was sent: nobody knows whether the call ran', async () => {
    const begun = hanging(created('r2'));
    const { model, folder, start } = await kept([asking, begun.script, replyWith('r3', [], 'Please check.')]);
    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat?message=pay`);
    const { id = '', data = {} } = await chat.next('confirmation');
    expect((await approve(await first.url, data['actionId'])).status).toBe(200);
    await begun.sent;
    await first.kill('SIGKILL');
    await chat.closed;
    const second = start();
    const resumed = await openSse(`${await second.url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed' });
    expect(approvalsIn(model)).toBe(1);
    expect(JSON.stringify((await model.request(2)).body['input'])).toContain('[unknown]');
    await second.kill('SIGTERM');
    const { journal } = await openStores({ type: 'embedded', path: folder });
    expect(await journal.find(String(data['actionId']))).toMatchObject({ state: 'done', outcome: 'unknown' });
    await journal.close();
  });

  // proves service-2.17-92
  it('is given once after a crash that came while another question was open', async () => {
    const two = replyWith('r1', [approvalRequest('mcpr_1', 'pay'), approvalRequest('mcpr_2', 'ship')]);
    const both = replyWith(
      'r2',
      [
        mcpCall('mcp_1', 'pay', { approval_request_id: 'mcpr_1' }),
        mcpCall('mcp_2', 'ship', { approval_request_id: 'mcpr_2' }),
      ],
      'Both.',
    );
    const { model, start } = await kept([two, both]);
    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat?message=both`);
    const one = (await chat.next('confirmation')).data ?? {};
    const { id = '', data: other = {} } = await chat.next('confirmation');
    expect((await approve(await first.url, one['actionId'])).status).toBe(200);
    await first.kill('SIGKILL');
    await chat.closed;
    const second = start();
    const url = await second.url;
    expect((await approve(url, other['actionId'])).status).toBe(200);
    const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed', text: 'Both.' });
    expect(approvalsIn(model)).toBe(1);
    expect(model.requests).toHaveLength(2);
  });

  it('of a Blocking turn ends with the process, and the turn as interrupted', async () => {
    const { model, start } = await kept([asking], { hitlMode: 'Blocking' });
    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat?message=pay`);
    const { id = '', data = {} } = await chat.next('confirmation');
    await first.kill('SIGKILL');
    await chat.closed;
    const second = start();
    const url = await second.url;
    const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'failed', code: 'interrupted' });
    expect((await approve(url, data['actionId'])).status).toBe(404);
    expect(model.requests).toHaveLength(1);
  });
});

describe('calls of the provider between two processes (contract/hosted-tools.md#restarts)', () => {
  // proves service-2.17-94
  it('that a crash has cut off are asked for anew', async () => {
    const begun = hanging(created('r1'), ...webSearch('ws_1').slice(0, 2));
    const again = replyWith('r2', [], 'It rains.');
    const { model, start } = await kept([begun.script, again], {
      hostedTools: ['WebSearch'],
      server: { durableTurns: true },
    });
    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat?message=news`);
    await begun.sent;
    await first.kill('SIGKILL');
    await chat.closed;
    const second = start();
    const turnId = String(chat.headers['x-turn-id']);
    const resumed = await openSse(`${await second.url}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
    expect((await resumed.next('end')).data).toMatchObject({ status: 'completed', text: 'It rains.' });
    expect(model.requests).toHaveLength(2);
  });
});
