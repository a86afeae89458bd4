import { join } from 'node:path';
import { type Embedder, usualMinCosine } from '../../../core/ports/embedder.ts';
import type { KnowledgeAnswer, KnowledgeRequest } from '../../../core/ports/knowledge-source.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { describeError } from '../../shared/describe-error.ts';
import type { ExplainedCaller, Explanation, FilesSource, FilesSourceState } from './files-source.ts';
import type { FilesSourceSettings } from './files-source-settings.ts';
import { indexNameOf } from './index-names.ts';
import { IndexThread, type ThreadListener } from './index-thread.ts';
import type { EmbedAnswer, Reader, VectorRules } from './messages.ts';
import { QuestionVectors } from '../../shared/question-vectors.ts';

/** What folders of documents need of the server. */
export interface FilesSourceServices {
  /** Where the indexes live. Undefined: in memory. */
  readonly folder: string | undefined;
  readonly log: Logger;
  /** The thread that works for them; left out: one of their own. */
  readonly thread?: IndexThread;
  /** By which model a source, named here, is searched by meaning too. Left out: by words alone. */
  readonly embedders?: ReadonlyMap<string, Embedder>;
}

/** Milliseconds are for searches, half of which may pass until the question has its vector. */
const shareForVector = 0.5;

/** Makes the sources of all folders. They share a thread, which begins with the first `start`. */
export function openFilesSources(
  all: readonly FilesSourceSettings[],
  services: FilesSourceServices,
): readonly FilesSource[] {
  const thread = services.thread ?? new IndexThread();
  const meanings = new Map<Embedder, Meaning>();
  return all.map((settings, index) => {
    const embedder = services.embedders?.get(settings.name);
    if (embedder === undefined) return new ThreadedSource({ settings, services, thread, number: index });
    // Folders with the same model share the vectors of questions.
    const meaning = meanings.get(embedder) ?? { embedder, questions: new QuestionVectors(embedder, services.log) };
    meanings.set(embedder, meaning);
    return new ThreadedSource({ settings, services, thread, number: index, meaning });
  });
}

/** Where vectors come from. */
interface Meaning {
  readonly embedder: Embedder;
  readonly questions: QuestionVectors;
}

interface SourceParts {
  readonly settings: FilesSourceSettings;
  readonly services: FilesSourceServices;
  readonly thread: IndexThread;
  readonly number: number;
  /** Left out: words alone count. */
  readonly meaning?: Meaning;
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
  #isStarted = false;
  #state: FilesSourceState = { phase: 'indexing', documents: 0, chunks: 0, languages: [], faults: [], faultCount: 0 };

  constructor(parts: SourceParts) {
    const { name, trusted, requiredRoles, tenants, timeoutMs } = parts.settings;
    this.name = name;
    this.isTrusted = trusted;
    this.requiredRoles = requiredRoles;
    this.tenants = tenants ?? [];
    this.timeoutMs = timeoutMs;
    this.#parts = parts;
    this.#log = parts.services.log.child({ source: name });
  }

  get state(): FilesSourceState {
    return this.#state;
  }

  /** Meaning does what keywords do, and better. */
  keywordLanguages(): readonly string[] | undefined {
    return this.#parts.meaning === undefined ? this.#state.languages : undefined;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { thread, settings, number, services, meaning } = this.#parts;
    const indexFile = services.folder === undefined ? null : join(services.folder, indexNameOf(settings.name));
    const vectors = meaning === undefined ? {} : { vectors: rulesOf(meaning.embedder, settings) };
    thread.open({ kind: 'open', source: number, settings, indexFile, ...vectors }, this);
  }

  async search(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeAnswer> {
    const { thread, number } = this.#parts;
    const { query, keywords = [], maxResults, user } = request;
    const reader = readerOf(user?.roles ?? [], user?.tenant);
    const vector = await this.#vectorOf(query, signal);
    const answer = await thread.ask(
      number,
      { kind: 'search', query, keywords: keywords.join(' '), maxResults, reader, ...vector },
      signal,
    );
    if (answer.kind !== 'found') throw new Error('the index has answered something else');
    return { documents: answer.documents, isRanked: true, defaultMinScore: answer.defaultMinScore };
  }

  async explain(query: string, { roles, tenant }: ExplainedCaller): Promise<Explanation> {
    const { thread, number } = this.#parts;
    const vector = await this.#vectorOf(query, this.#ending.signal);
    const answer = await thread.ask(number, { kind: 'explain', query, reader: readerOf(roles, tenant), ...vector });
    if (answer.kind !== 'explained') throw new Error('the index has answered something else');
    return answer.explanation;
  }

  async embed(texts: readonly string[]): Promise<EmbedAnswer> {
    const { meaning } = this.#parts;
    const { signal } = this.#ending;
    if (meaning === undefined) return { fault: 'the source has no model for vectors' };
    try {
      return { vectors: await meaning.embedder.embed({ texts, purpose: 'document', signal }) };
    } catch (error) {
      return { fault: describeError(error) };
    }
  }

  async #vectorOf(query: string, signal: AbortSignal): Promise<{ readonly vector?: Float32Array }> {
    const { meaning, settings } = this.#parts;
    const withinMs = Math.round(settings.timeoutMs * shareForVector);
    const vector = await meaning?.questions.of(query, withinMs, signal);
    return vector === undefined ? {} : { vector };
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the source was closed'));
    if (!this.#isStarted) return;
    await this.#parts.thread.close(this.#parts.number);
  }

  hear(message: Parameters<ThreadListener['hear']>[0]): void {
    if (message.kind === 'log') this.#log[message.level](message.fields, message.message);
    else this.#state = message.state;
  }

  crashed(reason: string): void {
    this.#state = { ...this.#state, phase: 'failed' };
    this.#log.error({ reason }, 'the thread of the document indexes has ended: it is started again');
  }
}

function rulesOf({ model, identity }: Embedder, { minCosine = usualMinCosine }: FilesSourceSettings): VectorRules {
  return { model, identity, minCosine };
}

/** Copied: what goes to a thread must be plain. */
function readerOf(roles: readonly string[], tenant: string | undefined): Reader {
  return { roles: [...roles], tenant: tenant ?? null };
}
