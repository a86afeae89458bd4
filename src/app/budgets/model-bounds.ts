import type { ModelChain } from '../../adapters/models/open-chat-model.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { ModelBounds } from '../../core/budgets/call-amounts.ts';

export type Pricing = NonNullable<HelperSettings['modelPricing']>;

/** The bounds and prices of the calls of these models. */
export function boundsOf(tried: ModelChain['tried'], pricing: Pricing): readonly ModelBounds[] {
  return tried.map(({ model: { model }, settings: { contextWindow, maxOutputTokens } }) => ({
    model,
    contextWindow,
    maxOutputTokens,
    price: Object.hasOwn(pricing, model) ? pricing[model] : undefined,
  }));
}

/** The cheapest of these models by the sum of its prices of input and output. Of several with the same sum, the first. */
export function cheapestOf(tried: ModelChain['tried'], pricing: Pricing): ModelChain['tried'][number] | undefined {
  const priceOf = ({ model: { model } }: ModelChain['tried'][number]): number => {
    const price = Object.hasOwn(pricing, model) ? pricing[model] : undefined;
    return price === undefined ? Infinity : price.inputPer1M + price.outputPer1M;
  };
  return tried.toSorted((one, other) => priceOf(one) - priceOf(other))[0];
}
