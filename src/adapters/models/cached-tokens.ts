/** The number of input tokens that were read from the provider's cache, as a part of a reply's usage. Only some providers report it. */
export function cachedTokens(count: number | undefined): { readonly cachedInputTokens?: number } {
  return count === undefined ? {} : { cachedInputTokens: count };
}
