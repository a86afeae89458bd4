import type { Embedder } from '../../../core/ports/embedder.ts';
import type { KnowledgeSource } from '../../../core/ports/knowledge-source.ts';
import type { PassageVectorStore } from '../../../core/ports/passage-vector-store.ts';

/** A file that is left out. */
export interface FileFault {
  /** Relative to the folder; `.` is the folder itself. */
  readonly file: string;
  /** Completes a sentence that begins with "it". Holds nothing of the file's content. */
  readonly reason: string;
}

/** Files in a folder of documents that are not read, because their kinds are not. */
export interface PassedOver {
  readonly count: number;
  /** The first 100 by name. */
  readonly files: readonly FileFault[];
}

/** The state of a source's index, for `/readyz`, metrics and `helper knowledge`. */
export interface FilesSourceState {
  /**
   * `indexing`: the folder has not been looked through since the start; searches find what the index holds already. `failed`: the last look
   * through the folder did not reach its end; the next one follows after `refreshMs`.
   */
  readonly phase: 'indexing' | 'ready' | 'failed';
  readonly documents: number;
  readonly chunks: number;
  /** The codes of the languages of the documents, the most frequent one first. */
  readonly languages: readonly string[];
  /** At most 100 faults. */
  readonly faults: readonly FileFault[];
  /** The number of all faults, including those that `faults` does not show. */
  readonly faultCount: number;
  readonly passedOver: PassedOver;
  /** Left out: the source has no model for vectors. */
  readonly vectors?: VectorsState;
}

/** How many chunks of a source have a vector, and by which model. */
export interface VectorsState {
  readonly model: string;
  readonly identity: string;
  /** The number of chunks that have a vector by `model`. */
  readonly chunks: number;
  /** The identity of an earlier model. Its vectors stay until all chunks have new ones. Left out: there is no such model. */
  readonly earlier?: string;
  /** The earlier model by which questions still get their vectors. Left out: questions get their vectors by `model`. */
  readonly answering?: string;
  /** Why the other chunks have no vector. Left out: the last attempt did not fail. */
  readonly fault?: string;
}

/** The caller as whom a search is explained, and the keywords that a small model has written for the question. */
export interface ExplainedCaller {
  readonly roles: readonly string[];
  readonly tenant?: string;
  readonly keywords?: readonly string[];
}

/** A word that was looked for. */
export interface ExplainedTerm {
  readonly variants: readonly string[];
  /** The number of parts that it stands in. */
  readonly chunks: number;
  /** How much the term counts towards the score when it is found. */
  readonly weight: number;
}

/** What a question finds, and why (`helper knowledge --query`). For operators: it names documents that the caller may not see. */
export interface Explanation {
  /** The terms of the question. */
  readonly terms: readonly ExplainedTerm[];
  /** The terms of the keywords. */
  readonly keywords: readonly ExplainedTerm[];
  readonly threshold: number;
  /** The model by which the meaning counts, and the least similarity that counts. Left out: only words count. */
  readonly meaning?: { readonly model: string; readonly minCosine: number };
  /** The best 20 chunks, in the order in which they are found. */
  readonly found: readonly ExplainedChunk[];
}

/** One part of a document that has words of the question, or means something like it. */
export interface ExplainedChunk {
  readonly file: string;
  readonly title: string;
  /** From 0 to 10: the better one of the scores for words and for meaning. */
  readonly score: number;
  /** From 0 to 10: the weighted share of the question's terms that stand in the part. */
  readonly words: number;
  /** The cosine similarity of the meanings of part and question, from -1 to 1. Left out: the meaning does not count. */
  readonly cosine?: number;
  /** `hidden`: the caller may not read the part. `below-threshold`: neither its words nor its meaning are near enough. */
  readonly outcome: 'found' | 'below-threshold' | 'hidden';
}

/** A folder of documents in which answers are found. */
export interface FilesSource extends KnowledgeSource {
  readonly state: FilesSourceState;
  /**
   * Begins to look through the folder in the background, and repeats this every `refreshMs`. Vectors are taken from `kept` and kept there,
   * too. Left out: they are in the index alone.
   */
  start(kept?: PassageVectorStore): void;
  /** Explains why a question finds what it finds. Rejects for every fault. */
  explain(query: string, caller: ExplainedCaller): Promise<Explanation>;
  /**
   * From now on the documents get their vectors by this model. Undefined: only words count. Earlier vectors stay until all new ones are
   * made. After a reload has changed the models, this MUST be called even with the same model.
   */
  embedBy(embedder: Embedder | undefined): void;
  /** Ends all work of the source. The index stays where it is. Searches that are under way are rejected. */
  close(): Promise<void>;
}
