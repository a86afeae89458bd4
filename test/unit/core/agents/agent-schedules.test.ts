import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentPlan, agentPlans, playAgents, type PlayedAgents } from '../../../support/agents/played-agents.ts';
import { rounds, seedOf } from '../../../support/run/tier.ts';
import { testLimitMs } from '../../../support/patience-limit.ts';

const numRuns = rounds({
  what: 'teams of agents whose processes die',
  short: 30,
  long: 2_000,
  variable: 'HELPER_AGENT_SCHEDULES',
});
const seed = seedOf();

/** The rules that a played plan has broken. */
function faultsOf({ result, events, executions, rows, unfinished, unended }: PlayedAgents): readonly string[] {
  const of = (type: string, field: string): readonly unknown[] =>
    events.flatMap((event) => (event.type === type ? [event.fields[field]] : []));
  const [asked, resolved] = [of('confirmation-requested', 'actionId'), of('confirmation-resolved', 'actionId')];
  const wrong: Readonly<Record<string, boolean>> = {
    'a payment ran twice': new Set(executions.map(({ callId }) => callId)).size < executions.length,
    'the same payment ran under two calls': new Set(executions.map(({ key }) => key)).size < executions.length,
    'a payment ran without approval': executions.some(
      ({ callId }) => !rows.some((row) => row.callId === callId && row.answer === 'approved'),
    ),
    'a row is open': unfinished.length > 0,
    'a turn is open': unended.length > 0,
    'the numbers have a gap': events.some(({ seq }, index) => seq !== index + 1),
    'the turn has not exactly one end': result !== undefined && of('turn-completed', 'status').length !== 1,
    'a question has not exactly one outcome':
      asked.length !== resolved.length || new Set(resolved).size !== resolved.length,
    'an outcome is not that of the journal': events.some(
      ({ type, fields }) =>
        type === 'confirmation-resolved' &&
        rows.find(({ actionId }) => actionId === fields['actionId'])?.answer !== fields['outcome'],
    ),
  };
  return Object.entries(wrong).flatMap(([fault, isSo]) => (isSo ? [fault] : []));
}

/**
 * A crash between the beginning of a payment and its end leaves open what came of it. One between the reply that calls and the question about it
 * leaves open whether somebody could be asked.
 */
function isDisturbed({ rows, events, result }: PlayedAgents): boolean {
  const isUnasked = events.some(({ fields }) => fields['code'] === 'question_not_stored');
  return result?.status !== 'completed' || isUnasked || rows.some(({ outcome }) => outcome === 'unknown');
}

describe('agents in any topology, whatever dies in between (contract/agents.md#confirmations)', () => {
  // proves extending-4-93
  it(
    'no payment runs unapproved or twice, each question ends once, and the reply is the one without a crash',
    async () => {
      let compared = 0;
      const property = fc.asyncProperty(agentPlans, async (plan: AgentPlan) => {
        const played = await playAgents(plan);
        const faults = [...faultsOf(played)];
        if (played.deaths > 0 && plan.stopAt === undefined && !isDisturbed(played)) {
          const undisturbed = await playAgents({ ...plan, deaths: [] });
          compared += 1;
          if (undisturbed.result?.text !== played.result?.text)
            faults.push(`the reply is ${String(played.result?.text)} and not ${String(undisturbed.result?.text)}`);
          const usage = ({ events }: PlayedAgents): unknown => events.at(-1)?.fields['usage'];
          expect(usage(played)).toEqual(usage(undisturbed));
        }
        if (faults.length > 0) throw new Error(faults.join('\n'));
      });
      await fc.assert(property, { numRuns, seed });
      expect(compared).toBeGreaterThan(0);
    },
    testLimitMs + numRuns * 500,
  );
});
