import type { SmallVector } from '../../../core/base/small-vector.ts';
import type { Embedded } from '../../../core/ports/embedder.ts';
import type { FoundDocument } from '../../../core/ports/knowledge-source.ts';
import type { PassageVector } from '../../../core/ports/passage-vector-store.ts';
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
  /** Vectors are also kept outside of the index, for other servers and for later starts. */
  readonly isShared: boolean;
}

/** What the thread is given for a text: a vector of the model, a vector that was kept, or why there is none. */
export type GivenVector = Embedded | { readonly small: SmallVector };

/** The vectors of texts, in the order of the texts, or why there are none at all. */
export type EmbedAnswer = { readonly vectors: readonly GivenVector[] } | { readonly fault: string };

/** What the thread asks the main thread, where the models and the stores are. Each call is about the model with `identity`. */
export interface Calls {
  /** Vectors for texts, from the model where nobody else makes them. */
  embed: {
    readonly asked: { readonly identity: string; readonly texts: readonly string[] };
    readonly answer: EmbedAnswer;
  };
  /** Vectors that are kept for the hashes of texts. */
  find: { readonly asked: HashesOf; readonly answer: readonly PassageVector[] };
  /** Tells which vectors are in use. The answer names those that are not kept. Undefined: nobody knows at the moment. */
  use: { readonly asked: HashesOf; readonly answer: readonly string[] | undefined };
  /** Vectors to keep. The answer says whether they are kept. */
  keep: {
    readonly asked: { readonly identity: string; readonly vectors: readonly PassageVector[] };
    readonly answer: boolean;
  };
}

interface HashesOf {
  readonly identity: string;
  readonly hashes: readonly string[];
}

export type Call = {
  [What in keyof Calls]: { readonly what: What; readonly asked: Calls[What]['asked'] };
}[keyof Calls];

export type CallAnswer = Calls[keyof Calls]['answer'];

/** Makes a call. Never rejects. */
export type MakeCall = <What extends keyof Calls>(
  what: What,
  asked: Calls[What]['asked'],
) => Promise<Calls[What]['answer']>;

export type ToWorker =
  | OpenSource
  | { readonly kind: 'ask'; readonly id: number; readonly source: number; readonly question: Question }
  | { readonly kind: 'called'; readonly source: number; readonly id: number; readonly answer: CallAnswer }
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
  | { readonly kind: 'call'; readonly source: number; readonly id: number; readonly call: Call }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'closed'; readonly source: number };
