import { type Principal, tenantOf } from '../identity/principal.ts';
import type { Spender } from '../ports/spender.ts';

/** Whom a call of a model is charged to (contract/limits.md#budgets). */
export function spenderOf<Conversation extends string | undefined>(
  principal: Principal,
  conversationId: Conversation,
): Omit<Spender, 'conversationId'> & { readonly conversationId: Conversation } {
  const { userKey, roles } = principal;
  return { userKey, roles, tenant: tenantOf(principal), conversationId };
}
