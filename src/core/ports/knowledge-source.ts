import type { Restriction } from '../events/shown-event.ts';
import type { SourceKind } from '../events/turn-event.ts';
import type { SeenUser } from './seen-user.ts';

/** What a source is asked (contract/knowledge.md#sources). */
export interface KnowledgeRequest {
  /** The user's message. */
  readonly query: string;
  /** Words that may stand in an answer, beside those of the message. Only for sources with `keywordLanguages`. */
  readonly keywords?: readonly string[] | undefined;
  /** Most documents that are of use. */
  readonly maxResults: number;
  /** The user's messages and the replies of the last three turns, the oldest first. */
  readonly recentMessages: readonly string[];
  /** Null when the server knows no users at all; not authenticated for an anonymous visitor. */
  readonly user: SeenUser | null;
  /** The page the user is on, as the client told it. Untrusted. */
  readonly pageName: string | null;
  readonly pageData: unknown;
}

/** A document that answers, or a part of one. */
export interface FoundDocument {
  readonly content: string;
  /** What people know it by. */
  readonly title: string;
  /** Where a reader can open it: `https:`, or relative to the host application. */
  readonly sourceUrl?: string | undefined;
  /** What it is. Left out, a document. */
  readonly kind?: SourceKind | undefined;
  /** How well it fits, on the scale of its source: more is better. */
  readonly score: number;
  /** Facts about it: shown to the model, and sent to clients with the citation. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Any one of these roles may read it. Left out or empty, everybody may. */
  readonly requiredRoles?: readonly string[] | undefined;
  /** Globs of the tenants whose users may read it. Left out or empty, every tenant's may. */
  readonly tenants?: readonly string[] | undefined;
  /** What else keeps readers out: a reader must be let in by each of these too. */
  readonly restrictions?: readonly Restriction[] | undefined;
}

export interface KnowledgeAnswer {
  readonly documents: readonly FoundDocument[];
  /** The documents stand in the order of the source, which knows more than their scores. Left out, scores decide. */
  readonly isRanked?: boolean;
  /** The least score that is of use, where the source knows its own scale. */
  readonly defaultMinScore?: number | undefined;
}

/** Something that documents are found in. */
export interface KnowledgeSource {
  /** For people, logs and metrics; unique in the server. */
  readonly name: string;
  /** What it holds is as trusted as the configuration itself (`trusted: true`). */
  readonly isTrusted: boolean;
  /** Any one of these roles may search it. Empty: everybody may. */
  readonly requiredRoles: readonly string[];
  /** Globs of the tenants whose users may search it. Empty: every tenant's may. */
  readonly tenants: readonly string[];
  /** Milliseconds a search may take. */
  readonly timeoutMs: number;
  /**
   * The codes of the languages of its documents, when it finds more with keywords in them; undefined when it does without. Left out,
   * it always does.
   */
  keywordLanguages?(): readonly string[] | undefined;
  /**
   * Finds documents. A source that keeps documents of different readers MUST leave out what `user` may not read, before it counts
   * to `maxResults`. Rejects for every fault, and with the signal's reason once that aborts.
   */
  search(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeAnswer>;
}
