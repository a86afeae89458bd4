import { receiptsOf } from '../calls/receipts.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeOfServer, type ToolOutcome } from '../tools/tool-outcome.ts';

/** The agent that a call has handed over to, and a sentence or a list that says what came of the actions below the call. */
interface ReachedAgent {
  readonly name: string;
  readonly done: string;
}

/** The agent that a call has reached, by the record. `at` is the key of the call. Undefined where the call has reached no agent. */
export function reachedBy(record: Pick<StepRecord, 'entries'>, at: string): ReachedAgent | undefined {
  const path = `${at}/`;
  const below = [...record.entries()].filter(([key]) => key.startsWith(path));
  const agent = below.find(([key]) => key.endsWith('/agent'))?.[1] as { readonly name: string } | undefined; // recorded by `runMember`
  if (agent === undefined) return undefined;
  const done = receiptsOf(new Map(below)).map(({ title, status }) => `- ${title}: ${status}`);
  return {
    name: agent.name,
    done: done.length === 0 ? 'Nothing was changed.' : ['What came of its actions:', ...done].join('\n'),
  };
}

/**
 * The outcome of a call that has handed over, when the agent does not come to its answer. The agent may have run actions before. `at` is
 * the key of the call. Undefined where the call has reached no agent.
 */
export function brokenOff(record: Pick<StepRecord, 'entries'>, at: string): ToolOutcome | undefined {
  const reached = reachedBy(record, at);
  if (reached === undefined) return undefined;
  return outcomeOfServer('cancelled', `${reached.name} was stopped before it had answered. ${reached.done}`);
}
