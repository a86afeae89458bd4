import { joined } from '../base/joined.ts';
import type { Classifier } from '../classifier/classifier.ts';
import { mayRead, readerOf } from '../identity/may-read.ts';
import type { KnowledgeRequest, KnowledgeSource } from '../ports/knowledge-source.ts';
import type { TurnTrace } from '../ports/turn-trace.ts';
import type { TurnRequest } from '../request/turn-request.ts';
import { toolUser } from '../tools/tool-user.ts';
import type { CitedDocument } from './cited-document.ts';
import type { Knowledge } from './knowledge.ts';
import { mergeByRank } from './merge-by-rank.ts';
import { searchKeywords } from './search-keywords.ts';
import { type SearchServices, searchSource } from './search-source.ts';

/** A message for which documents are looked up. */
export interface KnowledgeQuestion {
  readonly request: TurnRequest;
  /** The user's messages and the replies of the last three turns. */
  readonly recentMessages: readonly string[];
  readonly signal: AbortSignal;
  /** Records the searches. Left out, they are not recorded. */
  readonly trace?: Pick<TurnTrace, 'step'> | undefined;
}

/** The services that a search of all sources needs. */
export interface DocumentServices extends SearchServices {
  /** Writes the keywords. Left out, no keywords are written. */
  readonly classifier?: Classifier | undefined;
}

/**
 * The documents that the model is given for the answer to a message, the best first (contract/knowledge.md). All sources that the user may
 * search are asked at the same time. @throws the signal's reason when the turn is stopped.
 */
export async function findDocuments(
  { request, recentMessages, signal, trace }: KnowledgeQuestion,
  knowledge: Knowledge,
  services: DocumentServices,
): Promise<readonly CitedDocument[]> {
  const { principal } = request.caller;
  const reader = readerOf(principal);
  const asked: KnowledgeRequest = {
    query: request.message.text,
    maxResults: knowledge.resultCount,
    recentMessages,
    // A host in the same process may sign users in without `auth.jwt`.
    user: knowledge.knowsUsers || principal.kind === 'signed-in' ? toolUser(principal) : null,
    pageName: request.page?.name ?? null,
    pageData: request.page?.data ?? null,
  };
  if (asked.query.trim() === '') return [];
  const { minScore } = knowledge;
  const open = knowledge.sources().filter((source) => mayRead(source, reader));
  const keywords = keywordsFor(open, { query: asked.query, tenant: reader.tenant, signal, knowledge }, services);
  const lists = await joined(
    open.map(async (source) => {
      const words = usesKeywords(source) ? await keywords : [];
      const request = words.length === 0 ? asked : { ...asked, keywords: words };
      const search = () => searchSource(source, { request, reader, minScore, signal }, services);
      return trace === undefined ? search() : trace.step({ kind: 'retrieval', source: source.name }, search);
    }),
  );
  return mergeByRank(lists).slice(0, knowledge.resultCount);
}

/** Whether a source finds more with keywords now. A folder whose vectors count does not. */
export function usesKeywords(source: KnowledgeSource): boolean {
  return source.keywordLanguages?.() !== undefined;
}

/** A question that keywords are wanted for. */
interface KeywordsWanted {
  readonly query: string;
  readonly tenant: string | undefined;
  readonly signal: AbortSignal;
  readonly knowledge: Pick<Knowledge, 'rewritesQueries'>;
}

/** The keywords for all sources. The model is asked for them once. Sources that use no keywords do not wait for them. */
export async function keywordsFor(
  sources: readonly KnowledgeSource[],
  { query, tenant, signal, knowledge }: KeywordsWanted,
  { classifier, log }: Pick<DocumentServices, 'classifier' | 'log'>,
): Promise<readonly string[]> {
  const wanted = sources.map((source) => source.keywordLanguages?.()).filter((languages) => languages !== undefined);
  if (!knowledge.rewritesQueries || classifier === undefined || wanted.length === 0) return [];
  return searchKeywords(query, { classifier, languages: [...new Set(wanted.flat())], signal, tenant }, log);
}
