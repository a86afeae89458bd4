import type { FoundFault, ToldQuestion } from '../told.ts';
import type { Facts } from './facts.ts';

/**
 * Nothing may run without its approval, and nothing may run twice (contract/confirmations.md#the-journal). Compares the ledger with what
 * was sent.
 */
export function runFaults(facts: Facts): readonly FoundFault[] {
  const ids = new Set(facts.told.ledger.map(({ id }) => id));
  return [...ids].flatMap((id): readonly FoundFault[] => {
    const runs = facts.runsOf(id);
    const [first] = runs;
    if (first === undefined) return [];
    const question = facts.told.questions.find(({ call }) => call.id === id);
    const name = `${first.action} ${id}`;
    return [
      ...(runs.length > 1 ? [{ kind: 'doubled' as const, says: `${name} ran ${runs.length} times` }] : []),
      ...(first.action === 'unasked_change' || isApproved(question, first.at, facts)
        ? []
        : [{ kind: 'unapproved' as const, says: `${name} ran without an approval` }]),
    ];
  });
}

/**
 * Whether an approval was sent before and may have counted: it was taken, its answer was lost, or the server could not say anything
 * certain.
 */
function isApproved(question: ToldQuestion | undefined, at: number, facts: Facts): boolean {
  if (question === undefined) return false;
  return facts
    .answersTo(question.actionId)
    .some(
      ({ what, status, sentAt }) =>
        what === 'approve' && sentAt < at && (status === 200 || status === undefined || status >= 500),
    );
}
