import { untilStopped } from '../base/until-stopped.ts';
import { mayRead } from '../identity/may-read.ts';
import type { KnowledgeSource } from '../ports/knowledge-source.ts';
import { isEnough, isForReader, usualMinScore } from './judge-document.ts';

/** A question to one source. It is asked by an operator who wants to know why the source finds certain documents. */
export interface ExplainedQuestion {
  readonly query: string;
  readonly roles: readonly string[];
  readonly tenant?: string | undefined;
  readonly maxResults: number;
  /** `ragMinScore`; undefined: the source decides. */
  readonly minScore: number | undefined;
  /** Whether the server knows users. If it knows none, a source is told of none. */
  readonly knowsUsers: boolean;
}

/**
 * The documents that one source finds for a question, with the reasons. Only operators may see this, because it names documents that the
 * caller may not see.
 */
export interface ExplainedSearch {
  /** False: the caller may not search the source, so the source was not asked. */
  readonly isOpen: boolean;
  readonly threshold: number;
  /** Where the threshold comes from: the configuration, the source, or the default of the server. */
  readonly thresholdOf: 'ragMinScore' | 'source' | 'default';
  /** The best 20 documents. */
  readonly found: readonly ExplainedDocument[];
}

/** One document that a source has given. */
export interface ExplainedDocument {
  readonly title: string;
  readonly sourceUrl?: string | undefined;
  /** The score on the source's own scale. */
  readonly score: number;
  /** `hidden`: the caller may not read it. */
  readonly outcome: 'found' | 'below-threshold' | 'hidden';
}

const mostExplained = 20;

/**
 * Asks a source in the same way as a message of that caller does (contract/knowledge.md#command). Rejects when the source fails in any way.
 */
export async function explainSource(
  source: KnowledgeSource,
  { query, roles, tenant, maxResults, minScore, knowsUsers }: ExplainedQuestion,
): Promise<ExplainedSearch> {
  const reader = { roles: new Set(roles), tenant };
  const isAuthenticated = roles.length > 0 || tenant !== undefined;
  const asked = { id: '', name: '', roles, claims: {}, isAuthenticated, ...(tenant !== undefined && { tenant }) };
  const user = knowsUsers || isAuthenticated ? asked : null;
  const request = { query, maxResults, recentMessages: [], user, pageName: null, pageData: null };
  const isOpen = mayRead(source, reader);
  const limit = AbortSignal.timeout(source.timeoutMs);
  const { documents, isRanked, defaultMinScore } = isOpen
    ? await untilStopped(source.search(request, limit), limit)
    : { documents: [], isRanked: false, defaultMinScore: undefined };
  const threshold = minScore ?? defaultMinScore ?? usualMinScore;
  const ordered = isRanked === true ? documents : documents.toSorted((one, other) => other.score - one.score);
  return {
    isOpen,
    threshold,
    thresholdOf: minScore !== undefined ? 'ragMinScore' : defaultMinScore !== undefined ? 'source' : 'default',
    found: ordered.slice(0, mostExplained).map((document) => ({
      title: document.title,
      ...(document.sourceUrl !== undefined && { sourceUrl: document.sourceUrl }),
      score: document.score,
      outcome: !isForReader(document, reader)
        ? 'hidden'
        : isEnough(document.score, threshold)
          ? 'found'
          : 'below-threshold',
    })),
  };
}
