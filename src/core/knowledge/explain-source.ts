import { untilStopped } from '../base/until-stopped.ts';
import { mayRead } from '../identity/may-read.ts';
import type { KnowledgeSource } from '../ports/knowledge-source.ts';
import { isEnough, isForReader, usualMinScore } from './judge-document.ts';

/** What is asked of a source for people who want to know why it finds what it finds. */
export interface ExplainedQuestion {
  readonly query: string;
  readonly roles: readonly string[];
  readonly tenant?: string | undefined;
  readonly maxResults: number;
  /** `ragMinScore`; undefined: the source decides. */
  readonly minScore: number | undefined;
  /** Without it the server knows no users, and a source is told of none. */
  readonly knowsUsers: boolean;
}

/** What a question finds in a source that ranks by itself, and why. For operators: it names documents that the caller may not see. */
export interface ExplainedSearch {
  /** False: the caller may not search it, and it was not asked. */
  readonly isOpen: boolean;
  readonly threshold: number;
  /** What says so: the configuration, the source itself, or nobody. */
  readonly thresholdOf: 'ragMinScore' | 'source' | 'default';
  /** The best 20. */
  readonly found: readonly ExplainedDocument[];
}

/** One document that a source has given. */
export interface ExplainedDocument {
  readonly title: string;
  readonly sourceUrl?: string | undefined;
  /** On the scale of the source. */
  readonly score: number;
  /** `hidden`: the caller may not read it. */
  readonly outcome: 'found' | 'below-threshold' | 'hidden';
}

const mostExplained = 20;

/** Asks a source as a message of that caller would (contract/knowledge.md#command). Rejects for every fault of the source. */
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
