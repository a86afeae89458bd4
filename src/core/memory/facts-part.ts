import { type Principal, sharedAnonymous } from '../identity/principal.ts';
import { delimited } from '../prompt/delimited.ts';
import type { PromptPart } from '../prompt/user-message.ts';
import type { RecalledFact } from './recall-facts.ts';

/** The name of the data in which the model is sent facts. */
export const factsName = 'what is remembered about the user';

/**
 * The facts as the model is sent them with one message, as delimited data (contract/memory.md#prompt). Empty without a fact. Facts come
 * only from messages of their user. Where all anonymous callers are one user, any of them may have written a fact.
 */
export function factsPart(facts: readonly RecalledFact[], { userKey }: Pick<Principal, 'userKey'>): PromptPart {
  const origin = userKey === sharedAnonymous.userKey ? 'remote' : 'user';
  return { text: facts.length === 0 ? '' : delimited(factsName, facts), origin };
}
