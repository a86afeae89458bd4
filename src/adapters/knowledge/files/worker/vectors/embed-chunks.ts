import { smallVector } from '../../../../../core/base/small-vector.ts';
import type { PassageVector } from '../../../../../core/ports/passage-vector-store.ts';
import type { EmbedAnswer } from '../../messages.ts';
import type { MissingText, VectorStore } from './vector-store.ts';

/** What `embedChunks` needs. */
export interface EmbeddingParts {
  readonly store: VectorStore;
  /** Never rejects. */
  embed(texts: readonly string[]): Promise<EmbedAnswer>;
  /** Hashes of texts for which the model gave no usable vector. These texts are not asked for again. */
  readonly refused: Set<string>;
  /** Called after vectors were written. */
  written(count: number): void;
  /** Gets the vectors that the model has made. */
  keep(vectors: readonly PassageVector[]): Promise<void>;
  /** Called for each text that has got no usable vector. */
  readonly left: (reason: string) => void;
}

/** The texts of one call. Models take more, but a call that fails costs all of its texts. */
const textsAtOnce = 32;

/** The model gives no vectors at the moment. The message says why. */
export class EmbeddingFailed extends Error {}

/**
 * Gives each text of an index that has no vector one. One call is made at a time: it leaves the model to the questions of users, and the
 * answers to two calls at once make the process larger.
 * @throws EmbeddingFailed when the model gives no vectors. @throws Error of SQLite. @throws the reason of the signal.
 */
export async function embedChunks(parts: EmbeddingParts, signal: AbortSignal): Promise<void> {
  let { texts, last } = parts.store.missing(0, textsAtOnce);
  while (texts.length > 0) {
    const wanted = texts.filter(({ hash }) => !parts.refused.has(hash));
    if (wanted.length > 0) await embedTexts(parts, wanted, signal);
    ({ texts, last } = parts.store.missing(last, textsAtOnce));
  }
  parts.store.tidy();
}

async function embedTexts(parts: EmbeddingParts, texts: readonly MissingText[], signal: AbortSignal): Promise<void> {
  const answer = await parts.embed(texts.map(({ text }) => text));
  signal.throwIfAborted();
  if ('fault' in answer) throw new EmbeddingFailed(answer.fault);
  const { store } = parts;
  const length = store.dimensions;
  const sound: PassageVector[] = [];
  const made: PassageVector[] = [];
  for (const [index, { hash }] of texts.entries()) {
    const one = answer.vectors[index] ?? { fault: 'is missing' };
    if ('fault' in one) {
      refuse(parts, hash, one.fault);
      continue;
    }
    const vector = 'small' in one ? one.small : smallVector(one.vector);
    const numbers = vector.numbers.length;
    if (length !== undefined && numbers !== length) {
      refuse(parts, hash, `has ${String(numbers)} numbers, and those in the index have ${String(length)}`);
      continue;
    }
    sound.push({ hash, vector });
    if ('vector' in one) made.push({ hash, vector });
  }
  store.write(sound);
  if (sound.length > 0) parts.written(sound.length);
  if (made.length > 0) await parts.keep(made);
}

function refuse({ refused, left }: EmbeddingParts, hash: string, reason: string): void {
  refused.add(hash);
  left(reason);
}
