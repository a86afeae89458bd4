import { toolMessage } from '../../coordinator/answer.ts';
import type { Principal } from '../../identity/principal.ts';
import type { ConfirmationJournal } from '../../ports/confirmation-journal.ts';
import { checkCall } from '../../tools/check-call.ts';
import { decidedOutcome, outcomeText, type ToolOutcome } from '../../tools/tool-outcome.ts';
import { mayRun } from '../../tools/tool-policy.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { OpenQuestion, RoundCall, WaitingTurn } from '../../turn/turn-suspension.ts';
import type { KeptMessage } from '../conversation.ts';

/**
 * Takes the questions out of a turn that were approved or declined by now, under whatever id: such a call has its stored
 * outcome, and never runs again, however often it is restored (wire.md 5). Nor does one that the journal has lost.
 */
export async function withoutDecided(waiting: WaitingTurn, journal: ConfirmationJournal): Promise<WaitingTurn> {
  const decided: Record<string, ToolOutcome> = {};
  for (const question of waiting.open) {
    const outcome = await outcomeSince(question, journal);
    if (outcome !== undefined) decided[question.callId] = outcome;
  }
  return withOutcomes(waiting, decided);
}

async function outcomeSince(
  { callId, actionId }: OpenQuestion,
  journal: ConfirmationJournal,
): Promise<ToolOutcome | undefined> {
  const row = await journal.decided(callId);
  if (row !== undefined) return decidedOutcome(row);
  // Where the row of the question is gone, that of its answer may be too.
  return (await journal.find(actionId)) === undefined ? unknown : undefined;
}

/**
 * Leaves in a turn what may be asked of `principal` once more: roles and schema count as they are today, and what ran
 * without a question when the snapshot was saved is not run again.
 */
export function askable(
  waiting: WaitingTurn,
  { principal, toolbox }: { readonly principal: Principal; readonly toolbox: Toolbox },
): WaitingTurn {
  const refused: Record<string, ToolOutcome> = {};
  for (const call of waiting.calls) {
    const outcome = outcomeUnasked(call, { waiting, principal, toolbox });
    if (outcome !== undefined) refused[call.callId] = outcome;
  }
  return withOutcomes(waiting, refused);
}

/** What a turn said and did when nothing of it is asked again: what was open has not run. */
export function saidAndDone({ said, calls, outcomes, askedAt }: WaitingTurn): readonly KeptMessage[] {
  const results = calls.map((call) => toolMessage(call, outcomes[call.callId] ?? notRun));
  return [...said, ...results].map((message) => ({ message, at: askedAt }));
}

const notRun: ToolOutcome = { status: 'cancelled', text: outcomeText.cancelled };
const unknown: ToolOutcome = { status: 'unknown', text: outcomeText.unknown };

function outcomeUnasked(
  call: RoundCall,
  {
    waiting,
    principal,
    toolbox,
  }: { readonly waiting: WaitingTurn; readonly principal: Principal; readonly toolbox: Toolbox },
): ToolOutcome | undefined {
  if (Object.hasOwn(waiting.outcomes, call.callId)) return undefined;
  if (!waiting.open.some(({ callId }) => callId === call.callId)) return unknown;
  const checked = checkCall(call, { toolbox });
  if ('status' in checked) return checked;
  return mayRun(checked.tool, principal.roles) ? undefined : { status: 'refused', text: outcomeText.refusedByRole };
}

function withOutcomes(waiting: WaitingTurn, added: Readonly<Record<string, ToolOutcome>>): WaitingTurn {
  return {
    ...waiting,
    outcomes: { ...waiting.outcomes, ...added },
    open: waiting.open.filter(({ callId }) => !Object.hasOwn(added, callId)),
  };
}
