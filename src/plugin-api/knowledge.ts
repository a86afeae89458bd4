import type { ChatHistoryProvider, ChatHistoryProviderFactory, ChatReducer } from './history.ts';
import type { MemoryStore } from './memory.ts';
import type { ActionUser } from './action.ts';
import type { SkillSourceDefinition } from './skills.ts';

/** What a source of documents is asked for one message (contract/knowledge.md#sources). */
export interface KnowledgeSearch {
  /** The user's message. */
  readonly query: string;
  /** Most documents that are of use (`ragResultCount`). */
  readonly maxResults: number;
  /** The user's messages and the replies of the last three turns, the oldest first. Empty over SSE. */
  readonly recentMessages: readonly string[];
  /** Null when the server knows no users at all; not authenticated for an anonymous visitor. */
  readonly user: ActionUser | null;
  /** The page the user is on, as the client told it. Untrusted. */
  readonly pageName: string | null;
  readonly pageData: unknown;
  /** Aborts when the turn is stopped, or when the search takes too long. */
  readonly signal: AbortSignal;
}

/** A document that answers, or a part of one. */
export interface KnowledgeDocument {
  readonly content: string;
  readonly title?: string;
  /** Where a reader can open it: `https:`, or relative to the host application. */
  readonly sourceUrl?: string;
  /** How well it fits: more is better. */
  readonly score: number;
  /** What it is: clients are told with the citation. Left out, a document. */
  readonly kind?: 'document' | 'web' | 'file';
  /** Facts: shown to the model, and sent to clients with the citation. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Any one of these roles may read it. Left out or empty, everybody may. */
  readonly requiredRoles?: readonly string[];
  /** Globs of the tenants whose users may read it. Left out or empty, every tenant's may. */
  readonly tenants?: readonly string[];
}

/** Something that documents are found in: an entry of a plugin's `providers.ragSources` (contract/knowledge.md#sources). */
export interface KnowledgeSourceDefinition {
  /** Unique in the server: `^[a-z][a-z0-9-]{0,63}$`. */
  readonly name: string;
  /** Finds documents. What it throws is logged, and the answer goes on without this source. */
  search(search: KnowledgeSearch): readonly KnowledgeDocument[] | Promise<readonly KnowledgeDocument[]>;
  /** Least score of a document, on the scale of this source; 0 takes all. Left out, 2. */
  readonly defaultMinScore?: number;
  /** How long a search may take; 3 by default. */
  readonly timeoutSeconds?: number;
  /** Only users with any one of these roles are answered from it. */
  readonly requiredRoles?: readonly string[];
  /** Only users of these tenants are, by glob. */
  readonly tenants?: readonly string[];
  /** Its documents are as trusted as the plugin itself. */
  readonly trusted?: boolean;
}

/** What a plugin provides beside actions (contract/plugins.md#plugins). */
export interface PluginProviders {
  readonly ragSources?: readonly KnowledgeSourceDefinition[];
  readonly skillSources?: readonly SkillSourceDefinition[];
  /** Decides which messages of a conversation are kept, in place of `maxSessionMessages`. One plugin of a server has it. */
  readonly chatReducer?: ChatReducer;
  /** Keeps the conversations of signed-in users, in place of `chatHistoryProvider: storage`. One plugin of a server has it, or a factory. */
  readonly chatHistoryProvider?: ChatHistoryProvider;
  /** The same by user. One plugin of a server has it, or a provider. */
  readonly chatHistoryProviderFactory?: ChatHistoryProviderFactory;
  /** Keeps what is remembered about users, in place of the storage of the server. One plugin of a server has it. */
  readonly memoryStore?: MemoryStore;
}
