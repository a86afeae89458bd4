import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder, writeFiles } from '../support/document-folder.ts';
import { sendRefusal, sendVectors, startEmbeddingServer } from '../support/embedding-server.ts';
import { saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { ended, spanNamed, tracedServer } from '../support/traced-server.ts';

const pages = {
  'shipping.markdown': '# Shipping\n\nParcels take two days to every town.',
  'opening.markdown': '# Opening hours\n\nThe shop is open from nine to five.',
};

/** A traced server with a folder, and the model that its vectors come from. */
async function observed() {
  const docs = temporaryFolder();
  writeFiles(docs, pages);
  const vectors = await startEmbeddingServer({ same: [['parcels', 'vehicle']] });
  const entry = { kind: 'embeddings', provider: 'openai', model: 'vectors-1', apiKey: 'none', baseUrl: vectors.url };
  const started = await tracedServer(
    Array.from({ length: 50 }, () => saying('Well.')),
    {
      models: { vectors: { ...entry, maxRetries: 0 } },
      useRag: true,
      embeddingGenerator: 'vectors',
      ragSources: [{ type: 'files', name: 'help', path: docs, language: 'en', refresh: '200ms' }],
    },
  );
  const series = async (name: string): Promise<readonly string[]> => {
    const page = await (await fetch(`${started.url}/metrics`)).text();
    return page.split('\n').filter((line) => line.startsWith(`${name}{`));
  };
  const say = async (message: string): Promise<void> => {
    await (await openSse(`${started.url}/helper/chat`, { body: { message } })).next('end');
  };
  return { ...started, docs, vectors, series, say };
}

const label = (state: string): string => `helperagent_knowledge_vectors{source="help",state="${state}"}`;

describe('embeddings that are observed (contract/operations.md#metrics and contract/operations.md#traces)', () => {
  // proves wire-6-54
  it('shows how many parts have vectors, and measures the calls that make them', async () => {
    const { vectors, docs, series, say } = await observed();
    const progress = (): Promise<readonly string[]> => series('helperagent_knowledge_vectors');
    await vi.waitFor(async () => expect(await progress()).toEqual([`${label('made')} 2`, `${label('missing')} 0`]));
    vectors.answerWith((request, response) => {
      if (request.texts.some((text) => text.includes('Gifts'))) sendRefusal(response, 400, 'no');
      else sendVectors(response, request);
    });
    writeFiles(docs, { 'gifts.markdown': '# Gifts\n\nWrapping paper costs nothing.' });
    await vi.waitFor(async () => expect(await progress()).toEqual([`${label('made')} 2`, `${label('missing')} 1`]));
    await say('vehicle');
    const calls = async (error: string): Promise<number> => {
      const lines = (await series('gen_ai_client_operation_duration_seconds_count')).filter((line) =>
        line.includes('gen_ai_operation_name="embeddings"'),
      );
      expect(lines.every((line) => line.includes('gen_ai_request_model="vectors-1"'))).toBe(true);
      return Number(
        lines
          .find((line) => line.includes(`error_type="${error}"`))
          ?.split(' ')
          .at(-1),
      );
    };
    // The successful calls are at least one for the documents and one for the question.
    expect(await calls('')).toBeGreaterThanOrEqual(2);
    // The server may ask only later for the part that the provider refuses.
    await vi.waitFor(async () => expect(await calls('model_misconfigured')).toBeGreaterThanOrEqual(1));
    expect(vectors.texts().join(' ')).toContain('Gifts');
    const measured = await series('gen_ai_client_operation_duration_seconds_count');
    expect(measured.some((line) => line.includes('"chat"') && line.includes('vectors-1'))).toBe(false);
    const [tokens] = (await series('gen_ai_client_token_usage_count')).filter((line) => line.includes('vectors-1'));
    expect(tokens).toContain('gen_ai_token_type="input"');
  });

  // proves wire-6-55
  it('follows the calls: that of a question in the trace of its turn', async () => {
    const { series, say, ...started } = await observed();
    await vi.waitFor(
      async () => expect(await series('helperagent_knowledge_vectors')).toContain(`${label('made')} 2`),
      { interval: 50 },
    );
    await say('vehicle');
    const spans = await ended(started);
    const turn = spanNamed(spans, 'invoke_agent coordinator');
    const calls = spans.filter(({ name }) => name === 'embeddings vectors-1');
    const ofTurn = calls.filter(({ traceId }) => traceId === turn.traceId);
    expect(ofTurn).toHaveLength(1);
    expect(calls.length).toBeGreaterThan(ofTurn.length);
    expect(ofTurn[0]).toMatchObject({ kind: 3, isError: false });
    expect(ofTurn[0]?.parentSpanId).not.toBe('');
    expect(ofTurn[0]?.attributes).toEqual({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'vectors-1',
      'gen_ai.usage.input_tokens': 1,
    });
    expect(JSON.stringify(calls)).not.toContain('vehicle');
  });
});
