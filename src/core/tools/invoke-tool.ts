import { randomId } from '../identity/random-id.ts';
import { approveByRule, askUser, type Answer, type Question } from '../confirmations/ask-user.ts';
import { canonicalJson } from '../confirmations/canonical-json.ts';
import type { ModelToolCall } from '../ports/chat-model.ts';
import { untilStopped } from '../turn/until-stopped.ts';
import { checkCall, type CheckedCall } from './check-call.ts';
import { keptCall } from './kept-call.ts';
import { outcomeOfRun } from './run-outcome.ts';
import { runTool } from './run-tool.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import { type ToolOutcome, outcomeText } from './tool-outcome.ts';
import { uiActionPrefix } from './tool-name.ts';
import { mayRun, type ToolVerdict } from './tool-policy.ts';

/**
 * The only door to a tool, on every channel (architecture.md 3, step 10): arguments → roles → confirmation → run →
 * `onToolResult` → outcome. Whatever goes wrong is an outcome the model is told, never an exception.
 */
export async function invokeTool(
  call: ModelToolCall & { readonly callId: string },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const checked = checkCall(call, invocation);
  if ('status' in checked) return checked;
  return completed(call, invocation, () => decideAndRun(checked, invocation));
}

/** Runs a call, reports its end to user and metrics, and turns a fault of ours into an outcome. */
export async function completed(
  { callId, name: action }: { readonly callId: string; readonly name: string },
  invocation: ToolInvocation,
  run: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const startedAt = invocation.services.now();
  const outcome = await run().catch((error: unknown): ToolOutcome => {
    // Only before the action runs can a step fail or be cut short: what comes after is an outcome.
    if (invocation.turn.signal.aborted) return { status: 'cancelled', text: outcomeText.cancelled };
    invocation.services.log.error({ error, tool: action, callId }, 'a tool call failed');
    return { status: 'failed', text: 'The action could not be run because of a fault in the server.' };
  });
  const durationMs = Math.round(invocation.services.now() - startedAt);
  invocation.emitAction({ type: 'action-completed', callId, action, status: outcome.status, durationMs });
  // No label comes from a page (wire.md 6).
  const label = action.startsWith(uiActionPrefix) ? `${uiActionPrefix}*` : action;
  invocation.services.metrics.toolCalled({ action: label, status: outcome.status, durationMs });
  return outcome;
}

async function decideAndRun(call: CheckedCall, invocation: ToolInvocation): Promise<ToolOutcome> {
  const { tool } = call;
  if (!mayRun(tool, invocation.principal.roles)) return { status: 'refused', text: outcomeText.refusedByRole };
  const verdict = await untilStopped(invocation.services.policy.judge(tool), invocation.turn.signal);
  if (!verdict.need.ask) return execute(call, verdict, invocation);
  const { turn, services } = invocation;
  const question = questionOf(call, verdict, invocation);
  if (await untilStopped(invocation.approvesByRule(tool, call.argumentsValue), turn.signal)) {
    return executeApproved(call, { verdict, answer: await approveByRule(question, services) }, invocation);
  }
  return askAndRun(question, verdict, invocation);
}

/** What the user is asked about a call; one that was asked about before is a matter of policy by now at least. */
export function questionOf(
  call: CheckedCall,
  verdict: ToolVerdict,
  invocation: ToolInvocation,
): Question & CheckedCall {
  const { turn, principal, channel, agent, suspension } = invocation;
  const reason = verdict.need.ask ? verdict.need.because : 'policy';
  const canRemember = invocation.mayRemember(call.tool);
  return { ...call, turn, principal, channel, agent, reason, canRemember, suspension };
}

/** Asks, and runs what is approved. */
export async function askAndRun(
  question: Question & CheckedCall,
  verdict: ToolVerdict,
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { services } = invocation;
  if (!services.openConfirmations.reserve(question.principal.userKey)) {
    return { status: 'refused', text: outcomeText.tooManyOpen };
  }
  const { callId, tool, argumentsValue } = question;
  const answer = await askUser(question, services);
  return afterAnswer({ callId, tool, argumentsValue }, { verdict, answer }, invocation);
}

/** Runs what was approved, with the arguments the user left or made; anything else is told to the model. */
export async function afterAnswer(
  call: CheckedCall,
  { verdict, answer }: { readonly verdict: ToolVerdict; readonly answer: Answer },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  if (answer.outcome !== 'approved') return outcomeOf(answer);
  if (answer.remember === true) invocation.remember(call.tool);
  const approval = { verdict, answer };
  if (answer.edited === undefined) return executeApproved(call, approval, invocation);
  return withEdited(
    answer.edited,
    await executeApproved({ ...call, argumentsValue: answer.edited }, approval, invocation),
  );
}

/** The model must not go on with what it had asked for (wire.md 5). */
export function withEdited(edited: Readonly<Record<string, unknown>>, outcome: ToolOutcome): ToolOutcome {
  const told = `The user approved this action with other arguments than yours: ${canonicalJson(edited)}.`;
  return { ...outcome, text: `${told}\n${outcome.text}` };
}

/** What the model is told of a call that was not approved. */
export function outcomeOf(answer: Answer): ToolOutcome {
  if (answer.elsewhere === true) return { status: 'cancelled', text: outcomeText.answeredElsewhere };
  if (answer.outcome === 'declined') return { status: 'declined', text: outcomeText.declined };
  if (answer.outcome === 'expired') return { status: 'cancelled', text: outcomeText.expired };
  return { status: 'cancelled', text: outcomeText.cancelled };
}

/** Journals around the call, so that a crash in between is known as such and never leads to a second run (wire.md 5). */
async function executeApproved(
  call: CheckedCall,
  approval: { readonly verdict: ToolVerdict; readonly answer: Answer },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { journal, now } = invocation.services;
  const { actionId, principal } = approval.answer;
  // The question may have stood open for long: the role counts now.
  if (!mayRun(call.tool, principal.roles)) {
    await journal.done(actionId, 'refused', now());
    return { status: 'refused', text: outcomeText.refusedByRole };
  }
  const approved = { ...call, principal };
  const kept =
    call.tool.repeatable === true ? keptCall(call.argumentsValue, invocation.callContext(approved)) : undefined;
  await journal.executing(actionId, now(), kept);
  return executeJournalled(approved, approval, invocation);
}

/** Runs a call that is `executing` in the journal, and writes there what came of it. */
export async function executeJournalled(
  call: CheckedCall,
  { verdict, answer }: { readonly verdict: ToolVerdict; readonly answer: Pick<Answer, 'actionId'> },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { journal, now } = invocation.services;
  const { actionId } = answer;
  const outcome = await execute(call, verdict, invocation);
  await journal.done(actionId, outcome.status, now()).catch((error: unknown) => {
    // The action did run: its outcome stands. At the next start the row is reported as unknown, never run again.
    invocation.services.log.error({ error, actionId }, 'an outcome could not be journalled');
  });
  return outcome;
}

/** Runs a call that needs no answer, or has one. */
export async function execute(
  call: CheckedCall,
  verdict: ToolVerdict,
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { tool, callId, argumentsValue } = call;
  const { turn } = invocation;
  if (turn.signal.aborted) return { status: 'cancelled', text: outcomeText.cancelled };
  invocation.emitAction({
    type: 'action-executing',
    callId,
    action: tool.name,
    title: tool.title,
    agent: invocation.agent,
    ...(verdict.readOnly ? { arguments: argumentsValue } : {}),
  });
  invocation.suspension?.put(callId);
  let settled = false;
  const run = await runTool(tool, argumentsValue, {
    ...invocation.callContext(call),
    stop: turn.signal,
    progress: (text) => {
      if (!settled) invocation.emitAction({ type: 'action-progress', callId, text: text.slice(0, 500) });
    },
  });
  settled = true;
  return outcomeOfRun(run, { call, verdict, invocation });
}

/** A call's own id: unguessable and unique, whatever the model wrote (wire.md 1). */
export function newCallId(): string {
  return randomId();
}
