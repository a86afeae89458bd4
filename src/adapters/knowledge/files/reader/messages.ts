/** One file to read. */
export interface ReadJob {
  readonly id: number;
  /** The folder of the source, absolute. */
  readonly root: string;
  /** The file, relative to the folder. */
  readonly file: string;
  /** Files with facts about it, relative to the folder; the later ones say more than the earlier ones. */
  readonly facts: readonly string[];
  /** Of the content as it was read last, where it was. */
  readonly knownHash: string;
  /** ISO 639-1 of all files that do not say their own; null: it is found out. */
  readonly language: string | null;
}

/** Who may read: somebody who has a role of each group, in a tenant that each group of globs names. */
export interface Audience {
  readonly roles: readonly (readonly string[])[];
  readonly tenants: readonly (readonly string[])[];
}

/** A part of a document, as it stands in the index. */
export interface Chunk {
  /** The headings above it, joined. */
  readonly path: string;
  /** Of a PDF, from 1. */
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
  /** The content is what it was. */
  | { readonly kind: 'same' }
  | {
      readonly kind: 'left-out';
      readonly reason: string;
      readonly hash: string;
      /** It cost too much this time: another time it may not. */
      readonly isCost: boolean;
    };

export type FromReader =
  | { readonly kind: 'ready' }
  /** `residentBytes`: of the process, now. */
  | { readonly kind: 'read'; readonly id: number; readonly result: ReadResult; readonly residentBytes: number };
