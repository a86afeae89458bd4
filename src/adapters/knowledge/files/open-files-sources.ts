import { join } from 'node:path';
import { type Embedder, usualMinCosine } from '../../../core/ports/embedder.ts';
import type { KnowledgeAnswer, KnowledgeRequest } from '../../../core/ports/knowledge-source.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { PassageVectorStore } from '../../../core/ports/passage-vector-store.ts';
import { DocumentVectors } from './document-vectors.ts';
import { KeptVectors } from './kept-vectors.ts';
import type { ExplainedCaller, Explanation, FilesSource, FilesSourceState } from './files-source.ts';
import type { FilesSourceSettings } from './files-source-settings.ts';
import { indexNameOf } from './index-names.ts';
import { IndexThread, type ThreadListener } from './index-thread.ts';
import type { Call, CallAnswer, QuestionVector, Reader, VectorRules } from './messages.ts';
import { QuestionVectors } from '../../shared/question-vectors.ts';

/** What the sources need of the server. */
export interface FilesSourceServices {
  /** The folder of the indexes, which is there. Undefined: the indexes are in memory. */
  readonly folder: string | undefined;
  readonly log: Logger;
  /** The thread that works for the sources. Left out: the sources start one of their own. */
  readonly thread?: IndexThread;
  /**
   * The models by which sources are searched by meaning too, by the name of the source. A source without a model is searched by words
   * alone.
   */
  readonly embedders?: ReadonlyMap<string, Embedder>;
  /** Finds the configured model whose vectors have this identity. Never rejects. Left out: no other model is configured. */
  readonly findEmbedder?: (identity: string) => Promise<Embedder | undefined>;
}

/** The share of a search's time limit that the vector of the question may take. */
const shareForVector = 0.5;

/** Makes the sources of all folders. They share a thread, which begins with the first `start`. */
export function openFilesSources(
  all: readonly FilesSourceSettings[],
  services: FilesSourceServices,
): readonly FilesSource[] {
  const thread = services.thread ?? new IndexThread();
  const kept = new KeptVectors(services.log);
  const meanings = new WeakMap<Embedder, Meaning>();
  // Folders with the same model share their cache of vectors of questions.
  const meaningOf = (embedder: Embedder): Meaning => {
    const meaning = meanings.get(embedder) ?? { embedder, questions: new QuestionVectors(embedder, services.log) };
    meanings.set(embedder, meaning);
    return meaning;
  };
  return all.map((settings, number) => {
    const embedder = services.embedders?.get(settings.name);
    return new ThreadedSource({ settings, services, thread, number, kept, meaningOf }, embedder);
  });
}

/** A model, and the vectors of questions by this model. */
interface Meaning {
  readonly embedder: Embedder;
  readonly questions: QuestionVectors;
}

interface SourceParts {
  readonly settings: FilesSourceSettings;
  readonly services: FilesSourceServices;
  readonly thread: IndexThread;
  readonly number: number;
  readonly kept: KeptVectors;
  readonly meaningOf: (embedder: Embedder) => Meaning;
}

/** A folder whose index is in another thread. */
class ThreadedSource implements FilesSource, ThreadListener {
  readonly name: string;
  readonly isTrusted: boolean;
  readonly requiredRoles: readonly string[];
  readonly tenants: readonly string[];
  readonly timeoutMs: number;
  readonly #parts: SourceParts;
  readonly #log: Logger;
  readonly #ending = new AbortController();
  readonly #vectors: DocumentVectors;
  #isStarted = false;
  /** The model by which documents get their vectors. Undefined: only words count. */
  #meaning: Meaning | undefined;
  /** The model by which questions get their vectors. This is an earlier model until all documents have new vectors. */
  #asked: Meaning | undefined;
  /** The identity of the earlier model. */
  #earlier: string | undefined;
  #state: FilesSourceState = {
    ...{ phase: 'indexing', documents: 0, chunks: 0, languages: [], faults: [], faultCount: 0 },
    passedOver: { count: 0, files: [] },
  };

  constructor(parts: SourceParts, embedder: Embedder | undefined) {
    const { name, trusted, requiredRoles, tenants, timeoutMs } = parts.settings;
    this.name = name;
    this.isTrusted = trusted;
    this.requiredRoles = requiredRoles;
    this.tenants = tenants ?? [];
    this.timeoutMs = timeoutMs;
    this.#parts = parts;
    this.#log = parts.services.log.child({ source: name });
    this.#meaning = embedder && parts.meaningOf(embedder);
    this.#asked = this.#meaning;
    const { signal } = this.#ending;
    this.#vectors = new DocumentVectors({
      source: name,
      embedder: () => this.#meaning?.embedder,
      ...{ signal, kept: parts.kept },
    });
  }

  get state(): FilesSourceState {
    const { vectors } = this.#state;
    const asked = this.#asked?.embedder;
    if (vectors?.earlier === undefined || asked?.identity !== vectors.earlier) return this.#state;
    return { ...this.#state, vectors: { ...vectors, answering: asked.model } };
  }

  /** A source that is searched by meaning needs no keywords: the meaning does their work better. */
  keywordLanguages(): readonly string[] | undefined {
    return this.#meaning === undefined ? this.#state.languages : undefined;
  }

  start(kept?: PassageVectorStore): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#parts.kept.keepIn(kept);
    const { thread, settings, number, services } = this.#parts;
    const indexFile = services.folder === undefined ? null : join(services.folder, indexNameOf(settings.name));
    const vectors = this.#meaning && this.#rulesOf(this.#meaning.embedder);
    thread.open({ kind: 'open', source: number, settings, indexFile, ...(vectors && { vectors }) }, this);
  }

  embedBy(embedder: Embedder | undefined): void {
    const { thread, number, meaningOf } = this.#parts;
    const isSame = embedder?.identity === this.#meaning?.embedder.identity;
    const asked = isSame ? this.#earlier : this.#asked?.embedder.identity;
    this.#meaning = embedder && meaningOf(embedder);
    void this.#askBy(embedder && asked);
    if (!isSame && this.#isStarted) thread.embedBy(number, embedder && this.#rulesOf(embedder));
  }

  async search(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeAnswer> {
    const { thread, number } = this.#parts;
    const { query, keywords = [], maxResults, user } = request;
    const reader = readerOf(user?.roles ?? [], user?.tenant);
    const vector = await this.#vectorOf(query, { signal, tenant: user?.tenant });
    const answer = await thread.ask(
      number,
      { kind: 'search', query, keywords: keywords.join(' '), maxResults, reader, ...vector },
      signal,
    );
    if (answer.kind !== 'found') throw new Error('the index has answered something else');
    return { documents: answer.documents, isRanked: true, defaultMinScore: answer.defaultMinScore };
  }

  async explain(query: string, { roles, tenant, keywords = [] }: ExplainedCaller): Promise<Explanation> {
    const { thread, number } = this.#parts;
    const vector = await this.#vectorOf(query, { signal: this.#ending.signal, tenant });
    const asked = { query, keywords: keywords.join(' '), reader: readerOf(roles, tenant), ...vector };
    const answer = await thread.ask(number, { kind: 'explain', ...asked });
    if (answer.kind !== 'explained') throw new Error('the index has answered something else');
    return answer.explanation;
  }

  answer(call: Call): Promise<CallAnswer> {
    return this.#vectors.answer(call);
  }

  #rulesOf({ model, identity }: Embedder): VectorRules {
    const { minCosine = usualMinCosine, timeoutMs } = this.#parts.settings;
    return { model, identity, minCosine, searchMs: timeoutMs, isShared: this.#parts.kept.isOn };
  }

  async #vectorOf(
    query: string,
    caller: { readonly signal: AbortSignal; readonly tenant: string | undefined },
  ): Promise<{ readonly vector?: QuestionVector }> {
    const asked = this.#asked;
    if (asked === undefined) return {};
    const { model, identity } = asked.embedder;
    const withinMs = Math.round(this.#parts.settings.timeoutMs * shareForVector);
    const numbers = await asked.questions.of(query, { ...caller, withinMs });
    return numbers === undefined ? {} : { vector: { model, identity, numbers } };
  }

  /** Questions get their vectors by the earlier model when it is configured, else by the model of the documents. */
  async #askBy(earlier: string | undefined): Promise<void> {
    const { services, meaningOf } = this.#parts;
    this.#earlier = earlier;
    const embedder = earlier === undefined ? undefined : await services.findEmbedder?.(earlier);
    // The thread may have reported another earlier model meanwhile.
    if (this.#earlier === earlier) this.#asked = embedder === undefined ? this.#meaning : meaningOf(embedder);
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the source was closed'));
    if (!this.#isStarted) return;
    await this.#parts.thread.close(this.#parts.number);
    await this.#parts.kept.idle();
  }

  hear(message: Parameters<ThreadListener['hear']>[0]): void {
    if (message.kind === 'log') this.#log[message.level](message.fields, message.message);
    else this.#heardOf(message.state);
  }

  #heardOf(state: FilesSourceState): void {
    this.#state = state;
    const { vectors } = state;
    // A report about vectors of another model was sent before the model was changed, so it does not count.
    if (vectors?.identity !== this.#meaning?.embedder.identity || vectors?.earlier === this.#earlier) return;
    void this.#askBy(vectors?.earlier);
  }

  crashed(reason: string): void {
    this.#state = { ...this.#state, phase: 'failed' };
    this.#log.error({ reason }, 'the thread of the document indexes has ended: it is started again');
  }
}

/** Copies the roles, because only plain data can be sent to a thread. */
function readerOf(roles: readonly string[], tenant: string | undefined): Reader {
  return { roles: [...roles], tenant: tenant ?? null };
}
