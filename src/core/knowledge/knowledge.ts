import type { KnowledgeSource } from '../ports/knowledge-source.ts';

/** The sources of documents, and the settings for the documents that they find (contract/knowledge.md). */
export interface Knowledge {
  /** Called for each message, because a callback can add a source at any time. */
  readonly sources: () => readonly KnowledgeSource[];
  /** Most documents that the model is given for one message (`ragResultCount`). */
  readonly resultCount: number;
  /** The least score of a document (`ragMinScore`). It replaces the threshold of the source. 0: every score is enough. */
  readonly minScore: number | undefined;
  /** The text that introduces the documents (`ragSystemPromptTemplate`). The documents replace `{documents}` in it. */
  readonly template: string;
  /** Whether clients are told which documents a reply is based on (`showRagSources`). */
  readonly showSources: boolean;
  /** Whether they are told the passages too (`showRagExcerpts`). */
  readonly showExcerpts: boolean;
  /** Whether a small model is asked for keywords when a source finds more with them (`ragQueryRewrite`). */
  readonly rewritesQueries: boolean;
  /** Whether this server knows users. If it knows none (no `auth`), a source is told of none. */
  readonly knowsUsers: boolean;
}
