import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { KnowledgeAnswer, KnowledgeRequest } from '../../../core/ports/knowledge-source.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { ExplainedCaller, Explanation, FilesSource, FilesSourceState } from './files-source.ts';
import type { FilesSourceSettings } from './files-source-settings.ts';
import { IndexThread, type ThreadListener } from './index-thread.ts';
import type { Reader } from './messages.ts';

/** What folders of documents need of the server. */
export interface FilesSourceServices {
  /** Where the indexes live. Undefined: in memory. */
  readonly folder: string | undefined;
  readonly log: Logger;
  /** The thread that works for them; left out: one of their own. */
  readonly thread?: IndexThread;
}

/** Makes the sources of all folders. They share a thread, which begins with the first `start`. */
export function openFilesSources(
  all: readonly FilesSourceSettings[],
  services: FilesSourceServices,
): readonly FilesSource[] {
  const thread = services.thread ?? new IndexThread();
  return all.map((settings, index) => new ThreadedSource({ settings, services, thread, number: index }));
}

interface SourceParts {
  readonly settings: FilesSourceSettings;
  readonly services: FilesSourceServices;
  readonly thread: IndexThread;
  readonly number: number;
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
  #isStarted = false;
  #state: FilesSourceState = { phase: 'indexing', documents: 0, chunks: 0, faults: [], faultCount: 0 };

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

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { thread, settings, number, services } = this.#parts;
    const indexFile = services.folder === undefined ? null : join(services.folder, indexNameOf(settings.name));
    thread.open({ kind: 'open', source: number, settings, indexFile }, this);
  }

  async search(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeAnswer> {
    const { thread, number } = this.#parts;
    const { query, maxResults, user } = request;
    const reader = readerOf(user?.roles ?? [], user?.tenant);
    const answer = await thread.ask(number, { kind: 'search', query, maxResults, reader }, signal);
    if (answer.kind !== 'found') throw new Error('the index has answered something else');
    return { documents: answer.documents, isRanked: true, defaultMinScore: answer.defaultMinScore };
  }

  async explain(query: string, { roles, tenant }: ExplainedCaller): Promise<Explanation> {
    const { thread, number } = this.#parts;
    const answer = await thread.ask(number, { kind: 'explain', query, reader: readerOf(roles, tenant) });
    if (answer.kind !== 'explained') throw new Error('the index has answered something else');
    return answer.explanation;
  }

  async close(): Promise<void> {
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

/** Copied: what goes to a thread must be plain. */
function readerOf(roles: readonly string[], tenant: string | undefined): Reader {
  return { roles: [...roles], tenant: tenant ?? null };
}

/** Two names never share a file, whatever characters they have. */
function indexNameOf(name: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `documents-${readable}-${hash}.sqlite`;
}
