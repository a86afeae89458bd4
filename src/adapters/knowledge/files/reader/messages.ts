import type { Kind } from './kinds.ts';
import type { WhyLeftOut } from './read-limits.ts';

/** One file to read. */
export interface ReadJob {
  readonly id: number;
  /** The folder of the source, absolute. */
  readonly root: string;
  /** The file, relative to the folder. */
  readonly file: string;
  /**
   * Files with facts about the document, relative to the folder. A fact in a later file replaces the same fact in an earlier one; the roles
   * and tenants of all files apply.
   */
  readonly facts: readonly string[];
  /** The hash of the content at the last reading. Empty: no hash is known. */
  readonly knownHash: string;
  /** The ISO 639-1 code of all files that name no language themselves. Null: the language of each file is detected. */
  readonly language: string | null;
}

/** Who may read a document: a caller with a role of each group, in a tenant that each group of globs names. */
export interface Audience {
  readonly roles: readonly (readonly string[])[];
  readonly tenants: readonly (readonly string[])[];
}

/** A part of a document, as it stands in the index. */
export interface Chunk {
  /** The headings above the text, joined. */
  readonly path: string;
  /** The page of a PDF, counted from 1. Null in other formats. */
  readonly page: number | null;
  readonly text: string;
  /** Tokens of title and headings, joined by spaces. */
  readonly titleTokens: string;
  readonly bodyTokens: string;
}

export interface ReadDocument {
  readonly title: string;
  readonly url: string | null;
  /** ISO 639-1; empty: unknown. */
  readonly language: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly audience: Audience;
  readonly chunks: readonly Chunk[];
}

export type ReadResult =
  | { readonly kind: 'document'; readonly hash: string; readonly document: ReadDocument }
  /** The content has not changed since the last reading. */
  | { readonly kind: 'same' }
  | {
      readonly kind: 'left-out';
      readonly reason: string;
      readonly hash: string;
      /** The file cost too much this time, but another reading may succeed. */
      readonly isCost: boolean;
    };

/** A file that came with a message. It stands in no folder. */
export interface TextJob {
  readonly id: number;
  readonly kind: Kind;
  /** Base64. */
  readonly data: string;
}

export type TextResult =
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing of the file was read. */
  | { readonly kind: 'unreadable'; readonly why: WhyLeftOut };

/** What the reader is asked, and what it answers. */
export type Job = ReadJob | TextJob;
export type JobResult = ReadResult | TextResult;

export type FromReader =
  | { readonly kind: 'ready' }
  /** `residentBytes` is the memory that the process takes now. */
  | { readonly kind: 'read'; readonly id: number; readonly result: JobResult; readonly residentBytes: number };
