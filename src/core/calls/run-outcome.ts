import { untilStopped } from '../base/until-stopped.ts';
import type { ExceptionTexts } from '../tools/exception-rules.ts';
import { modelText } from '../tools/model-text.ts';
import type { ToolRun } from '../tools/run-tool.ts';
import {
  actionFailed,
  outcomeOfServer,
  outcomeText,
  provenanceOfResult,
  type ToolOutcome,
  unknownOutcome,
} from '../tools/tool-outcome.ts';
import { outcomeOfFault, UiActionFault } from '../ui-actions/ui-action-fault.ts';
import { deliverResult } from './deliver-result.ts';
import { faultOfRun } from './run-fault.ts';
import type { CheckedCall } from './tool-call.ts';

/**
 * Longest message of an exception that is shown, in characters: the message may quote the whole answer of a remote
 * system.
 */
const maxShownLength = 2000;

/** The outcome of a call whose tool was run, for the user, the log and the model. A fault becomes an outcome too. */
export async function outcomeOfRun(run: ToolRun, call: CheckedCall): Promise<ToolOutcome> {
  const { texts } = call.scope.services;
  if (run.kind === 'returned') return deliverResult(call, run.result);
  if (run.kind === 'threw' && run.error instanceof UiActionFault) return outcomeOfPage(run.error, call);
  switch (faultOfRun(run, { ...call, again: call.again !== undefined })) {
    case 'unknown':
      return unknownOutcome(texts.actionUnknown);
    case 'unavailable': {
      const told = actionFailed(texts.actionUnavailable, 'action_unavailable');
      return outcomeOfServer('failed', outcomeText.unavailable, [told]);
    }
    case 'changed':
      return outcomeOfServer('cancelled', outcomeText.changed);
    case 'exception':
      return outcomeOfException(run.kind === 'threw' ? run.error : new Error(run.because), call);
    case 'cancelled':
      return outcomeOfServer('cancelled', outcomeText.cancelled);
    case 'timed-out':
      return outcomeOfServer('failed', outcomeText.timedOut, [actionFailed(texts.actionFailed)]);
  }
}

async function outcomeOfException(error: Error, call: CheckedCall): Promise<ToolOutcome> {
  const texts = await textsOf(error, call);
  const shown = [actionFailed(texts.shown.slice(0, maxShownLength))];
  return {
    status: 'failed',
    text: `The action failed: ${modelText(texts.forModel)}`,
    ...provenanceOfResult(call.tool),
    shown,
  };
}

/** Only the model reads the words of a page. The user reads the same text as for any other fault. */
function outcomeOfPage(fault: UiActionFault, { readOnly, scope }: CheckedCall): ToolOutcome {
  const { texts } = scope.services;
  const outcome = outcomeOfFault(fault, readOnly);
  if (outcome.status === 'unknown') return { ...outcome, shown: [actionFailed(texts.actionUnknown)] };
  if (outcome.status === 'failed') return { ...outcome, shown: [actionFailed(texts.actionFailed)] };
  return outcome;
}

/**
 * The texts for an exception of a tool. A Stop does not wait for the hook `onException`. When the Stop comes first, the user reads the
 * fixed text.
 */
async function textsOf(error: Error, { tool, scope }: CheckedCall): Promise<ExceptionTexts> {
  const { services, turn } = scope;
  try {
    return await untilStopped(services.exceptionTexts(error, tool.name), turn.signal);
  } catch {
    return { shown: services.texts.actionFailed, forModel: error.message };
  }
}
