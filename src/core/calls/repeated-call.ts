import { canonicalJson } from '../base/canonical-json.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeOfServer, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { CallScope } from './call-scope.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * What a model is told in place of a run that has been repeated too often in this turn (contract/limits.md#repeated-calls). Undefined: the call may run.
 * The record alone decides, so that a turn that goes on decides the same.
 */
export function outcomeOfRepetition(
  call: ToolCall,
  { turn, path, services }: Pick<CallScope, 'turn' | 'path' | 'services'>,
): ToolOutcome | undefined {
  const { loopGuard } = services;
  if (loopGuard === 0) return undefined;
  const same = callKey(call);
  const repetition = callsBefore(call, turn.record, path).filter((earlier) => callKey(earlier) === same).length;
  return repetition < loopGuard ? undefined : outcomeOfServer('refused', repeatedText(repetition));
}

function repeatedText(times: number): string {
  return `This call was not run. You have already made it ${String(times)} times in this turn, with the same arguments, and nothing suggests that it would bring anything else now. Go by what it has returned, call it with other arguments, do something else, or tell the user what is missing.`;
}

/** The calls that the agent has made before this one in this turn: those of earlier replies, and those before it in the same reply. */
function callsBefore(call: ToolCall, record: Pick<StepRecord, 'get'>, path: string): readonly ToolCall[] {
  const agent = path.slice(0, path.lastIndexOf('/'));
  const round = Number(path.slice(agent.length + 1));
  const rounds = Array.from({ length: round + 1 }, (_, index) => {
    const reply = record.get(`${agent}/${String(index)}/model`) as { readonly calls: readonly ToolCall[] } | undefined; // recorded by `askModel`
    return reply?.calls ?? [];
  });
  const calls = rounds.flat();
  const own = calls.findIndex(({ callId }) => callId === call.callId);
  return own < 0 ? calls : calls.slice(0, own);
}

/** The same for two spellings of the same arguments. */
function callKey({ name, arguments: written }: ToolCall): string {
  try {
    const value: unknown = written.trim() === '' ? {} : JSON.parse(written);
    return `${name} ${canonicalJson(value)}`;
  } catch {
    return `${name} ${written}`;
  }
}
