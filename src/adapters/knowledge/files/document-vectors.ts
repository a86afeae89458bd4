import { setTimeout as delay } from 'node:timers/promises';
import { smallVector } from '../../../core/base/small-vector.ts';
import type { Embedder } from '../../../core/ports/embedder.ts';
import type { TakenPassages, VectorsOf } from '../../../core/ports/passage-vector-store.ts';
import { describeError } from '../../shared/describe-error.ts';
import type { KeptVectors } from './kept-vectors.ts';
import type { Call, CallAnswer, EmbedAnswer, GivenVector } from './messages.ts';
import { textHashOf } from './text-hash.ts';

/**
 * Milliseconds that texts wait for the servers that make their vectors, and between two looks at what these have made. The wait is longer than
 * a text stays reserved: of all servers that wait for one that died, one takes its place, and the others wait on.
 */
const othersWithinMs = 120_000;
const lookAgainMs = 200;

/** What a source gets its vectors with. */
export interface DocumentVectorsOptions {
  /** The name of the source. */
  readonly source: string;
  /** The model by which documents get their vectors now. */
  readonly embedder: () => Embedder | undefined;
  /** Aborts when the source is closed. */
  readonly signal: AbortSignal;
  readonly kept: KeptVectors;
}

/**
 * The vectors of one source: those that are kept for all servers, else those of the model
 * (contract/document-folders.md#vectors-in-the-database). Without a store, and while the store fails, the model is asked for everything.
 */
export class DocumentVectors {
  readonly #options: DocumentVectorsOptions;

  constructor(options: DocumentVectorsOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async answer({ what, asked }: Call): Promise<CallAnswer> {
    const { source, kept } = this.#options;
    const of = { source, model: asked.identity };
    switch (what) {
      case 'embed':
        return this.#embed(of, asked.texts).catch((error: unknown) => ({ fault: describeError(error) }));
      case 'find':
        return (await kept.try((store) => store.find(of, asked.hashes))) ?? [];
      case 'use':
        return kept.try((store) => store.use(of, asked.hashes));
      case 'keep':
        return (await kept.try((store) => store.keep(of, asked.vectors).then(() => true))) ?? false;
    }
  }

  /** @throws what the model throws, and the reason of the signal. */
  async #embed(of: VectorsOf, texts: readonly string[]): Promise<EmbedAnswer> {
    const hashes = texts.map(textHashOf);
    const missing = new Map(hashes.map((hash, index) => [hash, texts[index] ?? '']));
    const given = new Map<string, GivenVector>();
    const until = performance.now() + othersWithinMs;
    for (;;) {
      // The model may have been changed while others were waited for.
      const embedder = this.#options.embedder();
      if (embedder?.identity !== of.model) return { fault: 'the source has another model now' };
      const isLate = performance.now() > until;
      const { found, toMake } = await this.#take(of, [...missing.keys()], isLate);
      for (const { hash, vector } of found) given.set(hash, { small: vector });
      const own = new Map(toMake.map((hash) => [hash, missing.get(hash) ?? '']));
      if (own.size > 0) for (const [hash, one] of await this.#made(of, embedder, own)) given.set(hash, one);
      for (const hash of given.keys()) missing.delete(hash);
      if (missing.size === 0) break;
      await this.#keepMade(of, given);
      await delay(lookAgainMs, undefined, { signal: this.#options.signal });
    }
    return { vectors: hashes.map((hash) => given.get(hash) ?? { fault: 'is missing' }) };
  }

  /** When another server has not made its vectors in time, or the store fails, all of them are to be made here. */
  async #take(of: VectorsOf, hashes: readonly string[], isLate: boolean): Promise<TakenPassages> {
    const all = { found: [], toMake: hashes };
    return isLate ? all : ((await this.#options.kept.try((store) => store.take(of, hashes))) ?? all);
  }

  /** Another server may wait for what was made here, and this one for that server. So nobody keeps vectors back while waiting. */
  async #keepMade(of: VectorsOf, given: Map<string, GivenVector>): Promise<void> {
    const made = [...given].flatMap(([hash, one]) =>
      'vector' in one ? [{ hash, vector: smallVector(one.vector) }] : [],
    );
    if (made.length === 0) return;
    const isKept = await this.#options.kept.try((store) => store.keep(of, made).then(() => true));
    if (isKept === true) for (const { hash, vector } of made) given.set(hash, { small: vector });
  }

  /** Asks the model. Other servers may make at once what it gives no vector for. */
  async #made(
    of: VectorsOf,
    embedder: Embedder,
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly (readonly [string, GivenVector])[]> {
    const hashes = [...texts.keys()];
    const { kept, signal } = this.#options;
    const release = (left: readonly string[]): Promise<unknown> => kept.try((store) => store.release(of, left));
    try {
      const request = { texts: [...texts.values()], purpose: 'document', signal } as const;
      const answers = await embedder.embed(request);
      const made = hashes.map((hash, index) => [hash, answers[index] ?? { fault: 'is missing' }] as const);
      const left = made.flatMap(([hash, one]) => ('fault' in one ? [hash] : []));
      if (left.length > 0) await release(left);
      return made;
    } catch (error) {
      await release(hashes);
      throw error;
    }
  }
}
