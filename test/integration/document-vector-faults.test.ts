import { describe, expect, it } from 'vitest';
import { openFolder, type OpenedFolder, temporaryFolder, writeFiles } from '../support/document-folder.ts';
import {
  type EmbeddingScript,
  type EmbeddingServer,
  sendEmbeddings,
  sendRefusal,
  startEmbeddingServer,
} from '../support/embedding-server.ts';
import { openedEmbedder } from '../support/opened-embedders.ts';
import { secretKey } from '../support/opened-models.ts';
import { wordVector } from '../support/word-vector.ts';

const noVectors = 'the embedding model gives no vectors: documents are found by their words alone';
const noQuestion = 'the embedding model has no vector for a question: words alone count for now';
const leftOut = 'parts of documents have no vector and are found by their words alone';
const pages = {
  'returns.markdown': '# Returns\n\nGoods can be sent back within thirty days.',
  'shipping.markdown': '# Shipping\n\nParcels reach every town.',
  'opening.markdown': '# Opening hours\n\nThe shop opens at nine.',
};

async function opened(server: EmbeddingServer, timeout = 5_000): Promise<OpenedFolder & { readonly folder: string }> {
  const folder = temporaryFolder();
  writeFiles(folder, pages);
  const { embedder } = await openedEmbedder({ baseUrl: server.url, timeout });
  const docs = await openFolder(folder, { embedder, settings: { language: 'en', timeoutMs: 400 } });
  return Object.assign(docs, { folder });
}

/** Answers with the right vectors, except for the texts that contain `marked`. */
function spoiling(marked: string, spoilt: unknown): EmbeddingScript {
  return ({ texts }, response) => {
    const right = (text: string): unknown => [...wordVector(text, { dimensions: 64 })];
    sendEmbeddings(
      response,
      texts.map((text) => (text.includes(marked) ? spoilt : right(text))),
    );
  };
}

describe('an embedding model with faults (contract/document-folders.md#vectors)', () => {
  // proves service-2.11-92
  it.each<[string, EmbeddingScript, string]>([
    ['a key that is refused', (_, response) => sendRefusal(response, 401, `bad key ${secretKey}`), '401'],
    ['something that is no list', (_, response) => void response.end('{"data": "none"}'), 'no list of vectors'],
    ['something that is no JSON', (_, response) => void response.end('<html>'), 'no list of vectors'],
    ['a connection that is cut', (_, response) => void response.destroy(), 'the connection to the model failed'],
  ])('names %s in the log once, and words go on to find', async (_, script, reason) => {
    const server = await startEmbeddingServer();
    server.answerWith(script);
    const docs = await opened(server);
    await docs.until(() => docs.logged(noVectors).length > 0);
    expect(docs.logged(noVectors)).toEqual([
      { model: 'vectors-1', reason: expect.stringContaining(reason) as unknown },
    ]);
    expect(await docs.titles('thirty days')).toEqual(['Returns']);
    expect(await docs.titles('thirty days for goods')).toEqual(['Returns']);
    expect(docs.logged(noQuestion)).toHaveLength(1);
    expect(docs.source.state.vectors).toMatchObject({ chunks: 0, fault: expect.stringContaining(reason) as unknown });
    expect(JSON.stringify([docs.log.lines, docs.source.state])).not.toContain(secretKey);
  });

  // proves configuration-3-84, service-2.11-93
  it.each<[string, unknown, string]>([
    ['is too short', [1, 2, 3], 'has 3 numbers, and'],
    ['holds no numbers', ['a', 'b'], 'holds something that is no number'],
    ['holds a null in place of a number', [null, 1], 'holds something that is no number'],
    ['is all zero', Array.from({ length: 64 }, () => 0), 'is all zero'],
    ['is no list', { values: [1, 2] }, 'is no list of numbers'],
    ['is missing', undefined, 'is no list of numbers'],
    ['holds NaN', Buffer.from(new Float32Array(64).fill(Number.NaN).buffer).toString('base64'), 'no number'],
  ])('leaves out a vector that %s, names it, and keeps the others', async (_, spoilt, reason) => {
    const server = await startEmbeddingServer();
    server.answerWith(spoiling('Returns', spoilt));
    const docs = await opened(server);
    await docs.until(() => docs.logged(leftOut).length > 0);
    expect(docs.logged(leftOut)).toEqual([
      { model: 'vectors-1', count: 1, reason: expect.stringContaining(reason) as unknown },
    ]);
    await docs.until(() => docs.source.state.vectors?.chunks === 2);
    expect(docs.source.state.vectors).toMatchObject({ model: 'vectors-1', chunks: 2 });
    expect(await docs.titles('thirty days')).toEqual(['Returns']);
    writeFiles(docs.folder, { 'gifts.markdown': '# Gifts\n\nWrapping paper costs nothing.' });
    await docs.until(() => docs.source.state.vectors?.chunks === 3);
    expect(server.texts().filter((text) => text.startsWith('Returns'))).toHaveLength(1);
  });

  // proves service-2.11-88
  it('answers a question by words alone when its vector takes half of the time of a search', async () => {
    const server = await startEmbeddingServer();
    const docs = await opened(server);
    await docs.until(() => docs.source.state.vectors?.chunks === 3);
    server.answerWith(() => undefined);
    expect(await docs.titles('thirty days')).toEqual(['Returns']);
    expect(docs.logged(noQuestion)).toEqual([{ model: 'vectors-1', reason: 'no answer within 200 ms' }]);
    const before = server.requests.length;
    expect(await docs.titles('every town')).toEqual(['Shipping']);
    expect(server.requests).toHaveLength(before);
  });

  // proves service-2.11-92
  it('asks a model again that gave none, and says when it gives them', async () => {
    const server = await startEmbeddingServer();
    server.answerWith((_, response) => sendRefusal(response, 503, 'not yet'));
    const docs = await opened(server);
    await docs.until(() => docs.logged(noVectors).length > 0);
    server.answerWith(undefined);
    await docs.until(() => docs.source.state.vectors?.chunks === 3);
    expect(docs.source.state.vectors).not.toHaveProperty('fault');
    expect(docs.logged('the embedding model gives vectors of documents again')).toHaveLength(1);
  });

  // proves configuration-3-83
  it('gives up a call that hangs after its timeout', async () => {
    const server = await startEmbeddingServer();
    server.answerWith(() => undefined);
    const docs = await opened(server, 100);
    await docs.until(() => docs.logged(noVectors).length > 0);
    expect(docs.logged(noVectors)).toMatchObject([{ reason: 'the model has not answered within 100 ms' }]);
  });

  it('names the vectors of questions that are of another length than those of documents, once', async () => {
    const server = await startEmbeddingServer();
    const docs = await opened(server);
    await docs.until(() => docs.source.state.vectors?.chunks === 3);
    server.answerWith((_, response) => sendEmbeddings(response, [[1, 2, 3]]));
    expect(await docs.titles('thirty days')).toEqual(['Returns']);
    expect(await docs.titles('thirty days for goods')).toEqual(['Returns']);
    const message = 'the vectors of questions are longer or shorter than those of documents: words alone count';
    expect(docs.logged(message)).toEqual([{ model: 'vectors-1', numbers: 3, inTheIndex: 256 }]);
  });
});
