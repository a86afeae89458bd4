import { awaitAnswer } from '../confirmations/ask-user.ts';
import { canonicalJson } from '../confirmations/canonical-json.ts';
import type { ModelToolCall } from '../ports/chat-model.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { OpenQuestion } from '../turn/turn-suspension.ts';
import { untilStopped } from '../turn/until-stopped.ts';
import { checkArguments } from './check-arguments.ts';
import { checkCall, type CheckedCall } from './check-call.ts';
import {
  afterAnswer,
  completed,
  execute,
  executeJournalled,
  outcomeOf,
  questionOf,
  withEdited,
} from './invoke-tool.ts';
import { interruptedCall, type KeptCall } from './kept-call.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import { decidedOutcome, type ToolOutcome, outcomeText } from './tool-outcome.ts';
import { mayRun, type ToolVerdict } from './tool-policy.ts';

/** A question of an earlier process, and how far the journal says that it had come. */
interface KeptQuestion extends OpenQuestion {
  readonly row: JournalRow | undefined;
}

/**
 * Goes on with a call of a turn that was suspended (wire.md 5). Its tool, its arguments and its user's roles are checked
 * again; the journal tells how far it had come. What may have run already is never run again.
 */
export async function resumeCall(
  call: ModelToolCall & { readonly callId: string },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const open = invocation.suspension?.questionOf(call.callId);
  const checked = checkCall(call, invocation);
  if (open === undefined && 'status' in checked) return checked;
  return completed(call, invocation, async () => {
    const question = open && { ...open, row: await invocation.services.journal.find(open.actionId) };
    if (!('status' in checked)) return resumeAndRun(checked, question, invocation);
    return question === undefined ? checked : closed(question, checked, invocation);
  });
}

async function resumeAndRun(
  call: CheckedCall,
  question: KeptQuestion | undefined,
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { services, turn, principal, suspension } = invocation;
  const verdict = await untilStopped(services.policy.judge(call.tool), turn.signal).catch((error: unknown) => {
    if (turn.signal.aborted) return undefined;
    throw error;
  });
  if (question === undefined) {
    // It ran, or was about to, when the process ended. A page is never asked twice (wire.md 3).
    return verdict?.readOnly === true && call.tool.source !== 'page'
      ? execute(call, verdict, invocation)
      : { status: 'unknown', text: outcomeText.unknown };
  }
  if (verdict === undefined) return closed(question, { status: 'cancelled', text: outcomeText.cancelled }, invocation);
  const { actionId, requestedAt, row } = question;
  if (row?.state !== 'requested') {
    suspension?.decided(call.callId);
    const interrupted = row === undefined ? undefined : interruptedCall(row);
    if (interrupted !== undefined && call.tool.repeatable === true) {
      return runInterrupted(call, { verdict, question, interrupted }, invocation);
    }
    return (await ranBefore(question, invocation)) ?? runAnswered(call, { verdict, question }, invocation);
  }
  const decided = await services.journal.decided(call.callId);
  if (decided !== undefined) return giveUp(question, decidedOutcome(decided), invocation);
  // An approval would be for the arguments that were shown (wire.md 5): today's schema may make others of them.
  if (canonicalJson(call.argumentsValue) !== row.arguments) {
    return giveUp(question, { status: 'cancelled', text: outcomeText.changed }, invocation);
  }
  if (!mayRun(call.tool, principal.roles)) {
    return giveUp(question, { status: 'refused', text: outcomeText.refusedByRole }, invocation);
  }
  if (!services.openConfirmations.reserve(principal.userKey)) {
    return giveUp(question, { status: 'refused', text: outcomeText.tooManyOpen }, invocation);
  }
  const asked = { ...questionOf(call, verdict, invocation), actionId, requestedAt };
  return afterAnswer(call, { verdict, answer: await awaitAnswer(asked, services) }, invocation);
}

/** Makes a call again that a crash interrupted, as it was: whoever runs it knows its id (wire.md 5). */
async function runInterrupted(
  { tool, callId }: CheckedCall,
  {
    verdict,
    question,
    interrupted,
  }: { readonly verdict: ToolVerdict; readonly question: KeptQuestion; readonly interrupted: KeptCall },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { actionId, row } = question;
  tellEnd(question, { outcome: 'approved', by: row?.answeredBy ?? 'user' }, invocation);
  // Counted first: a call that ends its server each time must not be made for ever.
  await invocation.services.journal.retried(actionId);
  const call = { tool, callId, argumentsValue: interrupted.arguments, again: interrupted.context };
  const outcome = await executeJournalled(call, { verdict, answer: { actionId } }, invocation);
  const isEdited = row !== undefined && row.editedArguments !== null;
  return isEdited ? withEdited(interrupted.arguments, outcome) : outcome;
}

/** Ends a question whose action is not run any more: with what came of it if it was, else with `outcome`. */
async function closed(question: KeptQuestion, outcome: ToolOutcome, invocation: ToolInvocation): Promise<ToolOutcome> {
  return (await ranBefore(question, invocation)) ?? giveUp(question, outcome, invocation);
}

/** What came of a call whose action ran, or may have run, before; undefined when it certainly has not. */
async function ranBefore(question: KeptQuestion, invocation: ToolInvocation): Promise<ToolOutcome | undefined> {
  const { row } = question;
  if (row?.answer !== 'approved' || row.state === 'answered') return undefined;
  const { actionId, action, callId, state, outcome } = row;
  const { services, turn } = invocation;
  tellEnd(question, { outcome: 'approved', by: row.answeredBy ?? 'user' }, invocation);
  if (state !== 'executing' && outcome !== 'unknown') {
    return { status: outcome ?? 'unknown', text: outcomeText.ranBefore };
  }
  if (state === 'executing') {
    services.log.warn(
      { actionId, callId, action, turnId: turn.id },
      'an action was interrupted: check whether it took effect',
    );
    await services.journal.done(actionId, 'unknown', services.now());
  }
  invocation.actionFailed(services.texts.actionUnknown);
  return { status: 'unknown', text: outcomeText.unknown };
}

/** Runs what was approved and not begun; anything else that was decided is told to the model. */
async function runAnswered(
  call: CheckedCall,
  { verdict, question }: { readonly verdict: ToolVerdict; readonly question: KeptQuestion },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { actionId, row } = question;
  const { principal } = invocation;
  const decision = { outcome: row?.answer ?? 'cancelled', by: row?.answeredBy ?? 'system' } as const;
  if (row?.answer !== 'approved') {
    tellEnd(question, decision, invocation);
    return outcomeOf({ actionId, ...decision, principal });
  }
  const check = row.editedArguments === null ? undefined : checkArguments(call.tool, JSON.parse(row.editedArguments));
  const edited = check?.ok === true ? check.value : undefined;
  const runs = check === undefined ? call.argumentsValue : edited;
  if (runs === undefined || canonicalJson(runs) !== (row.editedArguments ?? row.arguments)) {
    return giveUp(question, { status: 'cancelled', text: outcomeText.changed }, invocation);
  }
  tellEnd(question, decision, invocation);
  const answer = { actionId, ...decision, principal, ...(edited === undefined ? {} : { edited }) };
  return afterAnswer(call, { verdict, answer }, invocation);
}

/** Closes a question whose action will not run: in the journal, for its readers, and for the model with `outcome`. */
async function giveUp(question: KeptQuestion, outcome: ToolOutcome, invocation: ToolInvocation): Promise<ToolOutcome> {
  const { actionId, callId, row } = question;
  const { services, suspension } = invocation;
  suspension?.decided(callId);
  if (row?.state === 'requested') await services.openConfirmations.abandon(actionId);
  if (row?.state === 'answered') await services.journal.done(actionId, outcome.status, services.now());
  tellEnd(question, { outcome: row?.answer ?? 'cancelled', by: row?.answeredBy ?? 'system' }, invocation);
  return outcome;
}

/** Tells readers how a question ended that an earlier process had put, and before that what was asked (wire.md 2). */
function tellEnd(
  { actionId, callId }: KeptQuestion,
  decision: Parameters<ToolInvocation['turn']['resolvedBefore']>[1],
  { turn, suspension }: ToolInvocation,
): void {
  const request = suspension?.takeRequest(callId);
  if (request !== undefined) turn.events.emit({ type: 'confirmation-requested', ...request });
  turn.resolvedBefore(actionId, decision);
}
