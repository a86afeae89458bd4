import type { Restriction } from '../events/shown-event.ts';
import type { SourceKind } from '../events/turn-event.ts';
import type { SeenUser } from './seen-user.ts';

/** What a source is asked (contract/knowledge.md#sources). */
export interface KnowledgeRequest {
  /** The user's message. */
  readonly query: string;
  /** Words that an answer may contain, besides the words of the message. Only for sources with `keywordLanguages`. */
  readonly keywords?: readonly string[] | undefined;
  /** The largest number of documents that the caller can use. */
  readonly maxResults: number;
  /** The user's messages and the replies of the last three turns, the oldest first. */
  readonly recentMessages: readonly string[];
  /** Null when the server knows no users at all. An anonymous visitor is a user who is not authenticated. */
  readonly user: SeenUser | null;
  /** The page the user is on, as the client told it. Untrusted. */
  readonly pageName: string | null;
  readonly pageData: unknown;
}

/** A document that answers, or a part of one. */
export interface FoundDocument {
  readonly content: string;
  /** The name by which people know the document. */
  readonly title: string;
  /** Where a reader can open it: `https:`, or relative to the host application. */
  readonly sourceUrl?: string | undefined;
  /** The kind of the document. When absent, the kind is `document`. */
  readonly kind?: SourceKind | undefined;
  /** How well the document fits the question, on the scale of its source. A higher score is better. */
  readonly score: number;
  /** Facts about the document. The model sees them, and clients receive them with the citation. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Any one of these roles may read the document. When absent or empty, everybody may. */
  readonly requiredRoles?: readonly string[] | undefined;
  /** Globs of the tenants whose users may read the document. When absent or empty, the users of every tenant may. */
  readonly tenants?: readonly string[] | undefined;
  /** Further restrictions. A reader must be let in by each of them too. */
  readonly restrictions?: readonly Restriction[] | undefined;
}

export interface KnowledgeAnswer {
  readonly documents: readonly FoundDocument[];
  /**
   * True when the documents stand in the order of the source, which knows more than their scores. When absent, the scores decide the order.
   */
  readonly isRanked?: boolean;
  /** The least score that is of use, where the source knows its own scale. */
  readonly defaultMinScore?: number | undefined;
}

/** A place where documents are searched. */
export interface KnowledgeSource {
  /** For people, logs and metrics; unique in the server. */
  readonly name: string;
  /** True when the content of the source is as trusted as the configuration itself (`trusted: true`). */
  readonly isTrusted: boolean;
  /** Any one of these roles may search the source. Empty: everybody may. */
  readonly requiredRoles: readonly string[];
  /** Globs of the tenants whose users may search the source. Empty: the users of every tenant may. */
  readonly tenants: readonly string[];
  /** Milliseconds a search may take. */
  readonly timeoutMs: number;
  /**
   * The codes of the languages of the source's documents, when the source finds more with keywords in these languages. Undefined when the
   * source needs no keywords now. When the method is absent, the source never needs keywords.
   */
  keywordLanguages?(): readonly string[] | undefined;
  /**
   * Finds documents. A source that keeps documents of different readers MUST leave out what `user` may not read, before it counts to
   * `maxResults`. Rejects for every fault, and with the signal's reason once the signal aborts.
   */
  search(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeAnswer>;
}
