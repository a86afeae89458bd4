import { HelperError } from '../../errors/helper-error.ts';
import type { StopReason } from './turn.ts';

/** The reason of a turn's aborted signal. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the turn was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** The fault of a Stop after this process has suspended the turn: the next process takes the turn up (wire-10-15). */
export function waitsForNextProcess(): HelperError {
  return new HelperError('server_draining', 'The server restarts: stop the turn once it is back.');
}
