import { describe, expect, it } from 'vitest';
import { keptLivesPerPlan } from '../support/faults/kept/kept-plan.ts';
import { describeKeeping, playKeeping } from '../support/faults/kept/kept-rounds.ts';
import { isLong, rounds as roundsOf } from '../support/run/tier.ts';
import { testLimitMs } from '../support/patience-limit.ts';

/**
 * `HELPER_FAULTS=2000` plays so many rounds; `HELPER_FAULTS_SEED` plays the plan of a failure again. Without either, a short run plays the
 * same plans each time, so that a change is judged by itself.
 */
const wanted = process.env['HELPER_FAULTS'];
const rounds = roundsOf({
  what: 'processes killed over what they keep',
  short: 3,
  long: 100,
  variable: 'HELPER_FAULTS',
});
const seed = process.env['HELPER_FAULTS_SEED'];

/** Milliseconds. A round takes far less, even on a busy machine. */
const roundLimitMs = 15_000;

describe('what is kept by a real server process that is killed at any moment (contract/memory.md, contract/sessions.md#kept-conversations, contract/sessions.md#erasing and contract/document-folders.md#index)', () => {
  // proves service-2.9-75, service-2.9-76, service-2.9-88, service-2.10-13, service-2.10-21, service-2.10-22
  // proves service-2.11-66
  it(
    'is whole: no turn, fact or document that was acknowledged is lost, and nothing comes back that was told to be erased',
    { timeout: testLimitMs + Math.max(rounds, keptLivesPerPlan) * roundLimitMs },
    async () => {
      const failures: string[] = [];
      let count = 0;
      const first = wanted === undefined && !isLong ? 1 : undefined;
      await playKeeping({ rounds, first, seed: seed === undefined ? undefined : Number(seed) }, (played) => {
        count += played.record.plan.lives.length;
        if (played.faults.length > 0) failures.push(describeKeeping(played));
      });
      expect(failures.join('\n\n')).toBe('');
      expect(count).toBeGreaterThanOrEqual(seed === undefined ? rounds : keptLivesPerPlan);
    },
  );
});
