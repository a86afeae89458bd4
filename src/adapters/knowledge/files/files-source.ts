import type { Embedder } from '../../../core/ports/embedder.ts';
import type { KnowledgeSource } from '../../../core/ports/knowledge-source.ts';

/** A file that is left out. */
export interface FileFault {
  /** Relative to the folder; `.` is the folder itself. */
  readonly file: string;
  /** Completes "it …", without anything of the file's content. */
  readonly reason: string;
}

/** How far a source is, for `/readyz`, metrics and `helper knowledge`. */
export interface FilesSourceState {
  /**
   * `indexing`: the folder has not been looked through since the start; what is in the index already is found. `failed`: the last look
   * did not come to its end, and the next one is tried after `refreshMs`.
   */
  readonly phase: 'indexing' | 'ready' | 'failed';
  readonly documents: number;
  readonly chunks: number;
  /** The codes of the languages of the documents, the most frequent one first. */
  readonly languages: readonly string[];
  /** At most 100, by file. */
  readonly faults: readonly FileFault[];
  /** All of them. */
  readonly faultCount: number;
  /** Left out: the source has no model for vectors. */
  readonly vectors?: VectorsState;
}

/** How far the vectors of a source are. */
export interface VectorsState {
  readonly model: string;
  readonly identity: string;
  /** Chunks that have one. */
  readonly chunks: number;
  /** The identity of an earlier model, whose vectors stay until all chunks have new ones. Left out: there are none. */
  readonly earlier?: string;
  /** The earlier model that questions are still asked by. Left out: it is `model`. */
  readonly answering?: string;
  /** Why the others have none, when the last attempt has failed. */
  readonly fault?: string;
}

/** For whom a search is explained. */
export interface ExplainedCaller {
  readonly roles: readonly string[];
  readonly tenant?: string;
}

/** What a question finds, and why (`helper knowledge --query`). For operators: it names documents that the caller may not see. */
export interface Explanation {
  /** What was looked for; `weight` is what finding it is worth. */
  readonly terms: readonly { readonly variants: readonly string[]; readonly chunks: number; readonly weight: number }[];
  readonly threshold: number;
  /** By which model the meaning counts, and what is the least similarity; left out, words alone have counted. */
  readonly meaning?: { readonly model: string; readonly minCosine: number };
  /** The best 20, in the order in which they are found. */
  readonly found: readonly ExplainedChunk[];
}

/** One part of a document that has words of the question, or means something like it. */
export interface ExplainedChunk {
  readonly file: string;
  readonly title: string;
  /** 0 to 10: the better one of what its words and its meaning are worth. */
  readonly score: number;
  /** 0 to 10: the weighted share of the question's terms that stand in it. */
  readonly words: number;
  /** How near its meaning is, -1 to 1; left out where that did not count. */
  readonly cosine?: number;
  /** `hidden`: the caller may not read it. `below-threshold`: neither words nor meaning are near enough. */
  readonly outcome: 'found' | 'below-threshold' | 'hidden';
}

/** A folder of documents in which answers are found. */
export interface FilesSource extends KnowledgeSource {
  readonly state: FilesSourceState;
  /** Begins to look through the folder, in the background, and again every `refreshMs`. */
  start(): void;
  /** Why a question finds what it finds. Rejects for every fault. */
  explain(query: string, caller: ExplainedCaller): Promise<Explanation>;
  /**
   * From now on its documents have their vectors by this model, and without one words alone count. What is there stays until all are
   * made. Once a reload has changed the models, it MUST be called even with the same one.
   */
  embedBy(embedder: Embedder | undefined): void;
  /** Ends what goes on; the index stays where it is. Searches that are under way are rejected. */
  close(): Promise<void>;
}
