import { StepRefused } from '../ports/step-refused.ts';
import { untilRetry } from '../base/until-retry.ts';

/**
 * Repeats `work` until the store answers. It is for changes without which the turn cannot go on. The attempts end with the process.
 * @throws StepRefused when what is stored forbids the change.
 */
export async function untilHeld<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StepRefused) throw error;
      await untilRetry(attempts);
    }
  }
}
