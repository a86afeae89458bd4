/** The longest wait for a vector, and the tenant for whom it is made. */
export interface AskedVector {
  /** Milliseconds. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** The tenant of the user who asks. */
  readonly tenant: string | undefined;
}

/** Gives the vectors of questions, made by one model. When the model is slow or fails, the question has no vector. Nothing else is lost. */
export interface QuestionVectorSource {
  /**
   * The vector has length 1. Undefined when there is no vector within `withinMs`. Rejects with the signal's reason when the signal aborts.
   */
  of(question: string, asked: AskedVector): Promise<Float32Array | undefined>;
}
