import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { calling, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

describe('a turn that goes on in another process (contract/knowledge.md#prompt)', () => {
  // proves service-2.11-15
  it('has the documents that it began with', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-knowledge-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const host = await startCallback({
      version: 1,
      hooks: ['search'],
      actions: [
        {
          name: 'cancel_order',
          description: 'Cancels an order.',
          parameters: { type: 'object', additionalProperties: true },
        },
      ],
    });
    host.answer = json({ documents: [{ content: 'Cancelling is free.', score: 9 }] });
    const scripts = [calling({ name: 'cancel_order', arguments: {} }), saying('Done.')];
    const model = await startScriptedModel({ scripts });
    onTestFinished(() => model.close());
    const config = join(folder, 'helper.yaml');
    const settings = {
      appName: 'Test',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
      actions: { plugins: [], callbacks: [{ name: 'erp', url: host.url, secret: callbackSecret }] },
      useRag: true,
      hitlMode: 'Native',
    };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(settings));
    const start = (): ServerProcess => startServerProcess({ folder, config });

    const first = start();
    const chat = await openSse(`${await first.url}/helper/chat`, { method: 'POST', body: { message: 'cancel it' } });
    const { id, data } = await chat.next('confirmation');
    await first.kill('SIGKILL');
    host.answer = json({ result: 'cancelled', documents: [{ content: 'Cancelling costs money.', score: 9 }] });
    const url = await start().url;
    const going = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id ?? '' } });
    await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    await going.next('end');
    const sent = JSON.stringify(model.requests.at(-1)?.body['messages']);
    expect(model.requests).toHaveLength(2);
    expect(sent).toContain('Cancelling is free.');
    expect(host.posts().filter(({ body }) => body['type'] === 'search')).toHaveLength(1);
  });
});
