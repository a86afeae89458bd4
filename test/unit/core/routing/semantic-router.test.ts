import { describe, expect, it } from 'vitest';
import { semanticRouter } from '../../../../src/core/routing/semantic-router.ts';

/** Vectors of the length 1, by text. */
const vectors: Readonly<Record<string, readonly number[]>> = {
  exemplar: [0.8, 0.6],
  message: [1, 0],
  opposite: [-0.8, -0.6],
  longer: [0.8, 0.6, 0],
};
const embedder = {
  embed: ({ texts }: { readonly texts: readonly string[] }) =>
    Promise.resolve(texts.map((text) => ({ vector: new Float32Array(vectors[text] ?? []) }))),
};

function needsStrong(text: string, threshold: number): Promise<boolean> {
  const router = semanticRouter({ embedder, exemplars: ['exemplar'], threshold });
  const spender = { userKey: 'id:ann', roles: new Set<string>(), tenant: undefined, conversationId: 'c' };
  return router.needsStrong({ text, before: [], tenant: undefined, spender }, new AbortController().signal);
}

describe('routing by meaning (contract/models.md#routing)', () => {
  it.each([
    ['a message that is nearer than the threshold is hard', 'message', 0.79, true],
    ['a message that is less near is not', 'message', 0.81, false],
    ['the exemplar itself is hard', 'exemplar', 0.99, true],
    ['the opposite is not', 'opposite', 0.1, false],
    ['a vector of another length is near to nothing', 'longer', 0, false],
  ])('%s', async (_title, text, threshold, isHard) => {
    expect(await needsStrong(text, threshold)).toBe(isHard);
  });
});
