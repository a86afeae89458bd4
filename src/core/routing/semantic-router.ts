import { cosineOf, smallVector, type SmallVector } from '../base/small-vector.ts';
import type { Embedder, EmbedRequest } from '../ports/embedder.ts';
import type { Router } from './routing.ts';

/** Most milliseconds that the vectors of all exemplars may take. A message waits less long for the choice of its model. */
const longestFillMs = 60_000;

/** The exemplars that messages are compared with, and the model that compares them. */
export interface SemanticOptions {
  readonly embedder: Pick<Embedder, 'embed'>;
  readonly exemplars: readonly string[];
  /** The least cosine at which a message counts as hard. */
  readonly threshold: number;
}

/** Compares each message with messages that are known to be hard (`routingStrategy: Semantic`). */
export function semanticRouter({ embedder, exemplars, threshold }: SemanticOptions): Router {
  let kept: Promise<readonly SmallVector[]> | undefined;
  /** The vectors of the exemplars. They are requested once. After a failure the next message requests them again. */
  const vectorsOfExemplars = (): Promise<readonly SmallVector[]> => {
    kept ??= vectorsOf(embedder, { texts: exemplars, signal: AbortSignal.timeout(longestFillMs) }).then(
      (vectors) => vectors.map(smallVector),
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
      const [hard, [message]] = await Promise.all([
        vectorsOfExemplars(),
        vectorsOf(embedder, { texts: [text], signal, tenant }),
      ]);
      if (message === undefined) throw new Error('the message has no vector');
      // A model may give vectors of another length later. Such vectors cannot be compared.
      return hard.some((one) => one.numbers.length === message.length && cosineOf(message, one) >= threshold);
    },
  };
}

/** The vectors of the texts. A text for which the model has none is left out. @throws when no text has a vector. */
async function vectorsOf(
  embedder: SemanticOptions['embedder'],
  asked: Omit<EmbedRequest, 'purpose'>,
): Promise<readonly Float32Array[]> {
  const embedded = await embedder.embed({ ...asked, purpose: 'question' });
  const vectors = embedded.flatMap((given) => ('vector' in given ? [given.vector] : []));
  if (vectors.length === 0) throw new Error('the embedding model has given no vector');
  return vectors;
}
