import type { ActionStatus } from '../turn/turn-event.ts';
import { untilStopped } from '../turn/until-stopped.ts';
import { outcomeOfFault, UiActionFault } from '../ui-actions/ui-action-fault.ts';
import { deliverResult } from './deliver-result.ts';
import type { ExceptionTexts } from './exception-rules.ts';
import type { CheckedCall } from './check-call.ts';
import { modelText } from './model-text.ts';
import type { ToolRun } from './run-tool.ts';
import type { Tool } from './tool.ts';
import { tellsNothing, ToolInterrupted, ToolUnavailable } from './tool-faults.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import { type ToolOutcome, outcomeText } from './tool-outcome.ts';
import type { ToolVerdict } from './tool-policy.ts';

/** Longest message of an exception that is shown, in characters: it may hold whatever the tool was answered with. */
const maxShownLength = 2000;

/** What a call came to that was let run: for the user, the log and the model. Whatever went wrong is an outcome. */
export async function outcomeOfRun(
  run: ToolRun,
  of: { readonly call: CheckedCall; readonly verdict: ToolVerdict; readonly invocation: ToolInvocation },
): Promise<ToolOutcome> {
  const { call, verdict, invocation } = of;
  switch (run.kind) {
    case 'returned':
      return deliverResult({ ...call, readOnly: verdict.readOnly }, run.result, invocation);
    case 'threw':
      if (run.error instanceof UiActionFault) return outcomeOfPage(run.error, verdict.readOnly, invocation);
      if (call.again !== undefined && tellsNothing(run.error)) return outcomeUnknown(invocation);
      if (run.error instanceof ToolUnavailable) return outcomeOfUnavailable(invocation);
      if (run.error instanceof ToolInterrupted && !verdict.readOnly) return outcomeUnknown(invocation);
      return outcomeOfException(run.error, call.tool, invocation);
    case 'abandoned':
      return outcomeOfAbandoned(run.because, verdict.readOnly, invocation);
  }
}

async function outcomeOfException(error: Error, tool: Tool, invocation: ToolInvocation): Promise<ToolOutcome> {
  const texts = await textsOf(error, tool, invocation);
  invocation.actionFailed(texts.shown.slice(0, maxShownLength));
  return { status: 'failed', text: `The action failed: ${modelText(texts.forModel)}` };
}

function outcomeOfUnavailable(invocation: ToolInvocation): ToolOutcome {
  invocation.actionFailed(invocation.services.texts.actionUnavailable, 'action_unavailable');
  return { status: 'failed', text: outcomeText.unavailable };
}

/** The words of a page are for the model alone: to the user it is just one more thing that did not work. */
function outcomeOfPage(fault: UiActionFault, readOnly: boolean, invocation: ToolInvocation): ToolOutcome {
  const { texts } = invocation.services;
  const outcome = outcomeOfFault(fault, readOnly);
  if (outcome.status === 'unknown') invocation.actionFailed(texts.actionUnknown);
  if (outcome.status === 'failed') invocation.actionFailed(texts.actionFailed);
  return outcome;
}

/** A Stop does not wait for the hook: the user then reads the fixed text. */
async function textsOf(error: Error, tool: Tool, { services, turn }: ToolInvocation): Promise<ExceptionTexts> {
  try {
    return await untilStopped(services.exceptionTexts(error, tool.name), turn.signal);
  } catch {
    return { shown: services.texts.actionFailed, forModel: error.message };
  }
}

/** A write that was interrupted may have taken effect: the honest status is `unknown` (wire.md 5). */
function outcomeUnknown(invocation: ToolInvocation): ToolOutcome {
  invocation.actionFailed(invocation.services.texts.actionUnknown);
  return { status: 'unknown', text: outcomeText.unknown };
}

function outcomeOfAbandoned(
  because: 'timeout' | 'stopped',
  readOnly: boolean,
  invocation: ToolInvocation,
): ToolOutcome {
  if (!readOnly) return outcomeUnknown(invocation);
  if (because === 'stopped') return { status: 'cancelled', text: outcomeText.cancelled };
  invocation.actionFailed(invocation.services.texts.actionFailed);
  const status: ActionStatus = 'failed';
  return { status, text: outcomeText.timedOut };
}
