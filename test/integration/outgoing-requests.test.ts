import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callbackSecret, startCallback } from '../support/callback-receiver.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { startMcpServer } from '../support/mcp/real-mcp-server.ts';
import { startApi } from '../support/openapi/api-server.ts';
import { documentOf, operation } from '../support/openapi/shop-document.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { calling, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { certificate, key } from '../unit/config/certificates.ts';

/** A server process with this configuration, whose storage ends with the test. */
function started(settings: object, environment: Readonly<Record<string, string>> = {}): ServerProcess {
  const folder = mkdtempSync(join(tmpdir(), 'helper-outgoing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'helper.yaml');
  writeFileSync(config, JSON.stringify({ appName: 'Test', ...settings }));
  return startServerProcess({ folder: join(folder, 'data'), config, environment });
}

async function chat(server: ServerProcess, message: string): Promise<string> {
  const address = new URL('/helper/chat', await server.url);
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  return answer.text();
}

const modelAt = (baseUrl: string): object => ({
  main: { provider: 'openai', baseUrl, model: 'scripted', apiKey: 'k' },
});
const portOf = (url: string): number => Number(new URL(url).port);

/** The model, behind https with a certificate of its own. */
async function secureModel(): Promise<{ readonly port: number; readonly roots: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-roots-'));
  const roots = join(folder, 'roots.pem');
  writeFileSync(roots, certificate);
  const server = createSecureServer({ cert: certificate, key }, (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"delta":{"content":"Sealed."}}]}\n\ndata: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  return { port: (server.address() as AddressInfo).port, roots }; // a server that listens on TCP has an AddressInfo
}

describe('requests to other servers (contract/operations.md#outgoing-requests)', () => {
  // proves service-10-50
  it('go through the proxy of the configuration, whatever they are for', async () => {
    const proxy = await startForwardProxy();
    const model = await startScriptedModel({
      scripts: [
        calling({ name: 'get_stock', arguments: {} }),
        calling({ name: 'far__weigh', arguments: {} }),
        calling({ name: 'list_items', arguments: {} }),
        saying('All asked.'),
      ],
    });
    onTestFinished(() => model.close());
    const mcp = await startMcpServer('new', [{ name: 'weigh', annotations: { readOnlyHint: true } }]);
    const callback = await startCallback({
      actions: [
        { name: 'get_stock', description: 'Gets.', readOnly: true, parameters: { type: 'object', properties: {} } },
      ],
    });
    const api = await startApi();
    const document = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(documentOf({ '/items': { get: operation('list_items') } })));
    });
    await new Promise<void>((resolve) => document.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void document.close());
    const otlp = await startOtlpReceiver();
    const hosts = {
      'model.inside': portOf(model.origin),
      'mcp.inside': portOf(mcp.url),
      'app.inside': portOf(callback.url),
      'api.inside': portOf(api.url),
      'document.inside': (document.address() as AddressInfo).port, // a server that listens on TCP has an AddressInfo
      'otlp.inside': portOf(otlp.url),
      'keys.inside': 1,
    };
    for (const [host, port] of Object.entries(hosts)) proxy.ports.set(host, port);
    const server = started({
      network: { proxy: proxy.url },
      models: modelAt('http://model.inside/v1'),
      chatClient: 'main',
      mcpServers: [{ name: 'far', serverUrl: 'http://mcp.inside/mcp' }],
      actions: {
        plugins: [],
        callbacks: [{ name: 'app', url: 'http://app.inside/helper', secret: callbackSecret }],
        openapi: [
          {
            name: 'api',
            document: 'http://document.inside/shop.json',
            baseUrl: 'http://api.inside',
            operations: ['*'],
          },
        ],
      },
      auth: { jwt: { jwksUrl: 'http://keys.inside/jwks', issuer: undefined } },
      enableObservability: true,
      telemetry: { otlpEndpoint: 'http://otlp.inside' },
    });
    await server.url;
    await expect.poll(() => proxy.asked.some((line) => line.includes('mcp.inside'))).toBe(true);
    expect(await chat(server, 'Ask all of them.')).toContain('All asked.');
    await fetch(new URL('/helper/approve', await server.url), {
      method: 'POST',
      headers: {
        authorization: 'Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.c2ln',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    const asked = (): object =>
      Object.fromEntries(
        Object.keys(hosts).map((host) => [host, proxy.asked.some((line) => line.includes(`//${host}/`))]),
      );
    await expect.poll(asked).toEqual(Object.fromEntries(Object.keys(hosts).map((host) => [host, true])));
    expect(server.printed()).toContain('requests to other servers go through a proxy');
  });

  // proves service-10-50
  it('go through it for vectors, too', async () => {
    const proxy = await startForwardProxy();
    const embeddings = await startEmbeddingServer();
    const folder = mkdtempSync(join(tmpdir(), 'helper-pages-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'page.txt'), 'Parcels take two days.');
    proxy.ports.set('vectors.inside', portOf(embeddings.url));
    const server = started({
      network: { proxy: proxy.url },
      models: {
        ...modelAt('http://model.inside/v1'),
        vectors: {
          provider: 'openai',
          kind: 'embeddings',
          baseUrl: 'http://vectors.inside/v1',
          model: 'v',
          apiKey: 'k',
        },
      },
      chatClient: 'main',
      embeddingGenerator: 'vectors',
      useRag: true,
      ragSources: [{ type: 'files', name: 'help', path: folder, language: 'en' }],
      actions: 'none',
    });
    await server.url;
    await expect.poll(() => proxy.asked).toContain('POST http://vectors.inside/v1/embeddings');
  });

  // proves service-10-51, service-10-53
  it('go through a tunnel to https addresses, and trust the roots of network.ca there', async () => {
    const proxy = await startForwardProxy();
    const { port, roots } = await secureModel();
    proxy.ports.set('localhost', port);
    proxy.wanted = `Basic ${Buffer.from('ann:pass word').toString('base64')}`;
    const settings = { models: modelAt('https://localhost/v1'), chatClient: 'main', actions: 'none' };
    const address = `http://ann:pass%20word@127.0.0.1:${String(proxy.port)}`;
    const server = started({ ...settings, network: { proxy: address, ca: [roots] } });
    expect(await chat(server, 'Hello.')).toContain('Sealed.');
    expect(proxy.asked).toContain('CONNECT localhost:443');
    expect(server.printed()).not.toContain('pass');
    const untrusting = started({ ...settings, network: { proxy: address } });
    expect(await chat(untrusting, 'Hello.')).toContain('model_unavailable');
    await expect
      .poll(untrusting.printed)
      .toMatch(/through the proxy http:\/\/\*\*\*@127\.0\.0\.1:\d+: self.signed certificate/);
  });

  // proves service-10-50, service-10-52
  it('go through the proxy of the environment, but for the hosts that it leaves out', async () => {
    const proxy = await startForwardProxy();
    const model = await startScriptedModel({ otherwise: saying('Straight.') });
    onTestFinished(() => model.close());
    const settings = { models: modelAt(model.url), chatClient: 'main', actions: 'none' };
    const through = started(settings, { HTTP_PROXY: `127.0.0.1:${String(proxy.port)}` });
    expect(await chat(through, 'Hello.')).toContain('Straight.');
    expect(proxy.asked).toContain(`POST ${model.url}/chat/completions`);
    proxy.asked.length = 0;
    const straight = started(settings, { http_proxy: proxy.url, NO_PROXY: 'example.com,127.0.0.1' });
    expect(await chat(straight, 'Hello.')).toContain('Straight.');
    expect(proxy.asked).toEqual([]);
  });

  // proves service-10-54
  it('name a proxy that refuses them, and one that is not there', async () => {
    const proxy = await startForwardProxy();
    proxy.wanted = 'Basic nobody';
    const settings = { models: modelAt('https://model.inside/v1'), chatClient: 'main', actions: 'none' };
    const refused = started({ ...settings, network: { proxy: proxy.url } });
    expect(await chat(refused, 'Hello.')).toContain('model_unavailable');
    await expect
      .poll(refused.printed)
      .toContain(`through the proxy ${proxy.url}: it answered 407, so it wants a user and a password`);
    const away = started(settings, { HTTP_PROXY: 'http://127.0.0.1:1' });
    expect(await chat(away, 'Hello.')).toContain('model_unavailable');
    await expect.poll(away.printed).toContain('through the proxy http://127.0.0.1:1: connect ECONNREFUSED');
  });

  // proves service-10-55
  it('are refused at the start with a proxy or roots that cannot be used', async () => {
    const model = { models: modelAt('http://model.inside/v1'), chatClient: 'main', actions: 'none' };
    const socks = started(model, { HTTPS_PROXY: 'socks5://ann:secret@proxy.inside:1080' });
    expect(await socks.exited).toBe(78);
    expect(socks.printed()).toContain('HTTPS_PROXY: is no address of an HTTP proxy');
    expect(socks.printed()).not.toContain('secret');
    const rootless = started({ ...model, network: { ca: ['helper.yaml', 'roots.pem'] } });
    expect(await rootless.exited).toBe(78);
    expect(rootless.printed()).toContain('network.ca[0]: holds no PEM certificates');
    expect(rootless.printed()).toMatch(/network\.ca\[1\]: there is no file .*roots\.pem/);
  });
});
