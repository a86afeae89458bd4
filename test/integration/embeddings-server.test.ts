import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendRefusal, startEmbeddingServer } from '../support/embedding-server.ts';
import { saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

function helpPages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'help-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'shipping.markdown'), '# Shipping\n\nParcels take two days to every town.');
  writeFileSync(join(folder, 'hours.markdown'), '# Opening hours\n\nThe shop is open from nine to five.');
  return folder;
}

/** Asks again and again until the model gets `wanted`. Returns what the model got. */
async function askUntil(server: ScriptedServer, message: string, wanted: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const chat = await openSse(`${server.url}/helper/chat`, { body: { message } });
      await chat.next('end');
      const sent = JSON.stringify(server.model.requests.at(-1)?.body['messages']);
      expect(sent).toContain(wanted);
      return sent;
    },
    { interval: 100 },
  );
}

describe('a server with embeddings (contract/document-folders.md#meaning)', () => {
  // proves service-2.11-89
  it('answers with documents that share no word with the message', async () => {
    const vectors = await startEmbeddingServer({ same: [['parcels', 'vehicle']] });
    const server = await scriptedServer({
      scripts: Array.from({ length: 200 }, () => saying('In two days [1].')),
      settings: {
        useRag: true,
        embeddingGenerator: 'vectors',
        ragSources: [{ type: 'files', name: 'help', path: helpPages(), language: 'en', minCosine: 0.3 }],
      },
      models: {
        vectors: { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none', baseUrl: vectors.url },
      },
    });
    expect(await askUntil(server, 'vehicle', 'Parcels take two days')).not.toContain('open from nine');
    expect(vectors.texts()).toContain('Shipping\nParcels take two days to every town.');
  });

  // proves service-2.11-99
  it('takes the model that embeddings of a source names in place of embeddingGenerator, for this source alone', async () => {
    const [shared, own] = [
      await startEmbeddingServer(),
      await startEmbeddingServer({ same: [['parcels', 'vehicle']] }),
    ];
    const entry = { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none' };
    const prices = mkdtempSync(join(tmpdir(), 'prices-'));
    onTestFinished(() => rmSync(prices, { recursive: true, force: true }));
    writeFileSync(join(prices, 'prices.markdown'), '# Prices\n\nWrapping paper costs nothing.');
    const folder = { type: 'files', language: 'en', minCosine: 0.3 };
    const server = await scriptedServer({
      scripts: Array.from({ length: 200 }, () => saying('In two days [1].')),
      settings: {
        useRag: true,
        embeddingGenerator: 'shared',
        ragSources: [
          { ...folder, name: 'help', path: helpPages(), embeddings: 'own' },
          { ...folder, name: 'prices', path: prices },
        ],
      },
      models: { shared: { ...entry, baseUrl: shared.url }, own: { ...entry, baseUrl: own.url } },
    });
    await askUntil(server, 'vehicle', 'Parcels take two days');
    await vi.waitFor(() => expect(shared.texts()).toContain('Prices\nWrapping paper costs nothing.'));
    expect(own.texts()).toContain('Shipping\nParcels take two days to every town.');
    expect(own.texts().join()).not.toContain('Wrapping');
    expect(shared.texts().join()).not.toMatch(/Parcels|Opening/);
  });

  // proves service-2.11-92
  it('is degraded while the model gives no vectors', async () => {
    const vectors = await startEmbeddingServer();
    vectors.answerWith((_, response) => sendRefusal(response, 401, 'no such key'));
    const server = await scriptedServer({
      scripts: [],
      settings: {
        useRag: true,
        embeddingGenerator: 'vectors',
        ragSources: [{ type: 'files', name: 'help', path: helpPages() }],
      },
      models: {
        vectors: { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'wrong', baseUrl: vectors.url },
      },
    });
    await vi.waitFor(() => expect(vectors.requests.length).toBeGreaterThan(0));
    await vi.waitFor(async () => {
      const ready = await fetch(`${server.url}/readyz`);
      expect(ready.status).toBe(200);
      const { checks } = (await ready.json()) as { readonly checks: readonly object[] }; // as contract/operations.md says
      expect(checks).toContainEqual({ name: 'documents:help', state: 'degraded' });
    });
  });
});

describe('a server with a small model (contract/knowledge.md#keywords)', () => {
  it.each([
    ['finds with its keywords what the message does not say', true, 1],
    ['asks it for none when ragQueryRewrite is off', false, 0],
  ])('%s', async (_, ragQueryRewrite, calls) => {
    const small = await startScriptedModel({ otherwise: saying('{"keywords": ["parcels", "town", "days"]}') });
    onTestFinished(() => small.close());
    const server = await scriptedServer({
      scripts: Array.from({ length: 200 }, () => saying('Yes.')),
      settings: {
        useRag: true,
        ragQueryRewrite,
        classifierChatClient: 'small',
        ragSources: [{ type: 'files', name: 'help', path: helpPages(), language: 'en' }],
      },
      models: { small: { provider: 'openai', model: 's', apiKey: 'none', baseUrl: small.url } },
    });
    await askUntil(server, 'When is the shop open?', 'open from nine');
    const asked = small.requests.length;
    const sent = await askUntil(server, 'My trousers are late', 'My trousers are late');
    expect(sent.includes('Parcels take two days')).toBe(ragQueryRewrite);
    expect(small.requests.length - asked).toBe(calls);
  });
});
