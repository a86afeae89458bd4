import type { TurnScope } from '../calls/call-scope.ts';
import { budgetExceeded, type Spending } from '../budgets/spending.ts';
import type { ModelReply } from '../ports/chat-model.ts';
import type { ModelCall } from '../ports/spender.ts';

/**
 * Holds the budget that a call of a turn may need, as a step of its own. Returns a function that makes the call. If a crash has cut off the
 * call, the budget that was held stays counted, because nobody knows what the provider charges. The call then holds its budget anew.
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
    spending.reserve(turn.spender, { model, request }),
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
