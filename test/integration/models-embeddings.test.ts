import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/core/ports/chat-model.ts';
import { sendEmbeddings, sendRefusal, startEmbeddingServer } from '../support/embedding-server.ts';
import { openedEmbedder } from '../support/opened-embedders.ts';
import { secretKey } from '../support/opened-models.ts';

const signal = AbortSignal.timeout(30_000);

describe('embeddings (contract/models.md#embeddings)', () => {
  // proves configuration-3-80, configuration-3-83
  it('speaks the wire of OpenAI, in batches, and counts each call with its tokens', async () => {
    const server = await startEmbeddingServer();
    const { embedder, counted } = await openedEmbedder({ baseUrl: server.url, options: { dimensions: 256 } });
    const texts = Array.from({ length: 40 }, (_, index) => `text number ${String(index)}`);
    const vectors = await embedder.embed({ texts, purpose: 'document', signal });
    expect(vectors).toHaveLength(40);
    expect(server.requests.map(({ path, texts: sent }) => [path, sent.length])).toEqual([
      ['/v1/embeddings', 32],
      ['/v1/embeddings', 8],
    ]);
    expect(server.texts()).toEqual(texts);
    expect(server.requests[0]?.body).toMatchObject({ model: 'vectors-1', dimensions: 256 });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${secretKey}` });
    const call = { provider: 'openai', model: 'vectors-1', error: undefined, outputTokens: 0 };
    expect(counted).toMatchObject([
      { ...call, inputTokens: 32 },
      { ...call, inputTokens: 8 },
    ]);
  });

  // proves configuration-3-84
  it('gives vectors of length 1, from numbers and from base64 alike', async () => {
    const server = await startEmbeddingServer();
    server.answerWith((_, response) =>
      sendEmbeddings(response, [[3, 4], Buffer.from(new Float32Array([3, 4]).buffer).toString('base64')]),
    );
    const { embedder } = await openedEmbedder({ baseUrl: server.url });
    const vector = new Float32Array([0.6, 0.8]);
    expect(await embedder.embed({ texts: ['a', 'b'], purpose: 'document', signal })).toEqual([{ vector }, { vector }]);
  });

  // proves configuration-3-80
  it('asks an Azure deployment with its key and version', async () => {
    const server = await startEmbeddingServer();
    const azure = { provider: 'azure', endpoint: server.origin, deployment: 'small', apiVersion: '2024-10-21' };
    const { embedder } = await openedEmbedder({ ...azure, model: undefined });
    await embedder.embed({ texts: ['hello'], purpose: 'question', signal });
    expect(server.requests[0]?.path).toBe('/openai/deployments/small/embeddings?api-version=2024-10-21');
    expect(server.requests[0]?.headers).toMatchObject({ 'api-key': secretKey });
    expect(embedder).toMatchObject({ model: 'small', provider: 'azure' });
  });

  // proves configuration-3-80
  it('uses the embeddings class of an installed LangChain package', async () => {
    const server = await startEmbeddingServer();
    const { embedder } = await openedEmbedder({
      provider: '@langchain/openai',
      class: 'OpenAIEmbeddings',
      options: { configuration: { baseURL: server.url } },
    });
    const [given] = await embedder.embed({ texts: ['hello world'], purpose: 'document', signal });
    expect(given).toMatchObject({ vector: expect.any(Float32Array) as unknown });
    expect(server.requests[0]?.body).toMatchObject({ model: 'vectors-1' });
    server.answerWith((_, response) => sendRefusal(response, 401, `no such key ${secretKey}`));
    const refused = embedder.embed({ texts: ['hello'], purpose: 'question', signal });
    await expect(refused).rejects.toThrow(/401/);
    await expect(refused).rejects.not.toThrow(secretKey);
  });

  // proves configuration-3-80
  it("takes a plugin's embeddings, and tells questions from documents", async () => {
    const asked: string[] = [];
    const plugin = {
      embedDocuments: (texts: string[]) => {
        asked.push(`documents: ${texts.join()}`);
        return Promise.resolve(texts.map(() => [0, 2]));
      },
      embedQuery: (text: string) => {
        asked.push(`question: ${text}`);
        return Promise.resolve([2, 0]);
      },
    };
    const { embedder } = await openedEmbedder(
      { provider: undefined, plugin: 'own', model: undefined },
      { own: plugin },
    );
    expect(await embedder.embed({ texts: ['a', 'b'], purpose: 'document', signal })).toHaveLength(2);
    expect(await embedder.embed({ texts: ['c'], purpose: 'question', signal })).toEqual([
      { vector: new Float32Array([1, 0]) },
    ]);
    expect(asked).toEqual(['documents: a,b', 'question: c']);
  });

  // proves configuration-3-82
  it.each([
    ['a class that is missing', { class: 'NoEmbeddings' }, 'exports no class NoEmbeddings; it has'],
    [
      'a class that is a chat model',
      { class: 'ChatOpenAI' },
      'ChatOpenAI of @langchain/openai is not a LangChain embeddings class',
    ],
    ['a class that nobody named', { class: undefined }, 'class is missing'],
    ['a package that is missing', { provider: '@langchain/nothing', class: 'X' }, 'npm i @langchain/nothing'],
    [
      'a plugin that is missing',
      { provider: undefined, plugin: 'none' },
      'no loaded plugin exports a model named "none"',
    ],
  ])('refuses %s when it is loaded', async (_, changes, message) => {
    const opening = openedEmbedder({ provider: '@langchain/openai', ...changes });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toThrow(/^models\.vectors: /);
  });

  // proves configuration-3-82
  it("refuses a plugin's model that has no embeddings", async () => {
    const opening = openedEmbedder({ provider: undefined, plugin: 'own' }, { own: { stream: () => undefined } });
    await expect(opening).rejects.toThrow('has no embedDocuments and embedQuery');
  });

  // proves configuration-3-83
  it('tries a call again that failed for the moment, and no other', async () => {
    const server = await startEmbeddingServer();
    const statuses = [503, 400];
    server.answerWith((_, response) => sendRefusal(response, statuses.shift() ?? 500, 'no'));
    const { embedder, counted } = await openedEmbedder({ baseUrl: server.url, maxRetries: 3 });
    const failing = embedder.embed({ texts: ['a'], purpose: 'document', signal });
    await expect(failing).rejects.toThrow(ModelError);
    await expect(failing).rejects.toThrow('the model answered 400');
    expect(server.requests).toHaveLength(2);
    expect(counted).toMatchObject([{ error: 'model_misconfigured' }]);
  });

  // proves configuration-3-83
  it('has no more calls in flight than concurrency allows, and leaves the queue with its signal', async () => {
    const server = await startEmbeddingServer();
    server.answerWith(() => undefined);
    const { embedder } = await openedEmbedder({ baseUrl: server.url, concurrency: 1 });
    const stops = [new AbortController(), new AbortController()];
    const calls = stops.map((stop) => embedder.embed({ texts: ['a'], purpose: 'document', signal: stop.signal }));
    stops[1]?.abort(new Error('given up in the queue'));
    await expect(calls[1]).rejects.toThrow('given up in the queue');
    stops[0]?.abort(new Error('given up in flight'));
    await expect(calls[0]).rejects.toThrow('given up in flight');
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  // proves configuration-3-83
  it('cuts a text that no model takes whole', async () => {
    const server = await startEmbeddingServer();
    const { embedder } = await openedEmbedder({ baseUrl: server.url });
    await embedder.embed({ texts: ['word '.repeat(5_000)], purpose: 'question', signal });
    expect(server.texts()[0]).toHaveLength(6_000);
  });
});
