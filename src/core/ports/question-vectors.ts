/** The vectors of questions by one model. A model that is slow or fails costs a question its meaning, and nothing else. */
export interface QuestionVectorSource {
  /** Of length 1; undefined when there is none within `withinMs`. Rejects with the signal's reason when that aborts. */
  of(question: string, withinMs: number, signal: AbortSignal): Promise<Float32Array | undefined>;
}
