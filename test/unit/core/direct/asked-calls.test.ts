import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hashArguments } from '../../../../src/core/base/canonical-json.ts';
import { askPlans, type PlayedAsks, playAsks } from '../../../support/asked/played-asks.ts';
import { rounds, seedOf } from '../../../support/run/tier.ts';
import { testLimitMs } from '../../../support/patience-limit.ts';

const numRuns = rounds({
  what: 'schedules of calls that ask, on the core alone',
  short: 500,
  long: 20_000,
  variable: 'HELPER_ASKED_SCHEDULES',
});
const seed = seedOf();

/** The rules that a played plan has broken. */
function faultsOf({ payments, taken, outcomes, rows, silent }: PlayedAsks): readonly string[] {
  const rowOf = (callId: string) => rows.find((row) => row.callId === callId);
  const ran = new Set(payments.map(({ callId }) => callId));
  const told = outcomes.flatMap(({ outcome, ...call }) =>
    'data' in outcome ? [{ ...call, callId: String(outcome.data?.['callId']) }] : [],
  );
  const wrong: Readonly<Record<string, boolean>> = {
    'a payment ran twice': ran.size < payments.length,
    'a payment ran without an approval of its user for its arguments': payments.some(({ callId, user, amount }) => {
      const row = rowOf(callId);
      const isBound = row?.owner === `id:${user}` && row.argumentsHash === hashArguments({ amount });
      return row?.answer !== 'approved' || !isBound || row.answeredWho !== user;
    }),
    'an answer of another user was taken': taken.some(({ actionId, user }) =>
      rows.some((row) => row.actionId === actionId && row.owner !== `id:${user}`),
    ),
    'two answers to one question were taken': new Set(taken.map(({ actionId }) => actionId)).size < taken.length,
    'an answer that was taken is not in the journal': taken.some(({ actionId, approved }) =>
      rows.some((row) => row.actionId === actionId && row.answer !== (approved ? 'approved' : 'declined')),
    ),
    'a call was told of a payment of another user or with other arguments': told.some(
      ({ user, amount, callId }) =>
        !payments.some((payment) => payment.callId === callId && payment.user === user && payment.amount === amount),
    ),
    'a payment ran and the journal says that it did not': rows.some(
      ({ callId, outcome }) => ran.has(callId) && !['succeeded', 'failed', 'unknown'].includes(outcome ?? ''),
    ),
    'the journal says that a payment was made, and none was': rows.some(
      ({ callId, outcome }) => !ran.has(callId) && outcome === 'succeeded',
    ),
    'a row is open': rows.some(({ state }) => state !== 'done'),
    'a call was never answered': silent > 0,
  };
  return Object.entries(wrong).flatMap(([fault, isSo]) => (isSo ? [fault] : []));
}

describe('questions of calls without a turn, whatever happens in whatever order (contract/mcp-server.md#confirmations)', () => {
  // proves service-4.3-43, service-4.3-44, service-4.3-47
  it(
    'no action runs without the approval of its user for its arguments, and none runs twice',
    async () => {
      // `setImmediate` is not replaced: the plan goes on by it.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      let [paid, died] = [0, 0];
      const property = fc.asyncProperty(askPlans, async (plan) => {
        const played = await playAsks(plan);
        paid += played.payments.length;
        died += played.deaths;
        const faults = faultsOf(played);
        if (faults.length > 0) throw new Error(faults.join('\n'));
      });
      await fc.assert(property, { numRuns, seed });
      // The plans reach what they are about.
      expect([paid > 0, died > 0]).toEqual([true, true]);
    },
    testLimitMs + numRuns * 500,
  );
});
