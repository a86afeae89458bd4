import { HelperError } from '../../core/errors/helper-error.ts';
import { TurnError } from '../../core/errors/turn-error.ts';
import { AnswerFailed } from '../../core/ports/answer-failed.ts';

/** The code that stands for a fault on the other side. Nothing else of the fault leaves this replica. */
export function codeOf(error: unknown): string {
  const isKnown = error instanceof HelperError || error instanceof TurnError || error instanceof AnswerFailed;
  return isKnown ? error.code : 'internal';
}
