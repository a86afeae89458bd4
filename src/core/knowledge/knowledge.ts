import type { KnowledgeSource } from '../ports/knowledge-source.ts';

/** Where documents are looked for, and what becomes of those that are found (contract/knowledge.md). */
export interface Knowledge {
  /** Asked anew for each message: a callback may come to offer one. */
  readonly sources: () => readonly KnowledgeSource[];
  /** Most documents that a message is answered with (`ragResultCount`). */
  readonly resultCount: number;
  /** The least score of a document, whatever its source says (`ragMinScore`). 0: none is too low. */
  readonly minScore: number | undefined;
  /** What the documents are introduced with: `{documents}` stands for them (`ragSystemPromptTemplate`). */
  readonly template: string;
  /** Clients are told which documents a reply goes by (`showRagSources`). */
  readonly showSources: boolean;
  /** A small model is asked for keywords where a source finds more with them (`ragQueryRewrite`). */
  readonly rewritesQueries: boolean;
  /** Whether this server knows users: without `auth`, a source is told of none. */
  readonly knowsUsers: boolean;
}
