import type { SharedTurns, TurnHold } from '../ports/turn-store.ts';

/** A turn as its process holds it. */
export interface HeldTurn {
  /** Undefined where nothing of the turn is stored, or where the turn ends. */
  readonly held: Pick<TurnHold, 'turnId' | 'epoch'> | undefined;
  /** Called when another replica has taken the turn up. */
  taken(): void;
}

/**
 * Lets go of those turns that another replica has taken up (contract/replicas.md#turns).
 * @throws Error when the store fails.
 */
export async function letGoOfTaken(turns: readonly HeldTurn[], shared: Pick<SharedTurns, 'lost'>): Promise<void> {
  // A turn that comes back while the store is asked is held under another epoch, by another tape.
  const asked = turns.flatMap((turn) => (turn.held === undefined ? [] : [{ turn, hold: turn.held }]));
  if (asked.length === 0) return;
  const lost = new Set(await shared.lost(asked.map(({ hold }) => hold)));
  for (const { turn, hold } of asked) if (lost.has(hold.turnId)) turn.taken();
}
