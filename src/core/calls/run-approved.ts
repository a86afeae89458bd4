import { canonicalJson } from '../base/canonical-json.ts';
import type { Principal } from '../identity/principal.ts';
import type { JournalRow, JournalState } from '../ports/confirmation-journal.ts';
import { StepRefused } from '../ports/step-refused.ts';
import { untilHeld } from '../record/until-held.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import {
  outcomeOfMissingRole,
  outcomeOfServer,
  outcomeSwitchedOff,
  outcomeText,
  type ToolOutcome,
} from '../tools/tool-outcome.ts';
import { mayRun } from '../tools/tool-policy.ts';
import { isOtherTool } from './changed-tool.ts';
import { endRow, tellResolved } from './end-row.ts';
import { interruptedCall, keptCallOf } from './kept-call.ts';
import { runCall } from './run-call.ts';
import { typedByUser } from './typed-by-user.ts';
import type { CheckedCall, EnteredCall } from './tool-call.ts';

/** An approved call. */
export interface Approval {
  readonly actionId: string;
  /**
   * For whom the call runs, with the roles known at the moment of the answer: the owner answers later than the turn
   * began.
   */
  readonly principal: Principal;
  /** The arguments to run with, when the user changed them. */
  readonly edited?: Readonly<Record<string, unknown>>;
  /** Whether the journal has the call as begun already: the journal stores the answer and the beginning in one step. */
  readonly isExecuting: boolean;
  /** The answer was given in an earlier process. */
  readonly row?: JournalRow;
}

/** The approval of a row that was answered but had not begun when an earlier process ended. */
export function approvalOfRow(row: JournalRow, { scope }: CheckedCall): Approval {
  const { principal } = scope.turn.request.caller;
  return { actionId: row.actionId, principal, isExecuting: false, row };
}

/** Runs an approved call, with the arguments as the user left or changed them. Undefined: the journal refused to begin the call. */
export async function runApproved(ready: CheckedCall, approval: Approval): Promise<ToolOutcome | undefined> {
  const { actionId, principal, isExecuting, row } = approval;
  const { turn } = ready.scope;
  if (row !== undefined) {
    const edited = editedOf(row, ready);
    if (edited === 'changed') return endRow(ready, row, outcomeOfServer('cancelled', outcomeText.changed));
    tellResolved(row, turn);
    return runApproved(ready, { actionId, principal, isExecuting, ...(edited === undefined ? {} : { edited }) });
  }
  const argumentsValue = approval.edited ?? ready.argumentsValue;
  const call: CheckedCall = { ...ready, principal, argumentsValue, isApproved: true };
  if (!isExecuting) {
    // The question may have stood open for long. The role that the user has now decides.
    if (!mayRun(ready.tool, principal)) {
      const refused = outcomeOfMissingRole(ready.tool, ready.scope.services.texts);
      return endingRow(call, { actionId, from: ['answered'] }, refused);
    }
    const begun = await begin(call, actionId);
    if (begun !== 'begun') return begun;
  }
  const outcome = await runUnlessStopped(call);
  return endingRow(call, { actionId, from: ['executing'] }, withEdited(ready.argumentsValue, approval.edited, outcome));
}

/** A Stop, the kill switch or another declaration may have come while the question stood or its answer was stored. */
function runUnlessStopped(call: CheckedCall): ToolOutcome | Promise<ToolOutcome> {
  const { turn, services } = call.scope;
  if (!turn.mayBegin) return outcomeOfServer('cancelled', outcomeText.cancelled);
  if (services.policy.isSwitchedOff(call.tool, call.readOnly)) return outcomeSwitchedOff(call.tool, services.texts);
  if (call.tool.isCurrent?.() === false) return outcomeOfServer('cancelled', outcomeText.changed);
  return runCall(call);
}

/**
 * Makes a call again that a crash interrupted, where its tool allows it and is the one that the user was asked about. Otherwise the outcome
 * is unknown to everybody.
 */
export async function runInterrupted(entered: EnteredCall, row: JournalRow): Promise<ToolOutcome | undefined> {
  const { scope } = entered;
  const { turn, services } = scope;
  const { actionId, action, callId, turnId } = row;
  const kept = interruptedCall(row);
  const isStopped = (): boolean => turn.signal.aborted;
  const tool = scope.agent.toolbox.find(action);
  const isSwitchedOff = tool !== undefined && services.policy.isSwitchedOff(tool, false);
  const isOther = tool !== undefined && isOtherTool(turn.record.get(`${entered.at}/asked`), tool);
  if (kept === undefined || tool?.repeatable !== true || isOther || isSwitchedOff || isStopped()) {
    services.log.warn({ actionId, callId, action, turnId }, 'an action was interrupted: check whether it took effect');
    return endRow(entered, row);
  }
  // The attempt is counted before it is made. Otherwise a call that crashes the server each time would be made for
  // ever.
  const isOurs = await untilHeld(() => services.journal.retried(actionId)).then(
    () => true,
    () => false,
  );
  if (!isOurs) return undefined;
  tellResolved(row, turn);
  // A Stop may have come while the count was stored.
  if (isStopped()) return endRow(entered, row);
  const call: CheckedCall = { ...entered, tool, argumentsValue: kept.arguments, readOnly: false, again: kept.context };
  const outcome = await runCall(call);
  services.log.warn(
    { actionId, callId, action, turnId, status: outcome.status },
    'an interrupted action was called again',
  );
  const edited = row.editedArguments === null ? undefined : kept.arguments;
  return endingRow(call, { actionId, from: ['executing'] }, withEdited(JSON.parse(row.arguments), edited, outcome));
}

/**
 * The arguments as the user changed them. `changed` when they no longer fit the schema of the tool, which is another one by now. The
 * user approved these arguments and no others (wire-5-16).
 */
function editedOf(row: JournalRow, { tool }: CheckedCall): CheckedCall['argumentsValue'] | 'changed' | undefined {
  if (row.editedArguments === null) return undefined;
  const check = checkArguments(tool, JSON.parse(row.editedArguments));
  return check.ok && canonicalJson(check.value) === row.editedArguments ? check.value : 'changed';
}

/** Stores that the action begins. When that cannot be stored, the action does not begin. */
async function begin(call: CheckedCall, actionId: string): Promise<'begun' | ToolOutcome | undefined> {
  const { journal, clock, log } = call.scope.services;
  try {
    await journal.executing(actionId, clock.now(), keptCallOf(call, call.argumentsValue).call);
    return 'begun';
  } catch (error) {
    if (error instanceof StepRefused) return undefined;
    log.error({ error, actionId }, 'an approved action was not run: its beginning could not be stored');
    const from = ['answered', 'executing'] as const;
    return endingRow(call, { actionId, from }, outcomeOfServer('failed', outcomeText.serverFault));
  }
}

/** Returns the outcome, and closes the row once the outcome is on the tape. */
function endingRow(
  { call, scope, afterwards }: EnteredCall,
  { actionId, from }: { readonly actionId: string; readonly from: readonly JournalState[] },
  outcome: ToolOutcome,
): ToolOutcome {
  const { turn, services } = scope;
  const { journal, clock, log } = services;
  // The journal refuses the end where an earlier attempt has stored it, and where another process has the turn by now. The outcome of that process
  // stands, so the log alone tells what came of the call here.
  const endedAt = clock.now();
  const refused = async (): Promise<void> => {
    const stored = await journal.find(actionId).catch(() => undefined);
    if (stored?.outcome === outcome.status && stored.doneAt === endedAt) return;
    const { callId, name: action } = call;
    const told = { actionId, callId, action, turnId: turn.id, status: outcome.status, stored: stored?.outcome };
    log.warn(told, 'a call has ended here whose turn another process has taken up: compare what has come of both');
  };
  afterwards(() => {
    turn.settling(untilHeld(() => journal.done(actionId, outcome.status, endedAt, from)).catch(refused));
  });
  return outcome;
}

/** Tells the model which arguments ran, since they differ from the arguments that the model asked for (wire-5-40). */
function withEdited(
  original: unknown,
  edited: CheckedCall['argumentsValue'] | undefined,
  outcome: ToolOutcome,
): ToolOutcome {
  if (edited === undefined) return outcome;
  const typed = typedByUser(original, edited);
  const told = `The user approved this action with other arguments than yours: ${canonicalJson(edited)}.`;
  return { ...outcome, text: `${told}\n${outcome.text}`, ...(typed === '' ? {} : { typed }) };
}
