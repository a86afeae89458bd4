/**
 * The usual least cosine that is of use, when no better value is known. Models differ. With most models, a text that has nothing to do with
 * a question has a lower cosine.
 */
export const usualMinCosine = 0.35;

/** The vector of a text, with length 1, or the reason why there is none. The reason completes the sentence "the vector …". */
export type Embedded = { readonly vector: Float32Array } | { readonly fault: string };

/** Texts whose vectors are wanted. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  /** Some models make a different vector for a question than for a document. */
  readonly purpose: 'document' | 'question';
  readonly signal: AbortSignal;
  /** The tenant of the user for whom the model is asked. Calls are counted for this tenant. The provider does not learn the tenant. */
  readonly tenant?: string | undefined;
}

/**
 * Turns texts into vectors. Texts with the same meaning have vectors that are near each other. MUST reject with `ModelError` for every
 * fault of its own, and with the signal's reason once the signal aborts. When only the vector of one text is wrong, that text alone has a
 * `fault`.
 */
export interface Embedder {
  /** The configured model id, for logs, metrics and people. */
  readonly model: string;
  /** The provider for metrics (`openai`, `azure`, a package name, `plugin`). */
  readonly provider: string;
  /** Vectors of two models can be compared only if the models have the same identity. The identity holds no secret. */
  readonly identity: string;
  /** Resolves with one result for each text, in the order of the texts. All vectors have the same number of dimensions. */
  embed(request: EmbedRequest): Promise<readonly Embedded[]>;
  /** Closes the sockets and does not wait for them. */
  close(): Promise<void>;
}

/** Follows one call of a model, including its retries. MUST make the call exactly once, and settle as the call does. */
export type FollowEmbedding = <Result extends { readonly inputTokens: number }>(
  embedder: Pick<Embedder, 'model' | 'provider'>,
  request: Pick<EmbedRequest, 'signal'>,
  call: () => Promise<Result>,
) => Promise<Result>;
