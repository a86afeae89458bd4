/** The part of a reply's usage that only some providers tell: input tokens that were read from their cache. */
export function cachedTokens(count: number | undefined): { readonly cachedInputTokens?: number } {
  return count === undefined ? {} : { cachedInputTokens: count };
}
