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
  /** At most 100, by file. */
  readonly faults: readonly FileFault[];
  /** All of them. */
  readonly faultCount: number;
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
  /** The best 20, in the order in which they are found. */
  readonly found: readonly ExplainedChunk[];
}

/** One part of a document that has words of the question. */
export interface ExplainedChunk {
  readonly file: string;
  readonly title: string;
  /** 0 to 10: the weighted share of the question's terms that stand in it. */
  readonly score: number;
  /** `hidden`: the caller may not read it. `below-threshold`: too little of the question stands in it. */
  readonly outcome: 'found' | 'below-threshold' | 'hidden';
}

/** A folder of documents in which answers are found. */
export interface FilesSource extends KnowledgeSource {
  readonly state: FilesSourceState;
  /** Begins to look through the folder, in the background, and again every `refreshMs`. */
  start(): void;
  /** Why a question finds what it finds. Rejects for every fault. */
  explain(query: string, caller: ExplainedCaller): Promise<Explanation>;
  /** Ends what goes on; the index stays where it is. Searches that are under way are rejected. */
  close(): Promise<void>;
}
