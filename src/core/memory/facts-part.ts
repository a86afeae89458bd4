import { delimited } from '../prompt/delimited.ts';
import type { PromptPart } from '../prompt/user-message.ts';
import type { RecalledFact } from './recall-facts.ts';

/** The name of the data in which the model is sent facts. */
export const factsName = 'what is remembered about the user';

/** The facts as the model is sent them with one message, as delimited data (contract/memory.md#prompt). Empty without a fact. */
export function factsPart(facts: readonly RecalledFact[]): PromptPart {
  // They are written from the user's own messages alone.
  return { text: facts.length === 0 ? '' : delimited(factsName, facts), origin: 'user' };
}
