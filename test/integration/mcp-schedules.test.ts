import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callPlans, type PlayedCalls, playCalls, reachingPlan } from '../support/mcp/played-calls.ts';
import { rounds, seedOf } from '../support/run/tier.ts';
import { HeldClock } from '../support/schedules/held-clock.ts';
import { makeToken } from '../support/tokens.ts';
import { testLimitMs } from '../support/patience-limit.ts';

/** `HELPER_MCP_SCHEDULES=2000` plays so many; `HELPER_SEED` plays those of a failure again. */
const numRuns = rounds({ what: 'schedules of calls over MCP', short: 8, long: 200, variable: 'HELPER_MCP_SCHEDULES' });
const seed = seedOf();

/** The rules that a played plan has broken. */
function faultsOf({ executions, questions, done, seenByOthers }: PlayedCalls): readonly string[] {
  const wishes = new Map(
    [...questions.map(({ wish }) => wish), ...done, ...executions.map(wishOf)].map((wish) => [
      JSON.stringify(wish),
      wish,
    ]),
  );
  const faults = [...wishes].flatMap(([name]) => {
    const isSame = (wish: unknown): boolean => JSON.stringify(wish) === name;
    const ran = executions.filter((execution) => isSame(wishOf(execution)));
    const asked = questions.filter(({ wish }) => isSame(wish));
    const saying = (text: string): number => asked.filter(({ page }) => page.includes(text)).length;
    const [told, unclear] = [saying('Done: '), saying('Unclear whether it happened')];
    const broken: Readonly<Record<string, boolean>> = {
      'ran more often than its user has approved it': ran.length > asked.filter(({ isApproved }) => isApproved).length,
      'is told as done on more pages than it ran': told > ran.length,
      'ran, and no page says so or that nobody knows': ran.length > told + unclear,
      'was told as done to a call and never ran': ran.length === 0 && done.some(isSame),
    };
    return Object.entries(broken).flatMap(([fault, isSo]) => (isSo ? [`${name} ${fault}`] : []));
  });
  if (new Set(executions.map(({ callId }) => callId)).size < executions.length) faults.push('a call ran twice');
  if (seenByOthers > 0) faults.push('somebody else has seen a question');
  return faults;
}

/** The tokens of a user's program and browser. They outlive the time that a plan lets pass. */
async function longTokens(sub: string): Promise<{ readonly program: string; readonly browser: string }> {
  const expiresAt = Math.floor(Date.now() / 1_000) + 7 * 24 * 60 * 60;
  const tokenOf = (jti: string): Promise<string> => makeToken({ sub, name: sub, jti }, { expiresAt });
  return { program: await tokenOf('program'), browser: await tokenOf('browser') };
}

function wishOf({ userId, action, arguments: given }: PlayedCalls['executions'][number]): object {
  return { user: userId, action, amount: given['amount'] };
}

describe('calls over MCP and answers on the page, whatever happens in whatever order (contract/mcp-server.md#confirmations)', () => {
  it(
    'run no action without an approval of its user for its arguments, and none twice, and tell nothing that is not so',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-schedules-'));
      onTestFinished(() => {
        rmSync(folder, { recursive: true, force: true });
      });
      const [ann, eve] = await Promise.all([longTokens('ann'), longTokens('eve')]);
      let [ran, died, declined] = [0, 0, 0];
      const property = fc.asyncProperty(callPlans, async (plan) => {
        const clock = new HeldClock();
        const own = mkdtempSync(join(folder, 'plan-'));
        try {
          const played = await playCalls(plan, { folder: own, clock, tokens: { ann, eve } });
          ran += played.executions.length;
          died += played.deaths;
          declined += played.questions.filter(({ page }) => page.includes('Nothing was changed')).length;
          const faults = faultsOf(played);
          if (faults.length > 0) throw new Error(faults.join('\n'));
        } finally {
          clock.restore();
          rmSync(own, { recursive: true, force: true });
        }
      });
      await fc.assert(property, { numRuns, seed, examples: [[reachingPlan]] });
      // The plans reach what they are about.
      expect([ran > 0, died > 0, declined > 0]).toEqual([true, true, true]);
    },
    testLimitMs + numRuns * 4_000,
  );
});
