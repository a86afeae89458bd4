import fc from 'fast-check';
import { describe, it, onTestFinished, vi } from 'vitest';
import { type Plan, planArbitrary, playPlan } from './played-plan.ts';
import { faultsOf } from './schedule-faults.ts';

/**
 * Random schedules: what users do, copies of a conversation by snapshot among it, what the model, the tools and the journal take their time for, in any order. Each
 * plan is played on the real core; what must hold for all of them is in `schedule-faults.ts`.
 */
describe('whatever happens in whatever order (contract/events.md#order, contract/confirmations.md#stop)', () => {
  it('no write runs without exactly one approval, every question has one outcome, every turn one end, seq has no gap', async () => {
    // `setImmediate` stays: reads of the model are joined by it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), planArbitrary, async (scheduler, plan: Plan) => {
        const faults = faultsOf(await playPlan(plan, scheduler));
        if (faults.length > 0) throw new Error(faults.join('\n'));
      }),
      { numRuns: 800 },
    );
  }, 60_000);
});
