import type { EmbedRequest } from '../../../core/ports/embedder.ts';

/** The answer of a provider. */
export interface RawEmbeddings {
  /** One vector for each text, in the order of the texts. They have not been checked. */
  readonly vectors: readonly unknown[];
  readonly inputTokens: number;
}

/** A connection to a provider of vectors, without limits and checks. Rejects with `ModelError`. */
export interface RawEmbedder {
  readonly model: string;
  readonly provider: string;
  embed(request: EmbedRequest): Promise<RawEmbeddings>;
  close(): Promise<void>;
}
