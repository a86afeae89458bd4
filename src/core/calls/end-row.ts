import type { Arguments } from '../confirmations/edited-arguments.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import { StepRefused } from '../ports/step-refused.ts';
import { untilHeld } from '../record/until-held.ts';
import {
  outcomeOfAnswer,
  outcomeOfServer,
  outcomeText,
  type ToolOutcome,
  unknownOutcome,
} from '../tools/tool-outcome.ts';
import type { CallScope, TurnScope } from './call-scope.ts';

type RowScope = Pick<CallScope, 'turn' | 'services'>;

/**
 * Ends the row of a call that will not run any more, and tells how its question ended. Resolves to `outcome` where it
 * is given, else to the outcome that the row tells.
 */
export async function endRow(
  { scope }: { readonly scope: RowScope },
  row: JournalRow | undefined,
  outcome?: ToolOutcome,
): Promise<ToolOutcome> {
  if (row === undefined) return outcome ?? outcomeOfServer('cancelled', outcomeText.cancelled);
  const { turn, services } = scope;
  const cameTo = outcome ?? outcomeOfRow(row, services.texts.actionUnknown);
  try {
    await untilHeld(() => closeRow(row, cameTo, services));
  } catch (error) {
    if (!(error instanceof StepRefused)) throw error;
    await turn.tape.stillHeld();
    const now = await untilHeld(() => services.journal.find(row.actionId));
    // The call may have run meanwhile. In that case the outcome of that run is the outcome of the call.
    return endRow({ scope }, now, now?.answer === 'approved' ? undefined : outcome);
  }
  tellResolved(row, turn);
  return cameTo;
}

/**
 * Tells readers once how a question ended. The end of a question that was never put to the user is not told. A decision by rule has no
 * question and is always told.
 */
export function tellResolved(
  { actionId, answer, answeredBy, editedArguments }: JournalRow,
  { events }: TurnScope,
): void {
  if (answeredBy !== 'rule' && !events.wasTold(`asked/${actionId}`)) return;
  const [outcome, by] = [answer ?? 'cancelled', answeredBy ?? 'system'] as const;
  const edited = editedArguments === null ? {} : { arguments: JSON.parse(editedArguments) as Arguments }; // by this server
  events.once(`resolved/${actionId}`, { type: 'confirmation-resolved', actionId, outcome, by, ...edited });
}

function closeRow(
  { actionId, state }: JournalRow,
  { status }: ToolOutcome,
  { journal, clock }: RowScope['services'],
): Promise<void> {
  const at = clock.now();
  switch (state) {
    case 'requested':
      return journal.answered(actionId, { answer: 'cancelled', by: 'system' }, at);
    case 'answered':
    case 'executing':
      return journal.done(actionId, status, at, [state]);
    case 'done':
      return Promise.resolve();
  }
}

/** The outcome of a call, taken from its row. The result that the action returned is lost. */
function outcomeOfRow({ answer, state, outcome }: JournalRow, unknownText: string): ToolOutcome {
  if (answer !== 'approved') return outcomeOfAnswer(answer);
  if (state === 'executing' || outcome === 'unknown') return unknownOutcome(unknownText);
  if (outcome === 'succeeded' || outcome === 'failed') return outcomeOfServer(outcome, outcomeText.ranBefore);
  return outcomeOfServer(outcome ?? 'cancelled', outcomeText.cancelled);
}
