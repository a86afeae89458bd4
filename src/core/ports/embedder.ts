/** The least cosine that is of use, unless somebody knows better. Models differ; with most, what has nothing to do with a question is less near. */
export const usualMinCosine = 0.35;

/** The vector of a text, of length 1; or why there is none. The reason completes "the vector …". */
export type Embedded = { readonly vector: Float32Array } | { readonly fault: string };

/** Texts whose vectors are wanted. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  /** Some models have other vectors for what is looked for than for what is found. */
  readonly purpose: 'document' | 'question';
  readonly signal: AbortSignal;
}

/**
 * Turns texts into vectors: texts that mean the same are near each other. MUST reject with `ModelError` for every fault of its own, and
 * with the signal's reason once that aborts. A vector that cannot be right is a fault of its text alone.
 */
export interface Embedder {
  /** The configured model id, for logs, metrics and people. */
  readonly model: string;
  /** The provider for metrics (`openai`, `azure`, a package name, `plugin`). */
  readonly provider: string;
  /** Vectors of two models can be compared only where this is the same. It holds no secret. */
  readonly identity: string;
  /** One for each text, in their order. All vectors have the same number of dimensions. */
  embed(request: EmbedRequest): Promise<readonly Embedded[]>;
  /** Closes sockets and waits for none. */
  close(): Promise<void>;
}
