import { StepRefused } from '../../core/ports/step-refused.ts';

/** The rejection of a turn store when its stored state forbids a change. */
export function turnConflict(turnId: string): StepRefused {
  return new StepRefused(turnRefusal(turnId));
}

/** The message of this rejection. */
export function turnRefusal(turnId: string): string {
  return `the record of turn ${turnId} takes no such lines: it is unknown, taken up by another process, or has other lines there`;
}
