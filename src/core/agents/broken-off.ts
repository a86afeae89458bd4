import { receiptsOf } from '../calls/receipts.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeOfServer, type ToolOutcome } from '../tools/tool-outcome.ts';

/** The outcome of a call that has handed over, when a Stop ends it. The agents may have run actions before. `at` is the key of the call. */
export function brokenOff(record: Pick<StepRecord, 'entries'>, at: string, name: string): ToolOutcome {
  const below = new Map([...record.entries()].filter(([key]) => key.startsWith(`${at}/`)));
  const done = receiptsOf({ entries: () => below.entries() }).map(({ title, status }) => `- ${title}: ${status}`);
  const what = done.length === 0 ? 'Nothing was changed.' : ['What came of its actions:', ...done].join('\n');
  return outcomeOfServer('cancelled', `${name} was stopped before it had answered. ${what}`);
}
