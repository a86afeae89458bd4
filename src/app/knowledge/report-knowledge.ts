import type { HttpSource } from '../../adapters/action-callback/http-source.ts';
import type { Explanation, FilesSource, FilesSourceState } from '../../adapters/knowledge/files/files-source.ts';
import { type ExplainedSearch, explainSource } from '../../core/knowledge/explain-source.ts';
import { usesKeywords } from '../../core/knowledge/find-documents.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';

export type { ExplainedChunk, ExplainedTerm } from '../../adapters/knowledge/files/files-source.ts';

/** What `helper knowledge` asks (contract/knowledge.md#command). */
export interface KnowledgeQuery {
  readonly query?: string;
  readonly roles: readonly string[];
  readonly tenant?: string;
}

/** One source as `helper knowledge` shows it. */
export interface SourceReport {
  readonly name: string;
  readonly type: 'files' | 'http' | 'code';
  /** Folders only: how far the reading is, the number of documents, and the files that are left out. */
  readonly state?: FilesSourceState;
  /** Folders only, with a question: the documents that are found, and why. */
  readonly explanation?: Explanation;
  /** Other sources only, with a question: the documents that are found, and why. */
  readonly search?: ExplainedSearch;
  /** Why the source could not be asked. */
  readonly fault?: string;
}

export interface KnowledgeReport {
  /** `useRag` is off: nothing is searched, so the sources have neither a state nor an explanation. */
  readonly isOff?: true;
  /** `ragMinScore`. It replaces the thresholds of the folders. */
  readonly minScore?: number;
  readonly sources: readonly SourceReport[];
}

/** All sources, and the settings of searches. */
export interface AllSources {
  readonly http: ReadonlyMap<string, HttpSource>;
  readonly files: ReadonlyMap<string, FilesSource>;
  readonly sources: () => readonly KnowledgeSource[];
  readonly minScore: number | undefined;
  /** `ragResultCount`. */
  readonly resultCount: number;
  readonly knowsUsers: boolean;
  /** `useRag`. */
  readonly isOn: boolean;
  /** The keywords that a small model writes for a message of this caller. */
  readonly keywordsFor: (query: string, caller: Omit<KnowledgeQuery, 'query'>) => Promise<readonly string[]>;
}

/**
 * Lists the sources. With a question it also lists which documents are found for which user. Never rejects: the report names the fault of a
 * source that cannot be asked.
 */
export async function reportKnowledge(
  { http, files, sources, minScore, resultCount, knowsUsers, isOn, keywordsFor }: AllSources,
  { query, ...caller }: KnowledgeQuery,
): Promise<KnowledgeReport> {
  const keywords = isOn && query !== undefined ? await keywordsFor(query, caller) : [];
  return {
    ...(minScore === undefined ? {} : { minScore }),
    ...(isOn ? {} : { isOff: true }),
    sources: await Promise.all(
      sources().map(async (source): Promise<SourceReport> => {
        const { name } = source;
        const folder = files.get(name);
        const type = folder !== undefined ? 'files' : http.has(name) ? 'http' : 'code';
        const known: SourceReport = { name, type, ...(isOn && folder !== undefined && { state: folder.state }) };
        if (!isOn || query === undefined) return known;
        try {
          if (folder !== undefined) {
            const asked = { ...caller, keywords: usesKeywords(folder) ? keywords : [] };
            return { ...known, explanation: await folder.explain(query, asked) };
          }
          const question = { ...caller, query, minScore, knowsUsers, maxResults: resultCount };
          return { ...known, search: await explainSource(source, question) };
        } catch (error) {
          return { ...known, fault: error instanceof Error ? error.message : String(error) };
        }
      }),
    ),
  };
}

/** Reads what the command has sent. @throws Error when it is something else. */
export function readKnowledgeQuery(sent: unknown): KnowledgeQuery {
  if (sent !== undefined && (typeof sent !== 'object' || sent === null || Array.isArray(sent))) {
    throw new Error('the question is not understood');
  }
  const { query, roles = [], tenant } = (sent ?? {}) as Readonly<Record<string, unknown>>; // checked below
  const isText = (value: unknown): value is string => typeof value === 'string';
  if ((query !== undefined && !isText(query)) || (tenant !== undefined && !isText(tenant))) {
    throw new Error('the question is not understood');
  }
  if (!Array.isArray(roles) || !roles.every(isText)) throw new Error('the roles are not understood');
  return { roles, ...(query === undefined ? {} : { query }), ...(tenant === undefined ? {} : { tenant }) };
}
