import { outcomeOfServer, outcomeText, type ToolOutcome, unknownOutcome } from '../tools/tool-outcome.ts';
import { runCall } from './run-call.ts';
import type { CheckedCall } from './tool-call.ts';

/**
 * Runs a call that needs no answer. Before a write or a request to the page begins, its beginning is recorded; otherwise the next
 * process could not know of it. A tool that may be called twice under one call id needs no such record, but its call id is stored. In a copy of a turn only
 * reading calls are made again, since the turn that was saved lives on.
 */
export async function runUnasked(ready: CheckedCall): Promise<ToolOutcome> {
  const { tool, readOnly, isKnown, at, scope } = ready;
  const { turn, services } = scope;
  const isRead = readOnly && tool.source !== 'page';
  if (isKnown && turn.isCopy && !isRead) return unknownOutcome(services.texts.actionUnknown);
  if (!isRead) {
    if (tool.repeatable !== true) turn.record.put(`${at}/began`, true);
    // The reply of the model that asks for this call is stored too. Otherwise the next process would ask the model again, and run the write
    // of the new reply under another call id.
    await turn.tape.flush();
  }
  return turn.mayBegin ? runCall(ready) : outcomeOfServer('cancelled', outcomeText.cancelled);
}
