import type { TokenEstimates } from '../history/token-estimates.ts';
import type { ModelReply, ModelRequest } from '../ports/chat-model.ts';
import type { BudgetUnit } from './budget.ts';

/** What bounds a call of a model, and what it costs. */
export interface ModelBounds {
  /** The name of the model as it is configured. */
  readonly model: string;
  readonly contextWindow: number;
  /** Undefined: the default is what the window keeps free for an answer (contract/models.md#the-context-window). */
  readonly maxOutputTokens: number | undefined;
  /** Prices of a million tokens, in the currency. Undefined without `modelPricing` for the model. */
  readonly price: { readonly inputPer1M: number; readonly outputPer1M: number } | undefined;
}

/** Whole numbers, one for each unit that budgets count. */
export type Amounts = Readonly<Record<BudgetUnit, number>>;

export const nothing: Amounts = { tokens: 0, cost: 0 };

type Usage = Pick<ModelReply['usage'], 'inputTokens' | 'outputTokens'>;

/** The factor by which estimates are raised, because an estimate may be too low. */
const margin = 1.05;

/** Parts of the currency that a token costs at a price of 1 for a million. */
const partsOfToken = 1_000;

/** The fewest characters of a reply that count as one token. */
const charactersOfToken = 3;

/** What a call may take at most, whichever of these models answers it. */
export function mostOf(
  models: readonly ModelBounds[],
  request: Pick<ModelRequest, 'instructions' | 'messages' | 'tools'>,
  estimates: TokenEstimates,
): Amounts {
  return largest(models.map((bounds) => amountsOf(bounds, mostTokens(bounds, request, estimates))));
}

/**
 * A guess of what a call has taken, for a call whose usage nobody reports: its input, and the part of the reply that was read. `length`
 * counts the characters of that part.
 */
export function guessed(
  models: readonly ModelBounds[],
  {
    request,
    length,
    estimates,
  }: { readonly request: ModelRequest; readonly length: number; readonly estimates: TokenEstimates },
): Amounts {
  const outputTokens = Math.ceil(length / charactersOfToken);
  return largest(
    models.map((bounds) => amountsOf(bounds, { ...mostTokens(bounds, request, estimates), outputTokens })),
  );
}

/** What a model has taken, by its own report. */
export function amountsOf({ price }: Pick<ModelBounds, 'price'>, { inputTokens, outputTokens }: Usage): Amounts {
  const { inputPer1M = 0, outputPer1M = 0 } = price ?? {};
  const cost = Math.ceil((inputTokens * inputPer1M + outputTokens * outputPer1M) * partsOfToken);
  return { tokens: inputTokens + outputTokens, cost };
}

/** The largest tokens and the largest cost, each on its own. */
export function largest(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce(
    (most, { tokens, cost }) => ({ tokens: Math.max(most.tokens, tokens), cost: Math.max(most.cost, cost) }),
    nothing,
  );
}

function mostTokens(
  { model, contextWindow, maxOutputTokens }: ModelBounds,
  request: Pick<ModelRequest, 'instructions' | 'messages' | 'tools'>,
  estimates: TokenEstimates,
): Usage {
  const outputTokens = maxOutputTokens ?? Math.min(4_096, Math.floor(contextWindow / 8));
  const counted = request.messages.reduce(
    (sum, message) => sum + estimates.ofMessage(message),
    estimates.besideMessages(request),
  );
  const inputTokens = Math.ceil(counted * estimates.factor(model) * margin);
  // The input never takes more than its part of the window, because a larger request is not sent.
  return { inputTokens: Math.min(inputTokens, contextWindow - outputTokens), outputTokens };
}
