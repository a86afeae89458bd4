import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentVectors } from '../../src/adapters/knowledge/files/document-vectors.ts';
import { KeptVectors } from '../../src/adapters/knowledge/files/kept-vectors.ts';
import { textHashOf } from '../../src/adapters/knowledge/files/text-hash.ts';
import type { CallAnswer } from '../../src/adapters/knowledge/files/messages.ts';
import { smallVector } from '../../src/core/base/small-vector.ts';
import type { Embedder } from '../../src/core/ports/embedder.ts';
import type { PassageVectorStore } from '../../src/core/ports/passage-vector-store.ts';
import { hasPostgres, postgresOfRun } from '../support/databases/postgres.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { openedEmbedder } from '../support/opened-embedders.ts';
import { recordingLogger } from '../support/quiet.ts';
import { openReplica, sharedOf } from '../support/replicas/replica-stores.ts';

const postgres = postgresOfRun();

interface Waiting {
  readonly answer: Promise<CallAnswer>;
  /** How often it has asked the database what there is. */
  readonly looks: () => number;
}

/** A model, and servers that ask it for vectors of texts. A server that has died has reserved the text `first`. */
async function world() {
  const server = await postgres();
  const url = await server.newDatabase();
  const replica = await openReplica({ type: 'postgres', path: '', url, maxConnections: 4 });
  const store = sharedOf(replica.passageVectors);
  const model = await startEmbeddingServer();
  const { embedder } = await openedEmbedder({ baseUrl: model.url });
  const of = { source: 'docs', model: embedder.identity };
  expect((await store.take(of, [textHashOf('first')])).toMake).toHaveLength(1);
  const ask = (texts: readonly string[], embedderNow: () => Embedder = () => embedder): Waiting => {
    let looks = 0;
    const counted: PassageVectorStore = {
      take: (...asked) => {
        looks += 1;
        return store.take(...asked);
      },
      find: (...asked) => store.find(...asked),
      release: (...asked) => store.release(...asked),
      keep: (...asked) => store.keep(...asked),
      use: (...asked) => store.use(...asked),
      purge: (...asked) => store.purge(...asked),
    };
    const kept = new KeptVectors(recordingLogger());
    kept.keepIn(counted);
    const ending = new AbortController();
    onTestFinished(() => ending.abort(new Error('the test is over')));
    const vectors = new DocumentVectors({ source: 'docs', embedder: embedderNow, signal: ending.signal, kept });
    const answered = vectors.answer({ what: 'embed', asked: { identity: embedder.identity, texts } });
    // As the thread of the indexes does, vectors of the model are kept once they are there.
    const answer = answered.then(async (given) => {
      if (typeof given !== 'object' || !('vectors' in given)) return given;
      const small = given.vectors.flatMap((one, index) =>
        'vector' in one ? [{ hash: textHashOf(texts[index] ?? ''), vector: smallVector(one.vector) }] : [],
      );
      await vectors.answer({ what: 'keep', asked: { identity: embedder.identity, vectors: small } });
      return given;
    });
    return { answer, looks: () => looks };
  };
  /** Lets this much time pass for what the server that has died has reserved. */
  const age = async (milliseconds: number): Promise<void> => {
    await server.query(
      url,
      `update passage_vector set used_at = used_at - ${String(milliseconds)} where numbers is null`,
    );
  };
  return { model, store, of, ask, age };
}

describe.skipIf(!hasPostgres)(
  'texts that another server has reserved (contract/document-folders.md#vectors-in-the-database)',
  () => {
    // proves configuration-5-89
    it('are made by one of those that wait for it, when it takes too long', async () => {
      const { model, ask, age } = await world();
      const waiting = [ask(['first']), ask(['first'])];
      await vi.waitFor(() => expect(waiting.every(({ looks }) => looks() > 0)).toBe(true));
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
      onTestFinished(() => void vi.restoreAllMocks());
      await age(31_000);
      for (const { answer } of waiting) expect(await answer).toHaveProperty('vectors.length', 1);
      expect(model.texts()).toEqual(['first']);
    });

    // proves configuration-5-89
    it('hold nothing else up: what is made beside them is kept at once', async () => {
      const { model, store, of, ask } = await world();
      ask(['first', 'second']);
      await vi.waitFor(async () => expect(await store.find(of, [textHashOf('second')])).toHaveLength(1));
      expect(model.texts()).toEqual(['second']);
    });

    // proves configuration-5-89
    it('are waited for no longer once the folder has another model', async () => {
      const { ask, model } = await world();
      const { embedder: earlier } = await openedEmbedder({ baseUrl: model.url });
      const { embedder: later } = await openedEmbedder({ baseUrl: model.url, model: 'vectors-2' });
      let serving = earlier;
      const { answer, looks } = ask(['first'], () => serving);
      await vi.waitFor(() => expect(looks()).toBeGreaterThan(0));
      serving = later;
      expect(await answer).toEqual({ fault: 'the source has another model now' });
      expect(model.texts()).toEqual([]);
    });
  },
);
