import type { TurnScope } from '../calls/call-scope.ts';
import { budgetExceeded, type Spending } from '../budgets/spending.ts';
import { tenantOf } from '../identity/principal.ts';
import type { ModelReply } from '../ports/chat-model.ts';
import type { ModelCall, Spender } from '../ports/spender.ts';

/** Whoever a turn counts for. */
export function spenderOf({ request, conversationId }: Pick<TurnScope, 'request' | 'conversationId'>): Spender {
  const { principal } = request.caller;
  return { userKey: principal.userKey, roles: principal.roles, tenant: tenantOf(principal), conversationId };
}

/**
 * Holds what a call of a turn may take, as a step of its own, and returns what makes the call. What was held for a call that a crash has
 * cut off stays counted, and the call is held anew: nobody knows what the provider charges for it.
 * @throws TurnError `budget_exceeded` where a budget is used up; `overloaded` when the store cannot be asked.
 */
export async function reserveCall(
  key: string,
  { model, request }: Omit<ModelCall, 'sink'>,
  { turn, spending }: { readonly turn: TurnScope; readonly spending: Spending },
): Promise<(sink: ModelCall['sink']) => Promise<ModelReply>> {
  const { record } = turn;
  let attempt = 0;
  while (record.has(`${key}/${String(attempt)}`)) attempt += 1;
  const admission = await record.step(`${key}/${String(attempt)}`, () =>
    spending.reserve(spenderOf(turn), { model, request }),
  );
  if ('usedUp' in admission) {
    const hasBegun = request.messages.at(-1)?.role === 'tool';
    throw budgetExceeded(admission.usedUp, hasBegun ? 'failed' : 'refused');
  }
  if ('isFree' in admission) return (sink) => model.run(request, sink);
  const settling = (work: Promise<void>): void => {
    turn.settling(work);
  };
  return (sink) => spending.run(admission.held, { model, request, sink }, settling);
}
