import type { PromptCache } from './anthropic-cache.ts';

/** The models of Claude that take no cache point, by a part of their names at Amazon. */
const without: readonly string[] = ['instant', 'v2', '3-opus', '3-sonnet', '3-haiku', '3-5-sonnet'];

/** The package puts a cache point behind the instructions, behind the tools and behind the last message. */
const cache: PromptCache = {
  instructions: (text) => text,
  tools: (tools) => tools,
  call: { cache_control: { type: 'ephemeral' } },
};

/**
 * Amazon refuses a request with a cache point for a model that takes none. So only the models of Claude that take one are told to keep what
 * comes again. The name of an inference profile does not tell its model.
 */
export function bedrockCache(model: string | undefined): PromptCache | undefined {
  const name = model?.toLowerCase() ?? '';
  const isOfClaude = name.includes('anthropic.claude-');
  return isOfClaude && !without.some((part) => name.includes(`claude-${part}`)) ? cache : undefined;
}
