import { TurnError } from '../errors/turn-error.ts';
import type { Place } from '../limits/caller-room.ts';
import type { Turn } from '../turn/live/turn.ts';

/** The turn holds its place until it has ended. */
export function holding(place: Place | undefined, turn: Turn): Turn {
  if (place !== undefined) void turn.result.then(() => place.release());
  return turn;
}

/** The refusal of a message that may not wait. */
export function anotherTurnRuns(): TurnError {
  return new TurnError('refused', 'turn_in_progress', 'another turn runs in this session', { retryable: true });
}

/** The refusal of a message that would take the place of an exchange that must stay. */
export function exchangeStays(): TurnError {
  return new TurnError('refused', 'resend_refused', 'the exchange is not the last one, or has changed something');
}

/** The refusal of a message for which there is no room to wait. */
export function tooMuchWaits(): TurnError {
  return new TurnError('refused', 'overloaded', 'too many bytes of messages wait', { retryable: true });
}
