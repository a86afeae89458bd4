import { atMost } from '../base/at-most.ts';
import { cosineOf, normOf, smallVector, type SmallVector } from '../base/small-vector.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { tenantOfKey } from '../identity/user-key.ts';
import { type Embedder, usualMinCosine } from '../ports/embedder.ts';
import type { FactVectorStore, KeptVector } from '../ports/fact-vector-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Fact } from '../ports/memory-store.ts';
import type { QuestionVectorSource } from '../ports/question-vectors.ts';

/** Milliseconds that a message waits for vectors. The wait is short, so that the reply begins hardly later. */
const longestWaitMs = 500;
/** Milliseconds that the model may take for the vectors of the facts of one user. */
const longestFillMs = 60_000;
/** Milliseconds for which a model that has failed is not asked for the vectors of facts. */
const pauseMs = 15_000;
/** Bytes of all vectors that are held. The vectors of the user who was away for the longest time are dropped first. */
const mostBytes = 32 * 1024 * 1024;
const mostUsers = 10_000;
/** Bytes that an entry takes beside its numbers. */
const bytesAround = 200;

/** A text, and the user whose facts are compared with it. */
export interface FactQuestion {
  readonly userKey: string;
  /** All facts of the user that count. */
  readonly facts: readonly Fact[];
  readonly text: string;
  readonly signal: AbortSignal;
}

/** What facts get their vectors with. */
export interface FactVectorsOptions {
  readonly embedder: Pick<Embedder, 'model' | 'identity' | 'embed'>;
  /** Gives vectors of questions from the same model. */
  readonly questions: QuestionVectorSource;
  /** Left out: vectors do not outlive the process. */
  readonly kept?: FactVectorStore | undefined;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** The vectors of one user's facts, by hash of the fact. Null: the model has no vector for this text. */
interface VectorsOfUser {
  readonly vectors: Map<string, Pick<SmallVector, 'numbers' | 'norm'> | null>;
  /** Pending while the model is asked for more vectors. */
  filling: Promise<void> | undefined;
}

/**
 * The vectors of facts by one model (contract/memory.md#prompt). The model is asked for each text once, as long as its user has the fact.
 * Vectors of users who were here lately are in memory. The facts of one user are never compared with the words of another.
 */
export class FactVectors {
  readonly #options: FactVectorsOptions;
  readonly #closing = new AbortController();
  /** The users in the order of their last use, so the most recent user stands last. */
  readonly #users = new Map<string, VectorsOfUser>();
  #bytes = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isToldOf = false;

  constructor(options: FactVectorsOptions) {
    this.#options = options;
  }

  /**
   * The facts whose meaning is near the text, the nearest first. Empty when the vectors do not arrive in time. @throws the signal's reason.
   */
  async nearest({ userKey, facts, text, signal }: FactQuestion): Promise<readonly Fact[]> {
    if (text.trim() === '') return [];
    const filled = atMost(longestWaitMs, this.prepare(userKey, facts));
    const asked = { withinMs: longestWaitMs, signal, tenant: tenantOfKey(userKey) };
    const vector = await this.#options.questions.of(text, asked);
    if (vector !== undefined) await untilStopped(filled, signal);
    const kept = this.#users.get(userKey)?.vectors;
    if (vector === undefined || kept === undefined) return [];
    const near = facts.flatMap((fact) => {
      const own = kept.get(fact.hash);
      if (own?.numbers.length !== vector.length) return [];
      const cosine = cosineOf(vector, own);
      return cosine < usualMinCosine ? [] : [{ fact, cosine }];
    });
    return near.toSorted((one, other) => other.cosine - one.cosine).map(({ fact }) => fact);
  }

  /** Asks for the vectors that a user's facts do not have yet, and drops the vectors of facts that are gone. Never rejects. */
  async prepare(userKey: string, facts: readonly Fact[]): Promise<void> {
    const user: VectorsOfUser = this.#users.get(userKey) ?? { vectors: new Map(), filling: undefined };
    this.#users.delete(userKey);
    this.#users.set(userKey, user);
    this.#makeRoom(userKey);
    if (user.filling !== undefined) return user.filling;
    const hashes = new Set(facts.map(({ hash }) => hash));
    for (const hash of user.vectors.keys()) if (!hashes.has(hash)) this.#drop(user, hash);
    const missing = facts.filter(({ hash }) => !user.vectors.has(hash));
    if (missing.length === 0 || performance.now() < this.#pausedUntil) return;
    user.filling = this.#fill(userKey, user, missing).finally(() => {
      user.filling = undefined;
    });
    await user.filling;
  }

  /** Drops the vectors of a user who has erased something. */
  forget(userKey: string): void {
    const user = this.#users.get(userKey);
    this.#users.delete(userKey);
    for (const hash of user?.vectors.keys() ?? []) if (user !== undefined) this.#drop(user, hash);
  }

  /** Stops asking the model. */
  close(): void {
    this.#closing.abort(new Error('the server ends'));
    this.#pausedUntil = Number.POSITIVE_INFINITY;
  }

  async #fill(userKey: string, user: VectorsOfUser, facts: readonly Fact[]): Promise<void> {
    await this.#takeKept(userKey, user, facts);
    const missing = facts.filter(({ hash }) => !user.vectors.has(hash));
    if (missing.length === 0) return;
    const { embedder, log } = this.#options;
    const limit = AbortSignal.timeout(longestFillMs);
    const signal = AbortSignal.any([this.#closing.signal, limit]);
    try {
      const texts = missing.map(({ text }) => text);
      const request = { texts, purpose: 'document', signal, tenant: tenantOfKey(userKey) } as const;
      const given = await untilStopped(embedder.embed(request), signal);
      // A user who has erased something meanwhile has another entry by now, so these vectors are not kept.
      if (this.#users.get(userKey) !== user) return;
      const made = missing.flatMap(({ hash }, index): readonly KeptVector[] => {
        const one = given[index];
        return one === undefined ? [] : [{ hash, numbers: 'vector' in one ? smallVector(one.vector).numbers : null }];
      });
      for (const one of made) this.#hold(user, one);
      this.#makeRoom(userKey);
      await this.#keep(userKey, made);
      if (this.#isToldOf) log.info({ model: embedder.model }, 'the embedding model has vectors of facts again');
      this.#isToldOf = false;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#pausedUntil = performance.now() + pauseMs;
      if (this.#isToldOf) return;
      this.#isToldOf = true;
      const why = limit.aborted ? { reason: `no answer within ${String(longestFillMs)} ms` } : { error };
      log.warn({ model: embedder.model, ...why }, 'facts have no vectors: words alone count for now');
    }
  }

  /** Takes the vectors that an earlier process kept. Without the store the model is asked instead. */
  async #takeKept(userKey: string, user: VectorsOfUser, facts: readonly Fact[]): Promise<void> {
    const { kept, embedder } = this.#options;
    if (kept === undefined) return;
    const found = await kept.vectors(userKey, embedder.identity).catch(() => []);
    if (this.#users.get(userKey) !== user) return;
    const wanted = new Set(facts.map(({ hash }) => hash));
    for (const one of found) if (wanted.has(one.hash)) this.#hold(user, one);
    this.#makeRoom(userKey);
  }

  /** A vector that could not be kept is made again after a restart. */
  async #keep(userKey: string, made: readonly KeptVector[]): Promise<void> {
    const { kept, embedder, log } = this.#options;
    await kept?.keepVectors(userKey, embedder.identity, made).catch((error: unknown) => {
      log.warn({ error }, 'vectors of facts could not be kept');
    });
  }

  #hold(user: VectorsOfUser, { hash, numbers }: KeptVector): void {
    this.#drop(user, hash);
    const vector = numbers && { numbers, norm: normOf(numbers) };
    user.vectors.set(hash, vector);
    this.#bytes += bytesOf(vector ?? undefined);
  }

  #drop({ vectors }: VectorsOfUser, hash: string): void {
    const kept = vectors.get(hash);
    if (kept === undefined) return;
    this.#bytes -= bytesOf(kept ?? undefined);
    vectors.delete(hash);
  }

  #makeRoom(newest: string): void {
    for (const userKey of this.#users.keys()) {
      if ((this.#bytes <= mostBytes && this.#users.size <= mostUsers) || userKey === newest) return;
      this.forget(userKey);
    }
  }
}

function bytesOf(vector: Pick<SmallVector, 'numbers'> | undefined): number {
  return bytesAround + (vector?.numbers.length ?? 0);
}
