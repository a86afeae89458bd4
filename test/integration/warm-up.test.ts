import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { saying, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

/** A model server that notes what it is asked, and on which connection. */
async function watchedModel() {
  const model = await startScriptedModel({ otherwise: saying('Hello') });
  const asked: { readonly method: string; readonly port: number; readonly key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { method = '', headers, socket } = request;
    asked.push({ method, port: socket.remotePort ?? 0, key: headers.authorization });
    if (method !== 'POST') {
      request.resume();
      response.writeHead(405).end('no');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void fetch(`${model.origin}${request.url ?? ''}`, { method, body: Buffer.concat(chunks) }).then(
        async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'text/event-stream' }).end(await answer.text());
        },
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await model.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${String(port)}/v1`, asked, requests: model.requests };
}

async function started(baseUrl: string, values: object) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-warm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'helper.yaml');
  // A model of one's own is asked for its window with the first message, unless the entry says it.
  const entry = { provider: 'openai', baseUrl, model: 'm', apiKey: 'key-of-the-test', maxRetries: 0 };
  const models = { main: { ...entry, contextWindow: 64_000 } };
  writeFileSync(config, JSON.stringify({ appName: 'Shop', chatClient: 'main', models, actions: 'none', ...values }));
  const server = startServerProcess({ folder: join(folder, 'data'), config });
  return { ...server, url: await server.url };
}

describe('warmUpAtStartup (contract/models.md#warm-up)', () => {
  // proves service-2.7-40
  it('opens the connection that the first message goes over, without a question to the model and without the key', async () => {
    const model = await watchedModel();
    const server = await started(model.url, { warmUpAtStartup: true, useMemoryContext: true });
    await vi.waitFor(() => expect(server.printed()).toContain('warmed up'));
    expect(model.asked).toEqual([{ method: 'OPTIONS', port: expect.any(Number) as number, key: undefined }]);
    expect(model.requests).toEqual([]);
    const chat = await openSse(`${server.url}/helper/chat`, { body: { message: 'Hi' } });
    await chat.next('end');
    expect(chat.text()).toBe('Hello');
    expect(model.asked[1]).toMatchObject({ method: 'POST', port: model.asked[0]?.port });
  });

  // proves service-2.7-41
  it('is off by default: nobody is asked before the first message', async () => {
    const model = await watchedModel();
    const server = await started(model.url, {});
    const chat = await openSse(`${server.url}/helper/chat`, { body: { message: 'Hi' } });
    await chat.next('end');
    expect(model.asked.map(({ method }) => method)).toEqual(['POST']);
    expect(server.printed()).not.toContain('warmed up');
  });

  // proves service-2.7-42
  it('warns when the host does not answer, and the server serves', async () => {
    const server = await started('http://127.0.0.1:1/v1', { warmUpAtStartup: true });
    await vi.waitFor(() => expect(server.printed()).toContain('could not be warmed up'));
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  // proves service-2.7-42
  it('does not let invalid configuration start', async () => {
    const server = started('not an address', { warmUpAtStartup: true });
    await expect(server).rejects.toThrow(/models\.main\.baseUrl/);
  });
});
