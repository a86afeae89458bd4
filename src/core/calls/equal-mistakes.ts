import type { StepRecord } from '../record/step-record.ts';
import type { RecordedOutcome, ToolOutcome } from '../tools/tool-outcome.ts';
import type { ToolCall } from './tool-call.ts';

/** So many rounds of an agent may end with the same mistake (contract/limits.md#repeated-calls). */
const mostEqual = 3;

const enough = `This is the same mistake as in your last calls of this tool. Answer now, without tools, and tell the user what is missing.`;

/**
 * What the model is told of a call that does not run as it was written: there is no such tool, the arguments do not fit, or it was made too often. A
 * model that has made the same mistake in earlier rounds cannot do better. The decision depends only on the record, so a turn that goes on after a restart decides the same.
 */
export function outcomeOfMistake(
  mistake: ToolOutcome,
  call: ToolCall,
  { turn, path }: { readonly turn: { readonly record: Pick<StepRecord, 'get'> }; readonly path: string },
): ToolOutcome {
  const rounds = roundsWith(mistake, call, { record: turn.record, path });
  return rounds + 1 < mostEqual ? mistake : { ...mistake, text: `${mistake.text}\n${enough}` };
}

/** Whether the agent has to answer without tools after this outcome. */
export function isLastMistake({ text }: Pick<ToolOutcome, 'text'>): boolean {
  return text.endsWith(enough);
}

/** The number of earlier rounds in which a call of the same tool came to the same. */
function roundsWith(
  { text }: ToolOutcome,
  { name }: ToolCall,
  { record, path }: { readonly record: Pick<StepRecord, 'get'>; readonly path: string },
): number {
  const agent = path.slice(0, path.lastIndexOf('/'));
  const round = Number(path.slice(agent.length + 1));
  const same = kindOf(text);
  return Array.from({ length: round }, (_, index) => `${agent}/${String(index)}`).filter((at) => {
    const reply = record.get(`${at}/model`) as { readonly calls: readonly ToolCall[] } | undefined; // recorded by `askModel`
    return reply?.calls.some((call) => {
      const outcome = record.get(`${at}/call/${call.callId}`) as RecordedOutcome | undefined; // recorded by `invokeTool`
      return call.name === name && outcome !== undefined && kindOf(outcome.text) === same;
    });
  }).length;
}

/** A mistake without how often it was made, which the model is told of a call that is repeated. */
function kindOf(text: string): string {
  return text.replace(/\b[0-9]+ times\b/, '');
}
