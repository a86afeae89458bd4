import type { EmbedRequest } from '../../../core/ports/embedder.ts';

/** What a provider gave. */
export interface RawEmbeddings {
  /** One for each text, in their order; what they are nobody has looked at. */
  readonly vectors: readonly unknown[];
  readonly inputTokens: number;
}

/** One way to a provider of vectors, without limits and checks. Rejects with `ModelError`. */
export interface RawEmbedder {
  readonly model: string;
  readonly provider: string;
  embed(request: EmbedRequest): Promise<RawEmbeddings>;
  close(): Promise<void>;
}
