import type { Embedder, EmbedRequest } from '../ports/embedder.ts';
import type { Router } from './routing.ts';

/** Milliseconds for the vectors of all exemplars: the choice for a message does not wait that long. */
const longestFillMs = 60_000;

/** What a message is compared with. */
export interface SemanticOptions {
  readonly embedder: Pick<Embedder, 'embed'>;
  readonly exemplars: readonly string[];
  /** The least cosine that counts. */
  readonly threshold: number;
}

/** Compares each message with messages that are known to be hard (`routingStrategy: Semantic`). */
export function semanticRouter({ embedder, exemplars, threshold }: SemanticOptions): Router {
  let kept: Promise<readonly Float32Array[]> | undefined;
  /** The vectors of the exemplars, asked for once. What has failed is asked for again by the next message. */
  const vectorsOfExemplars = (): Promise<readonly Float32Array[]> => {
    kept ??= vectorsOf(embedder, { texts: exemplars, signal: AbortSignal.timeout(longestFillMs) }).catch(
      (error: unknown) => {
        kept = undefined;
        throw error;
      },
    );
    return kept;
  };
  return {
    needsStrong: async ({ text, tenant }, signal) => {
      if (text.trim() === '') return false;
      const [hard, [message]] = await joinedPair(
        vectorsOfExemplars(),
        vectorsOf(embedder, { texts: [text], signal, tenant }),
      );
      if (message === undefined) throw new Error('the message has no vector');
      return hard.some((vector) => cosine(message, vector) >= threshold);
    },
  };
}

/** The vectors that could be made. @throws where there is none at all. */
async function vectorsOf(
  embedder: SemanticOptions['embedder'],
  asked: Omit<EmbedRequest, 'purpose'>,
): Promise<readonly Float32Array[]> {
  const embedded = await embedder.embed({ ...asked, purpose: 'question' });
  const vectors = embedded.flatMap((given) => ('vector' in given ? [given.vector] : []));
  if (vectors.length === 0) throw new Error('the embedding model has given no vector');
  return vectors;
}

/** Waits for both, so that neither fails unheard. */
async function joinedPair<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** Both have the length 1. */
function cosine(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0;
  let product = 0;
  for (let index = 0; index < one.length; index += 1) product += (one[index] ?? 0) * (other[index] ?? 0);
  return product;
}
