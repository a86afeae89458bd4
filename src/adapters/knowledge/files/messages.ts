import type { Embedded } from '../../../core/ports/embedder.ts';
import type { FoundDocument } from '../../../core/ports/knowledge-source.ts';
import type { FilesSourceSettings } from './files-source-settings.ts';
import type { Explanation, FilesSourceState } from './files-source.ts';

/** The facts about a caller that decide what the caller may read. */
export interface Reader {
  readonly roles: readonly string[];
  /** Null: the caller has no tenant. */
  readonly tenant: string | null;
}

interface Asked {
  readonly query: string;
  readonly reader: Reader;
  /** Words that may stand in an answer. */
  readonly keywords?: string;
  /** Left out: words alone count. */
  readonly vector?: QuestionVector;
}

/** The vector of a question. */
export interface QuestionVector {
  /** The name of the model that made the vector, for people. */
  readonly model: string;
  /** Only vectors with the same identity can be compared. */
  readonly identity: string;
  /** A vector of length 1. */
  readonly numbers: Float32Array;
}

export type Question =
  ({ readonly kind: 'search'; readonly maxResults: number } & Asked) | ({ readonly kind: 'explain' } & Asked);

export type Answer =
  | { readonly kind: 'found'; readonly documents: readonly FoundDocument[]; readonly defaultMinScore: number }
  | { readonly kind: 'explained'; readonly explanation: Explanation };

export interface OpenSource {
  readonly kind: 'open';
  /** The number of the source, by which all other messages name it. */
  readonly source: number;
  readonly settings: FilesSourceSettings;
  /** The file of the index. Null: the index is in memory. */
  readonly indexFile: string | null;
  /** The model by which the documents get vectors. Left out: they get none. */
  readonly vectors?: VectorRules;
}

/** The rules for the vectors of a source. */
export interface VectorRules {
  /** The name of the model, for people. */
  readonly model: string;
  /** Only vectors with the same identity can be compared. */
  readonly identity: string;
  /** A chunk with a lower cosine similarity is not found by its meaning. */
  readonly minCosine: number;
  /** Milliseconds that a search takes at most. */
  readonly searchMs: number;
}

/** The vectors of texts, in the order of the texts, or why there are none at all. */
export type EmbedAnswer = { readonly vectors: readonly Embedded[] } | { readonly fault: string };

/** Texts that need a vector by the model with this identity. */
export interface WantedVectors {
  readonly identity: string;
  readonly texts: readonly string[];
}

export type ToWorker =
  | OpenSource
  | { readonly kind: 'ask'; readonly id: number; readonly source: number; readonly question: Question }
  | { readonly kind: 'embedded'; readonly source: number; readonly id: number; readonly answer: EmbedAnswer }
  /** From now on the documents of the source get their vectors by another model. Left out: they get none. */
  | { readonly kind: 'vectors'; readonly source: number; readonly vectors?: VectorRules }
  | { readonly kind: 'close'; readonly source: number };

/** A line for the log; `fields` are plain values. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, string | number>>;
  readonly message: string;
}

export type FromWorker =
  | { readonly kind: 'state'; readonly source: number; readonly state: FilesSourceState }
  | ({ readonly kind: 'log'; readonly source: number } & LogLine)
  | ({ readonly kind: 'embed'; readonly source: number; readonly id: number } & WantedVectors)
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'closed'; readonly source: number };
