import type { TokenEstimates } from '../history/token-estimates.ts';
import type { ChatMessage, ModelReply, ModelRequest } from '../ports/chat-model.ts';
import type { BudgetUnit } from './budget.ts';

/** What bounds a call of a model, and what it costs. */
export interface ModelBounds {
  /** The name of the model in the configuration. */
  readonly model: string;
  readonly contextWindow: number;
  /** Undefined: the amount that the window keeps free for an answer counts (contract/models.md#the-context-window). */
  readonly maxOutputTokens: number | undefined;
  /** The price of a million tokens, in the currency. Undefined when `modelPricing` does not name the model. */
  readonly price: { readonly inputPer1M: number; readonly outputPer1M: number } | undefined;
}

/** A whole number for each unit that budgets count. */
export type Amounts = Readonly<Record<BudgetUnit, number>>;

export const nothing: Amounts = { tokens: 0, cost: 0 };

/** The parts of a request that count. */
type Counted = Pick<ModelRequest, 'instructions' | 'messages' | 'tools'>;

export type Usage = Pick<ModelReply['usage'], 'inputTokens' | 'outputTokens'>;

/** Estimates are multiplied by this factor, because an estimate may be too low. */
const margin = 1.05;

/** Parts of the currency that one token costs when a million tokens cost 1. */
const partsOfToken = 1_000;

/** A token of a reply is assumed to have at least this many characters. */
const charactersOfToken = 3;

/**
 * What a call may take at most, whichever of these models answers it. Nobody knows before the call how much the provider's own tools will
 * have the model read, so such a call may fill the window.
 */
export function mostOf(
  models: readonly ModelBounds[],
  request: Counted & Pick<ModelRequest, 'hosted'>,
  estimates: TokenEstimates,
): Amounts {
  const mostOfModel = (bounds: ModelBounds): Usage => {
    const ofMessage = (message: ChatMessage): number => estimates.mostOfText(message);
    const ofImages = request.messages.reduce((sum, message) => sum + estimates.mostOfImages(message), 0);
    const { inputTokens, outputTokens } = mostTokens(bounds, request, { estimates, ofMessage, ofImages });
    return {
      inputTokens: request.hosted === undefined ? inputTokens : bounds.contextWindow - outputTokens,
      outputTokens,
    };
  };
  return largest(models.map((bounds) => amountsOf(bounds, mostOfModel(bounds))));
}

/**
 * A guess at what a call has taken, for calls whose usage nobody reports. The guess counts the input and the part of the reply that was
 * read. `length` is the length of that part in characters.
 */
export function guessedUsage(
  bounds: ModelBounds,
  {
    request,
    length,
    estimates,
  }: { readonly request: ModelRequest; readonly length: number; readonly estimates: TokenEstimates },
): Usage {
  const ofMessage = (message: ChatMessage): number => estimates.ofMessage(message);
  const { inputTokens } = mostTokens(bounds, request, { estimates, ofMessage });
  return { inputTokens, outputTokens: Math.ceil(length / charactersOfToken) };
}

/** What a call has taken by the usage that the model reports. */
export function amountsOf({ price }: Pick<ModelBounds, 'price'>, { inputTokens, outputTokens }: Usage): Amounts {
  const { inputPer1M = 0, outputPer1M = 0 } = price ?? {};
  const cost = Math.ceil((inputTokens * inputPer1M + outputTokens * outputPer1M) * partsOfToken);
  return { tokens: inputTokens + outputTokens, cost };
}

/** The largest amount of each unit. */
export function largest(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce(
    (most, { tokens, cost }) => ({ tokens: Math.max(most.tokens, tokens), cost: Math.max(most.cost, cost) }),
    nothing,
  );
}

/** The sum of each unit. */
export function sumOf(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce((sum, { tokens, cost }) => ({ tokens: sum.tokens + tokens, cost: sum.cost + cost }), nothing);
}

function mostTokens(
  { model, contextWindow, maxOutputTokens }: ModelBounds,
  request: Counted,
  {
    estimates,
    ofMessage,
    ofImages = 0,
  }: {
    readonly estimates: TokenEstimates;
    readonly ofMessage: (message: ChatMessage) => number;
    /** Tokens of pictures that `ofMessage` leaves out. */
    readonly ofImages?: number;
  },
): Usage {
  const outputTokens = maxOutputTokens ?? Math.min(4_096, Math.floor(contextWindow / 8));
  let counted = estimates.besideMessages(request);
  for (const message of request.messages) counted += ofMessage(message);
  const inputTokens = Math.ceil(counted * estimates.factor(model) * margin) + ofImages;
  // A request is shortened until it fits the window, so its input takes at most what the window has beside the answer.
  return { inputTokens: Math.min(inputTokens, contextWindow - outputTokens), outputTokens };
}
