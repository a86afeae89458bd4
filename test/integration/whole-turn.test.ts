import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { afterGrace } from '../support/after-grace.ts';
import { realServer } from '../support/real-server.ts';
import { cutAfter, failing, hangingAfter, saying, sending, startScriptedModel } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';

const plugins = join(import.meta.dirname, '../../plugins');
const mock = new LLMock({ port: 0 });

beforeAll(() => mock.start());
afterEach(() => {
  mock.clearFixtures();
});
afterAll(() => mock.stop());

/** The whole server with the sample plugin in front of an OpenAI-compatible model. */
function serverFor(modelUrl: string, more: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-turn-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'helper.yaml');
  writeFileSync(
    file,
    [
      'appName: Order desk',
      'chatClient: main',
      'models:',
      `  main: { provider: openai, model: gpt-4o, apiKey: secret-key-1, baseUrl: "${modelUrl}/v1", maxRetries: 0, timeout: 300ms }`,
      `actions: { plugins: [${JSON.stringify(plugins)}] }`,
    ].join('\n'),
  );
  return realServer(more, file);
}

async function connect(url: string): Promise<HubConnection> {
  const connection = new HubConnectionBuilder().withUrl(`${url}/helper-hub`).configureLogging(LogLevel.None).build();
  await connection.start();
  onTestFinished(() => connection.stop());
  return connection;
}

async function approve(url: string, actionId: unknown): Promise<number> {
  const response = await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved: true }),
  });
  return response.status;
}

function twoToolsThenWords(orderNumber: number): void {
  mock.on({ userMessage: 'both', hasToolResult: true }, { content: `Order ${String(orderNumber)} is cancelled now.` });
  mock.on(
    { userMessage: 'both', hasToolResult: false },
    {
      toolCalls: [
        { name: 'get_order', arguments: JSON.stringify({ orderNumber }) },
        { name: 'cancel_order', arguments: JSON.stringify({ orderNumber }) },
      ],
    },
  );
}

describe('a turn of the whole server against an independent OpenAI-wire server', () => {
  it('over SSE: two tools in parallel, one of them confirmed, and a streamed answer (contract/sse.md and contract/confirmations.md#answering)', async () => {
    twoToolsThenWords(1002);
    const { url } = await serverFor(mock.url);
    const stream = await openSse(`${url}/helper/chat?message=both%20please`);
    const { data } = await stream.next('confirmation');
    expect(data).toMatchObject({ action: 'cancel_order', arguments: [{ name: 'orderNumber', value: 1002 }] });
    await stream.next('card');
    expect(await approve(url, data?.['actionId'])).toBe(200);
    await stream.closed;
    expect(stream.text()).toBe('Order 1002 is cancelled now.');
    const told = JSON.stringify(mock.getRequests().at(-1)?.body);
    expect(told).toContain('[succeeded]');
    expect(told).toContain('cancelled');
  });

  // proves wire-3-01
  it('over the hub, with the official client (contract/hub.md)', async () => {
    twoToolsThenWords(1005);
    const { url } = await serverFor(mock.url);
    const connection = await connect(url);
    const names: string[] = [];
    for (const name of ['ActionExecuting', 'ActionCompleted', 'ConfirmationResolved', 'CardReady', 'TurnCompleted']) {
      connection.on(name, () => names.push(name));
    }
    const approved = Promise.withResolvers<number>();
    connection.on('ConfirmationRequested', (event: { readonly actionId: string; readonly action: string }) => {
      names.push('ConfirmationRequested');
      void approve(url, event.actionId).then(approved.resolve);
    });
    const result = await connection.invoke('SendMessage', 'both please');
    expect(await approved.promise).toBe(200);
    expect(result).toMatchObject({ status: 'completed', text: 'Order 1005 is cancelled now.' });
    expect(names.filter((name) => name === 'ActionCompleted')).toHaveLength(2);
    expect(names.indexOf('ConfirmationResolved')).toBeGreaterThan(names.indexOf('ConfirmationRequested'));
    expect(names.at(-1)).toBe('TurnCompleted');
  });
});

describe('a model that misbehaves (contract/models.md): the turn fails with its code, the next message works', () => {
  it.each([
    ['answers 401', failing(401, { body: { error: { message: 'bad key secret-key-1' } } }), 'model_unavailable', false],
    // proves wire-10-03
    ['answers 500', failing(500), 'model_unavailable', true],
    // proves wire-10-03
    ['cuts the stream', cutAfter('Half'), 'model_unavailable', true],
    // proves wire-10-03
    ['sends broken JSON', sending('data: {"choices": [{\n\n'), 'model_unavailable', true],
    ['sends what is no stream', sending('<html>hello</html>'), 'model_unavailable', true],
    // proves wire-10-03
    ['hangs', hangingAfter('Half'), 'model_timeout', true],
  ])('%s', async (_title, script, code, retryable) => {
    const model = await startScriptedModel({ scripts: [script], otherwise: saying('Fine again.') });
    onTestFinished(() => model.close());
    const { url } = await serverFor(model.origin);
    const connection = await connect(url);
    const errors: { readonly code: string; readonly message: string }[] = [];
    connection.on('ErrorOccurred', (event: { readonly code: string; readonly message: string }) => errors.push(event));
    expect(await connection.invoke('SendMessage', 'hello')).toMatchObject({ status: 'failed', code });
    expect(errors).toMatchObject([{ code, retryable }]);
    expect(JSON.stringify(errors)).not.toContain('secret-key-1');
    expect(await connection.invoke('SendMessage', 'again')).toMatchObject({ status: 'completed', text: 'Fine again.' });
  });
});

describe('Stop (contract/confirmations.md#stop)', () => {
  // proves configuration-3-05
  it("closes the model's socket at POST /helper/cancel, long before the model's own time limit", async () => {
    const model = await startScriptedModel({ otherwise: hangingAfter('Half') });
    onTestFinished(() => model.close());
    const { url } = await serverFor(model.origin, { HELPER__MODELS__MAIN__TIMEOUT: '10m' });
    const stream = await openSse(`${url}/helper/chat?message=hello`);
    await stream.next('text');
    await fetch(`${url}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ turnId: stream.headers['x-turn-id'] }),
    });
    expect((await (await model.request(0)).closed).early).toBe(true);
    await stream.closed;
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'stopped', text: 'Half' });
  });

  // proves wire-4-18
  it('closes it after server.disconnectGrace when the client has gone, and not before', async () => {
    const model = await startScriptedModel({ otherwise: hangingAfter('Half') });
    onTestFinished(() => model.close());
    const { url } = await serverFor(model.origin, {
      HELPER__MODELS__MAIN__TIMEOUT: '10m',
      HELPER__SERVER__DISCONNECTGRACE: '61s',
    });
    const stream = await openSse(`${url}/helper/chat?message=hello`);
    await stream.next('text');
    let isClosed = false;
    const closed = (await model.request(0)).closed.then(() => (isClosed = true));
    await afterGrace(
      61_000,
      () => stream.close(),
      () => isClosed,
    );
    await closed;
  });
});
