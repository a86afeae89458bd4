import type { ModelChain } from '../../adapters/models/open-chat-model.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { ModelBounds } from '../../core/budgets/call-amounts.ts';

export type Pricing = NonNullable<HelperSettings['modelPricing']>;

/** What bounds the calls of these models, and what they cost. */
export function boundsOf(tried: ModelChain['tried'], pricing: Pricing): readonly ModelBounds[] {
  return tried.map(({ model: { model }, settings: { contextWindow, maxOutputTokens } }) => ({
    model,
    contextWindow,
    maxOutputTokens,
    price: Object.hasOwn(pricing, model) ? pricing[model] : undefined,
  }));
}

/** The cheapest of these models, by the prices of input and output together; the first of those that cost the same. */
export function cheapestOf(tried: ModelChain['tried'], pricing: Pricing): ModelChain['tried'][number] | undefined {
  const priceOf = ({ model: { model } }: ModelChain['tried'][number]): number => {
    const price = Object.hasOwn(pricing, model) ? pricing[model] : undefined;
    return price === undefined ? Infinity : price.inputPer1M + price.outputPer1M;
  };
  return tried.toSorted((one, other) => priceOf(one) - priceOf(other))[0];
}
