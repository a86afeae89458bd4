import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { QuestionVectors } from '../../../../src/adapters/shared/question-vectors.ts';
import { ShortTextWords } from '../../../../src/adapters/shared/words/short-text-words.ts';
import { FactRanking } from '../../../../src/core/memory/fact-ranking.ts';
import { FactVectors } from '../../../../src/core/memory/fact-vectors.ts';
import type { Embedded, EmbedRequest } from '../../../../src/core/ports/embedder.ts';
import type { FactVectorStore } from '../../../../src/core/ports/fact-vector-store.ts';
import { endsAfter } from '../../../support/ends-after.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { wordVector } from '../../../support/word-vector.ts';
import { fact } from './facts.ts';

type Answer = (request: EmbedRequest) => Promise<readonly Embedded[]>;

const same = [
  ['parcel', 'shipment'],
  ['ship', 'boat'],
];
const vectors: Answer = ({ texts }) =>
  Promise.resolve(texts.map((text) => ({ vector: unit(wordVector(text, { dimensions: 256, same })) })));

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A ranking by a model whose answers a test may change. */
function ranking(first: Answer = vectors, kept?: FactVectorStore) {
  const asked: string[] = [];
  const state = { answer: first };
  const log = recordingLogger();
  const embedder = {
    ...{ model: 'vectors', provider: 'test', identity: 'vectors' },
    embed: (request: EmbedRequest) => {
      asked.push(...request.texts);
      return state.answer(request);
    },
    close: () => Promise.resolve(),
  };
  const facts = new FactVectors({ embedder, questions: new QuestionVectors(embedder, log), kept, log });
  onTestFinished(() => facts.close());
  const ranked = new FactRanking({ words: () => Promise.resolve(new ShortTextWords()), vectors: facts });
  const rank = async (text: string, of = all, signal = new AbortController().signal, userKey = 'id:ann') => {
    const found = await ranked.rank({ userKey, facts: of, text, signal });
    return found.map((each) => each.text);
  };
  return { rank, ranked, facts, asked, log, answerWith: (answer: Answer) => void (state.answer = answer) };
}

const shipment = fact('The shipment: Hamburg.');
const harbour = fact('The harbour is closed.');
const all = [shipment, harbour, fact('Likes tea.')];
const never: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')));
  });

describe('facts that have to do with a message, by embeddings (contract/memory.md#prompt)', () => {
  // proves service-2.10-29
  it('are those that mean something near, though they share no word', async () => {
    expect(await ranking().rank('Where is my parcel?')).toEqual([shipment.text]);
  });

  // proves service-2.10-29
  it('are those of both rankings, joined by their places', async () => {
    // The first one is found by its meaning alone, the second one by both, the third one by its words alone.
    const three = [
      fact('Owns a boat.'),
      fact('Sells the ship to a friend.'),
      fact('The friend who is called Bob lives in Oslo since winter.'),
    ];
    const found = await ranking().rank('ship friend', three);
    expect(found[0]).toBe('Sells the ship to a friend.');
    expect(found.toSorted()).toEqual(three.map(({ text }) => text).toSorted());
  });

  // proves service-2.10-30
  it('have their vectors made once, beside the turn after which they are remembered', async () => {
    const { rank, ranked, asked } = ranking();
    await ranked.prepare('id:ann', all);
    expect(asked).toEqual(all.map(({ text }) => text));
    await rank('Where is my parcel?');
    await rank('Where is my parcel?', [...all, fact('Has a dog.')]);
    expect(asked.slice(all.length)).toEqual(['Where is my parcel?', 'Has a dog.']);
  });

  // proves service-2.10-30
  it('are those of its words alone while the model takes too long, which delays no message for more than half a second', async () => {
    const { rank, log } = ranking(never);
    expect(await endsAfter(500, () => rank('Is the harbour open?'))).toEqual([harbour.text]);
    expect(await endsAfter(0, () => rank('And the harbour?'))).toEqual([harbour.text]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
    expect(JSON.stringify(log.lines)).not.toContain('harbour');
  });

  // proves service-2.10-30
  it('are those of its words alone while the model fails, and the model is left alone for a while', async () => {
    const { rank, asked, log } = ranking(() => Promise.reject(new Error('away')));
    expect(await rank('Is the harbour open?')).toEqual([harbour.text]);
    const calls = asked.length;
    expect(await rank('Is the harbour closed?')).toEqual([harbour.text]);
    expect(asked).toHaveLength(calls);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  it('are those of its words alone where the model gives no vector for a text', async () => {
    const { rank, asked } = ranking(({ texts, purpose, signal }) =>
      purpose === 'question'
        ? vectors({ texts, purpose, signal })
        : Promise.resolve(texts.map(() => ({ fault: 'is empty' }))),
    );
    expect(await rank('Where is my parcel?')).toEqual([]);
    expect(await rank('Is the harbour open?')).toEqual([harbour.text]);
    // The vector of this fact is not requested again.
    expect(asked.filter((text) => text === harbour.text)).toHaveLength(1);
  });

  it('are not waited for once the turn is stopped', async () => {
    const stop = new AbortController();
    const found = ranking(never).rank('Is the harbour open?', all, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(found).rejects.toThrow('stopped');
  });

  // proves service-2.10-32
  it('have no vectors any more once their user has erased them', async () => {
    const { rank, facts, asked } = ranking();
    await rank('Where is my parcel?');
    facts.forget('id:ann');
    await rank('Where is my parcel?');
    expect(asked.filter((text) => text === shipment.text)).toHaveLength(2);
  });

  // proves service-2.10-32
  it('get no vectors that come after the erasure', async () => {
    const { ranked, rank, facts, asked, answerWith } = ranking();
    const held = Promise.withResolvers<undefined>();
    answerWith(async (request) => {
      await held.promise;
      return vectors(request);
    });
    const prepared = ranked.prepare('id:ann', all);
    facts.forget('id:ann');
    answerWith(vectors);
    held.resolve(undefined);
    await prepared;
    await rank('Where is my parcel?');
    expect(asked.filter((text) => text === shipment.text)).toHaveLength(2);
  });

  it('have vectors by the model although those that are kept cannot be read, and none can be kept', async () => {
    const fails = (): Promise<never> => Promise.reject(new Error('the disk is gone'));
    const { rank, log } = ranking(vectors, { vectors: fails, keepVectors: fails });
    expect(await rank('Where is my parcel?')).toEqual([shipment.text]);
    expect(log.lines.map(({ message }) => message)).toEqual(['vectors of facts could not be kept']);
  });

  it('of one user are never found by another', async () => {
    const { rank } = ranking();
    await rank('Where is my parcel?');
    expect(await rank('Where is my parcel?', [harbour], undefined, 'id:bob')).toEqual([]);
  });

  it('are asked for again after a fault, and the log says so', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { rank, log, answerWith } = ranking(() => Promise.reject(new Error('away')));
    await rank('Where is my parcel?');
    answerWith(vectors);
    vi.advanceTimersByTime(15_001);
    expect(await rank('Where is my parcel now?')).toEqual([shipment.text]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'info', 'info']);
  });
});
