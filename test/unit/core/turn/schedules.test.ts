import fc from 'fast-check';
import { describe, it, onTestFinished, vi } from 'vitest';
import { type Plan, planArbitrary, playPlan } from './played-plan.ts';
import { faultsOf } from './schedule-faults.ts';

/**
 * Random schedules. Users act, and may restore copies of a conversation from snapshots. The model, the tools and the journal take time. All
 * of this happens in any order. Each plan is played on the real core. `schedule-faults.ts` has the rules that every plan must keep.
 */
describe('whatever happens in whatever order (contract/events.md#order, contract/confirmations.md#stop)', () => {
  it('no write runs without exactly one approval, every question has one outcome, every turn one end, seq has no gap', async () => {
    // `setImmediate` is not replaced, because the core uses it to join reads of the model.
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
  });
});
