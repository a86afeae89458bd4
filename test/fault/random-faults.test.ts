import { describe, expect, it } from 'vitest';
import { Figures } from '../support/faults/figures.ts';
import { livesPerPlan } from '../support/faults/fault-plan.ts';
import { describeFailure, playRounds } from '../support/faults/played-rounds.ts';
import { isLong, rounds as roundsOf } from '../support/run/tier.ts';
import { testLimitMs } from '../support/patience-limit.ts';

/**
 * `HELPER_FAULTS=2000` plays so many rounds; `HELPER_FAULTS_SEED` plays the plan of a failure again. Without either, a short run plays the
 * same plans each time, so that a change is judged by itself.
 */
const wanted = process.env['HELPER_FAULTS'];
const rounds = roundsOf({
  what: 'processes killed and starved at random',
  short: 4,
  long: 200,
  variable: 'HELPER_FAULTS',
});
const seed = process.env['HELPER_FAULTS_SEED'];

/** Milliseconds. A round takes far less, even on a busy machine. */
const roundLimitMs = 15_000;

describe('a real server process that is killed and starved at any moment (contract/events.md, contract/confirmations.md and contract/restarts.md#stopping)', () => {
  // proves wire-5-83, wire-5-84, wire-5-85
  it(
    'runs no write without its approval and none twice, tells nothing that is not so, and tells later how all ended',
    { timeout: testLimitMs + Math.max(rounds, livesPerPlan) * roundLimitMs },
    async () => {
      const failures: string[] = [];
      const figures = new Figures();
      const first = wanted === undefined && !isLong ? 1 : undefined;
      await playRounds({ rounds, first, seed: seed === undefined ? undefined : Number(seed) }, (played) => {
        figures.add(played);
        if (played.faults.length > 0) failures.push(describeFailure(played));
      });
      expect(failures.join('\n\n')).toBe('');
      expect(figures.rounds).toBeGreaterThanOrEqual(seed === undefined ? rounds : livesPerPlan);
    },
  );
});
