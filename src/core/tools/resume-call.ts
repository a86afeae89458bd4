import { awaitAnswer } from '../confirmations/ask-user.ts';
import type { ModelToolCall } from '../ports/chat-model.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { OpenQuestion } from '../turn/turn-suspension.ts';
import { checkArguments } from './check-arguments.ts';
import { afterAnswer, checkCall, type CheckedCall, completed, execute, outcomeOf } from './invoke-tool.ts';
import type { Tool } from './tool.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import { type ToolOutcome, outcomeText } from './tool-outcome.ts';
import { mayRun, type ToolVerdict } from './tool-policy.ts';

/**
 * Goes on with a call of a turn that was suspended (wire.md 5). Its tool, its arguments and its user's roles are checked
 * again; the journal tells how far it had come. What may have run already is never run again.
 */
export async function resumeCall(
  call: ModelToolCall & { readonly callId: string },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const question = invocation.suspension?.questionOf(call.callId);
  const checked = checkCall(call, invocation);
  if ('status' in checked) {
    if (question !== undefined) await invocation.services.openConfirmations.abandon(question.actionId);
    return checked;
  }
  return completed(checked, invocation, () => resumeAndRun(checked, question, invocation));
}

async function resumeAndRun(
  call: CheckedCall,
  question: OpenQuestion | undefined,
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { tool } = call;
  const { services, turn, principal, channel, agent, suspension } = invocation;
  const verdict = await services.policy.judge(tool);
  if (question === undefined) {
    // It ran, or was about to, when the process ended.
    return verdict.readOnly ? execute(call, verdict, invocation) : { status: 'unknown', text: outcomeText.unknown };
  }
  const { actionId, requestedAt } = question;
  const row = await services.journal.find(actionId);
  if (row?.state === 'requested') {
    if (!mayRun(tool, principal.roles) || !services.openConfirmations.reserve(principal.userKey)) {
      await services.openConfirmations.abandon(actionId);
      return { status: 'refused', text: outcomeText.refusedByRole };
    }
    const reason = verdict.need.ask ? verdict.need.because : 'policy';
    const canRemember = invocation.mayRemember(tool);
    const asked = { ...call, turn, principal, channel, agent, reason, canRemember, suspension, actionId, requestedAt };
    return afterAnswer(call, { verdict, answer: await awaitAnswer(asked, services) }, invocation);
  }
  suspension?.decided(call.callId);
  return afterCrash(call, { verdict, row }, invocation);
}

/** What the journal knows of a call whose question was decided before the process ended (wire.md 5). */
async function afterCrash(
  call: CheckedCall,
  { verdict, row }: { readonly verdict: ToolVerdict; readonly row: JournalRow | undefined },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  if (row === undefined) return { status: 'cancelled', text: outcomeText.cancelled };
  const { actionId, answer, outcome, state } = row;
  const { principal } = invocation;
  if (answer === 'approved' && state === 'answered') {
    const edited = row.editedArguments === null ? undefined : editedFrom(row.editedArguments, call.tool);
    return afterAnswer(
      call,
      {
        verdict,
        answer: { actionId, outcome: answer, by: 'user', principal, ...(edited === undefined ? {} : { edited }) },
      },
      invocation,
    );
  }
  if (answer === 'approved' && (state === 'executing' || outcome === 'unknown')) {
    if (state === 'executing') await invocation.services.journal.done(actionId, 'unknown', invocation.services.now());
    invocation.actionFailed(invocation.services.texts.actionUnknown);
    return { status: 'unknown', text: outcomeText.unknown };
  }
  if (answer === 'approved') return { status: outcome ?? 'unknown', text: outcomeText.ranBefore };
  return outcomeOf({ actionId, outcome: answer ?? 'cancelled', by: 'system', principal });
}

/** As the user had changed them: they were checked then, and the row was written by this server. */
function editedFrom(json: string, tool: Tool): Readonly<Record<string, unknown>> | undefined {
  const check = checkArguments(tool, JSON.parse(json));
  return check.ok ? check.value : undefined;
}
