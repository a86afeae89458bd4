import { HelperError } from '../../errors/helper-error.ts';
import type { LiveTurn } from './live-turn.ts';
import { stopQuietly } from './turn.ts';

/** Why a turn is refused before it begins, as the code of a request. */
const refusals = ['overloaded', 'server_draining', 'turn_in_progress'] as const;

/**
 * Resolves once the store has the turn, so that it goes on after a crash. MUST be called with a turn that is kept from its beginning.
 * @throws HelperError with the code of a turn that was refused before it began; `storage_unavailable` when the store does not take the turn,
 * which is stopped then.
 */
export async function untilKept(turn: LiveTurn): Promise<void> {
  if (!turn.tape.isKept) {
    const { code } = await turn.result;
    const known = refusals.find((refusal) => refusal === code);
    throw new HelperError(known ?? 'internal', 'No turn could begin. Try again.', { retryAfterMs: 1000 });
  }
  try {
    await turn.tape.attempt();
  } catch (cause) {
    stopQuietly(turn, 'connection-closed');
    throw new HelperError('storage_unavailable', 'The turn cannot be stored. Ask again.', {
      cause,
      retryAfterMs: 1000,
    });
  }
}
