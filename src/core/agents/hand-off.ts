import { oneLine } from '../base/one-line.ts';
import type { StepRecord } from '../record/step-record.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { handOffName } from '../tools/tool-name.ts';
import { handOverTool } from './hand-over-tool.ts';
import type { RecordedReply } from './recorded-reply.ts';
import type { HandedOff } from './member-reply.ts';
import type { HandOffTarget } from './staff.ts';

const introduction =
  'Gives the conversation to another member of your team, who answers in your place. Call it instead of answering when another member fits better. Say nothing to the user about it. The members:';

/** The tool by which a member of a team gives the conversation to another member (contract/agents.md#teams). */
export function handOffTool(targets: readonly HandOffTarget[]): Tool {
  const list = targets.map(({ name, description, reason }) => `- ${name}: ${oneLine(reason ?? description)}`);
  return handOverTool({
    name: handOffName,
    title: 'Give to another agent',
    description: [introduction, ...list].join('\n'),
    chooses: { name: 'to', from: targets.map(({ name }) => name), description: 'The name of the member' },
    text: { name: 'reason', description: 'Why, and what the member needs to know' },
  });
}

/** To whom the reply of a member has given the conversation, and why. Undefined where it has given the conversation to nobody. */
export function handedOff(
  record: Pick<StepRecord, 'get'>,
  at: string,
  { calls }: Pick<RecordedReply, 'calls'>,
): HandedOff | undefined {
  for (const { callId, name, arguments: written } of calls) {
    const outcome = record.get(`${at}/call/${callId}`) as ToolOutcome | undefined; // recorded by `invokeTool`
    if (name !== handOffName || outcome?.status !== 'succeeded') continue;
    return JSON.parse(written) as HandedOff; // checked before the call succeeded
  }
  return undefined;
}
