import type { JournalRow } from '../ports/confirmation-journal.ts';
import { untilHeld } from '../record/until-held.ts';
import type { EnteredCall } from './tool-call.ts';

/** What the journal says of a call. */
export interface KnownRows {
  /** The row of this turn: the decided row where there is one, else the last row. */
  readonly own: JournalRow | undefined;
  /** The row of another turn, where the call was approved or declined: a snapshot has carried the call from one to the other. */
  readonly other: JournalRow | undefined;
  /** Somebody was asked about the call, in this turn or in another one. */
  readonly wasAsked: boolean;
}

const nothing: KnownRows = { own: undefined, other: undefined, wasAsked: false };

/**
 * The rows of a call that an earlier run of the turn may have entered. Waits until the journal answers, because only the journal knows
 * which calls have run.
 */
export async function knownRows({ call, isKnown, scope }: EnteredCall): Promise<KnownRows> {
  if (!isKnown) return nothing;
  const { turn, services } = scope;
  const rows = await untilHeld(() => services.journal.ofCall(call.callId));
  const ofTurn = rows.filter(({ turnId }) => turnId === turn.id);
  return {
    own: ofTurn.find(isDecided) ?? ofTurn.at(-1),
    other: rows.find((row) => row.turnId !== turn.id && isDecided(row)),
    wasAsked: rows.length > 0,
  };
}

function isDecided({ answer }: JournalRow): boolean {
  return answer === 'approved' || answer === 'declined';
}
