import { outcomeOfServer, outcomeText, type ToolOutcome, unknownOutcome } from '../tools/tool-outcome.ts';
import { runCall } from './run-call.ts';
import type { CheckedCall } from './tool-call.ts';

/**
 * Runs a call that needs no answer. Whether a write or a request to the page has begun is recorded before it does: nothing
 * else would tell the next process. In a copy nothing but reading is done again, since the turn that was saved lives on.
 */
export async function runUnasked(ready: CheckedCall): Promise<ToolOutcome> {
  const { tool, readOnly, isKnown, at, scope } = ready;
  const { turn, services } = scope;
  const isRead = readOnly && tool.source !== 'page';
  if (isKnown && turn.isCopy && !isRead) return unknownOutcome(services.texts.actionUnknown);
  if (!isRead && tool.repeatable !== true) {
    turn.record.put(`${at}/began`, true);
    await turn.tape.flush();
  }
  return turn.mayBegin ? runCall(ready) : outcomeOfServer('cancelled', outcomeText.cancelled);
}
