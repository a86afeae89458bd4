import { canonicalJson } from '../base/canonical-json.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeOfServer, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { CallScope } from './call-scope.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * What the model is told when a call was repeated too often in this turn and does not run (contract/limits.md#repeated-calls).
 * Undefined: the call may run. The decision depends only on the record, so a turn that goes on after a restart decides the same.
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
export function callsBefore(call: ToolCall, record: Pick<StepRecord, 'get'>, path: string): readonly ToolCall[] {
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

/** The key by which calls are compared. Two spellings of the same arguments have the same key. */
export function callKey({ name, arguments: written }: ToolCall): string {
  try {
    const value: unknown = written.trim() === '' ? {} : JSON.parse(written);
    return `${name} ${canonicalJson(value)}`;
  } catch {
    return `${name} ${written}`;
  }
}
