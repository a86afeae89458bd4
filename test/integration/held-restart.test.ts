import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { chunk, ending, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

const sayingAndCalling: ModelScript = async (exchange) => {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'cancel_order', arguments: '{}' } };
  await exchange.send(chunk({ role: 'assistant', content: 'I cancel it.' }));
  await exchange.send(chunk({ tool_calls: [call] }));
  await exchange.send(ending('tool_calls'));
  exchange.end();
};

describe('a held reply of a turn that goes on in another process (contract/guardrails.md#replies)', () => {
  // proves service-2.8-30
  it.each([
    [true, 'completed', 'I cancel it.\n\nDone.'],
    [false, 'refused', ''],
  ])('is checked as a whole, and with the verdict %s its turn is %s', async (safe, status, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-held-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const host = await startCallback({
      version: 1,
      hooks: ['outputGuardrail'],
      actions: [
        {
          name: 'cancel_order',
          description: 'Cancels an order.',
          parameters: { type: 'object', additionalProperties: true },
        },
      ],
    });
    const model = await startScriptedModel({ scripts: [sayingAndCalling, saying('Done.')] });
    onTestFinished(() => model.close());
    const config = join(folder, 'helper.yaml');
    const settings = {
      appName: 'Test',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
      actions: { plugins: [], callbacks: [{ name: 'erp', url: host.url, secret: callbackSecret }] },
      hitlMode: 'Native',
    };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(settings));
    const start = (): ServerProcess => startServerProcess({ folder, config });

    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat`, { method: 'POST', body: { message: 'cancel it' } });
    const { id, data } = await chat.next('confirmation');
    expect(chat.text()).toBe('');
    await first.kill('SIGKILL');
    host.answer = json({ result: 'cancelled', safe });
    const url = await start().url;
    const going = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id ?? '' } });
    await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    expect((await going.next('end')).data).toMatchObject({ status, text });
    expect(going.text()).toBe(text);
    const checked = host.posts().filter(({ body }) => body['type'] === 'guardrail');
    expect(checked.map(({ body }) => body['text'])).toEqual(['I cancel it.\n\nDone.']);
  });
});
