/** How long a vector is waited for, and for whom. */
export interface AskedVector {
  /** Milliseconds. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** The tenant of the user who asks. */
  readonly tenant: string | undefined;
}

/** The vectors of questions by one model. A model that is slow or fails costs a question its meaning, and nothing else. */
export interface QuestionVectorSource {
  /** Of length 1; undefined when there is none within `withinMs`. Rejects with the signal's reason when that aborts. */
  of(question: string, asked: AskedVector): Promise<Float32Array | undefined>;
}
