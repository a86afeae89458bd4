import { closeUnborn } from '../../calls/close-unborn.ts';
import { endRow } from '../../calls/end-row.ts';
import { untilHeld } from '../../record/until-held.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../../tools/tool-outcome.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * Ends the rows of a kept turn that nothing goes on with, before the end of the turn is told. A row ends as the record
 * says its call ended, else as the row itself says. Also tells the ends that were not told yet, and the ends of
 * questions that never got a row.
 */
export async function sweepRows(turn: LiveTurn, { calls }: TurnServices): Promise<void> {
  await turn.settled();
  const scope = { turn, services: calls };
  for (const row of await untilHeld(() => calls.journal.ofTurn(turn.id))) {
    const recorded = turn.record.get(row.path) as ToolOutcome | undefined; // recorded by `invokeTool`
    const interrupted = row.state === 'executing' ? undefined : outcomeOfServer('cancelled', outcomeText.cancelled);
    await endRow({ scope }, row, recorded ?? interrupted);
  }
  for (const question of turn.openConfirmations) await closeUnborn(question, scope);
}
