import type { ChatHistoryProvider, ChatHistoryProviderFactory, ChatReducer } from './history.ts';
import type { MemoryStore } from './memory.ts';
import type { ActionUser } from './action.ts';
import type { SkillSourceDefinition } from './skills.ts';

/** The question for a source of documents about one message (contract/knowledge.md#sources). */
export interface KnowledgeSearch {
  /** The user's message. */
  readonly query: string;
  /** The most documents that the server uses (`ragResultCount`). More are of no use. */
  readonly maxResults: number;
  /** The user's messages and the replies of the last three turns, the oldest first. Empty over SSE. */
  readonly recentMessages: readonly string[];
  /** Null when the server knows no users. An anonymous visitor is a user that is not authenticated. */
  readonly user: ActionUser | null;
  /** The page the user is on, as the client told it. Untrusted. */
  readonly pageName: string | null;
  readonly pageData: unknown;
  /** Aborts when the turn is stopped, or when the search takes too long. */
  readonly signal: AbortSignal;
}

/** A document, or a part of one, that answers the question. */
export interface KnowledgeDocument {
  readonly content: string;
  readonly title?: string;
  /** Where a reader can open it: `https:`, or relative to the host application. */
  readonly sourceUrl?: string;
  /** How well the document fits the question: a higher score is better. */
  readonly score: number;
  /** The kind of source. Clients get it with the citation. Left out, it is `document`. */
  readonly kind?: 'document' | 'web' | 'file';
  /** Facts about the document. The model reads them, and clients get them with the citation. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** One of these roles is enough to read the document. Left out or empty, everybody may read it. */
  readonly requiredRoles?: readonly string[];
  /** Globs of the tenants whose users may read the document. Left out or empty, the users of every tenant may. */
  readonly tenants?: readonly string[];
}

/** A source of documents: an entry of a plugin's `providers.ragSources` (contract/knowledge.md#sources). */
export interface KnowledgeSourceDefinition {
  /** Unique in the server: `^[a-z][a-z0-9-]{0,63}$`. */
  readonly name: string;
  /** Finds documents. An error is logged, and the answer goes on without this source. */
  search(search: KnowledgeSearch): readonly KnowledgeDocument[] | Promise<readonly KnowledgeDocument[]>;
  /** The lowest score of a document that is used, on the scale of this source. 0 accepts all documents. Left out, it is 2. */
  readonly defaultMinScore?: number;
  /** The most seconds of a search. Left out, it is 3. */
  readonly timeoutSeconds?: number;
  /** The source is used only for users with one of these roles. */
  readonly requiredRoles?: readonly string[];
  /** Globs of tenants. The source is used only for users of these tenants. */
  readonly tenants?: readonly string[];
  /** Its documents are as trusted as the plugin itself. */
  readonly trusted?: boolean;
}

/** What a plugin provides besides actions (contract/plugins.md#plugins). */
export interface PluginProviders {
  readonly ragSources?: readonly KnowledgeSourceDefinition[];
  readonly skillSources?: readonly SkillSourceDefinition[];
  /** Decides which messages of a conversation are kept, in place of `maxSessionMessages`. Only one plugin of a server may have it. */
  readonly chatReducer?: ChatReducer;
  /**
   * Keeps the conversations of signed-in users, in place of `chatHistoryProvider: storage`. Only one plugin of a server may have this or a
   * factory.
   */
  readonly chatHistoryProvider?: ChatHistoryProvider;
  /** Makes a chat history provider for each user. Only one plugin of a server may have this or a provider. */
  readonly chatHistoryProviderFactory?: ChatHistoryProviderFactory;
  /** Keeps what is remembered about users, in place of the storage of the server. Only one plugin of a server may have it. */
  readonly memoryStore?: MemoryStore;
}
