import { StepRefused } from '../../ports/step-refused.ts';
import type { SuspendedTurnStore } from '../../ports/suspended-turn-store.ts';
import { linesText, lineText } from '../../record/record-line.ts';
import type { TurnServices } from '../live/turn-services.ts';
import { readVersionOne } from './version-one.ts';

/**
 * Turns that version 1.0 left waiting for their user become turns with a record. Then they go on like any other turn.
 */
export async function convertVersionOne(
  store: SuspendedTurnStore,
  { tape, calls, maxToolRounds }: Pick<TurnServices, 'tape' | 'calls' | 'maxToolRounds'>,
): Promise<void> {
  for (const { turnId, state } of await store.all()) {
    // An earlier start may have died before it had forgotten a turn that it had converted.
    const isConverted = (await tape.store.read(turnId)) !== undefined;
    const turn = isConverted ? undefined : readVersionOne(state, maxToolRounds);
    if (turn === undefined && !isConverted) {
      calls.log.error({ turnId }, 'a suspended turn of version 1.0 cannot be read: it is given up');
    } else if (turn !== undefined) {
      const { sealer, markOf } = tape;
      const header = sealer.seal(JSON.stringify(turn.header), turnId);
      const owner = markOf(turn.header.principal.userKey);
      const text = sealer.seal(linesText(turn.lines.map(lineText)), turnId);
      await tape.store
        .create({ turnId, header, owner, lines: { first: 0, count: turn.lines.length, text } }, calls.clock.now())
        .catch(unlessConverted);
    }
    await store.delete(turnId);
  }
}

/** A replica that starts at the same moment may have converted the turn first. */
function unlessConverted(error: unknown): void {
  if (!(error instanceof StepRefused)) throw error;
}
