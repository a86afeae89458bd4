import { StepRefused } from '../../core/ports/step-refused.ts';

/** What a turn store rejects with when what is stored forbids a change. */
export function turnConflict(turnId: string): StepRefused {
  return new StepRefused(turnRefusal(turnId));
}

/** What such a rejection says. */
export function turnRefusal(turnId: string): string {
  return `the record of turn ${turnId} takes no such lines: it is unknown, taken up by another process, or has other lines there`;
}
