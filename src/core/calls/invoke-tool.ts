import { canonicalJson } from '../base/canonical-json.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type { ConfirmationReason } from '../events/turn-event.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import { type ConfirmationNeed, mayRun } from '../tools/tool-policy.ts';
import { approveByRule, approvesByRule } from './approve-by-rule.ts';
import { ask } from './ask.ts';
import { provenanceOf } from './call-provenance.ts';
import type { CallScope } from './call-scope.ts';
import { isOtherTool } from './changed-tool.ts';
import { checkCall } from './check-call.ts';
import { endRow } from './end-row.ts';
import { outcomeOfMistake } from './equal-mistakes.ts';
import { handOver } from './hand-over.ts';
import { knownRows } from './known-rows.ts';
import { notAsked, tellNow } from './not-asked.ts';
import { outcomeOfRepetition } from './repeated-call.ts';
import { approvalOfRow, runApproved, runInterrupted } from './run-approved.ts';
import { runUnasked } from './run-unasked.ts';
import { reportOutcome } from './report-outcome.ts';
import { sameWrite } from './same-write.ts';
import { QuestionNotStored, storeAnswers } from './store-in-time.ts';
import type { EnteredCall, JudgedCall, ToolCall } from './tool-call.ts';
import { type JudgedTool, whatItDid } from './what-it-did.ts';
import {
  outcomeElsewhere,
  outcomeNotAsked,
  outcomeOfMissingRole,
  outcomeOfServer,
  outcomeSwitchedOff,
  outcomeText,
  type RecordedOutcome,
  type ToolOutcome,
  unknownOutcome,
} from '../tools/tool-outcome.ts';

/**
 * Every call of a tool goes through this function, on every channel (docs/architecture.md): arguments → roles → confirmation → run →
 * `onToolResult` → outcome. A fault becomes an outcome that the model is told, never an exception.
 *
 * First calls, calls that go on after a restart and calls of a restored copy all enter here. The journal says how far a call had come.
 */
export async function invokeTool(call: ToolCall, scope: CallScope): Promise<ToolOutcome> {
  const { turn, path } = scope;
  const at = `${path}/call/${call.callId}`;
  const isNew = !turn.record.has(at);
  const closing: (() => void)[] = [];
  const entered: EnteredCall = {
    call,
    at,
    scope,
    isKnown: turn.record.inherited(`${path}/model`),
    afterwards: (close) => closing.push(close),
  };
  const outcome = await turn.record.step(at, () => timed(entered), { kind: 'tool', ...call });
  // The row is closed after its outcome is on the tape: what the action returned must not be lost.
  turn.tape.hold();
  for (const close of closing) close();
  // What the model is told of a write must be the same after a crash. It is where nobody was asked.
  const isWrite = turn.record.has(`${at}/asked`) || turn.record.has(`${at}/began`) || closing.length > 0;
  const isUnasked = outcome.text === outcomeText.notAsked;
  if (isWrite && !isUnasked) await turn.tape.flush();
  reportOutcome(entered, outcome, isNew);
  if (isNew && isUnasked) await tellNow(entered, outcome);
  turn.callIs(call.callId, 'ended');
  return outcome;
}

async function timed(entered: EnteredCall): Promise<RecordedOutcome> {
  const { call, scope } = entered;
  const { clock, log } = scope.services;
  const checked = checkCall(call, scope.agent.toolbox);
  if ('status' in checked && !entered.isKnown) return outcomeOfMistake(checked, call, scope);
  if (!('status' in checked) && checked.tool.handsOver === true) return handOver(entered, checked);
  const startedAt = clock.elapsed();
  scope.turn.callIs(call.callId, 'entered');
  let judged: JudgedTool | undefined;
  const note = (as: JudgedTool): void => {
    judged = as;
  };
  const outcome = await enter(entered, note).catch((error: unknown): ToolOutcome => {
    // Only steps before the run of the action can reject or be cut short. Once the action runs, every fault is an outcome.
    if (!scope.turn.mayBegin) return outcomeOfServer('cancelled', outcomeText.cancelled);
    if (error instanceof QuestionNotStored) return notAsked(entered, error);
    log.error({ error, tool: call.name, callId: call.callId }, 'a tool call failed');
    return outcomeOfServer('failed', outcomeText.serverFault);
  });
  const durationMs = Math.round(clock.elapsed() - startedAt);
  return { ...outcome, durationMs, ...whatItDid(entered, judged, outcome) };
}

/**
 * The steps of a call. The call enters them again when the journal refuses a change, because the journal then knows better than this
 * process. `note` is called with the tool and with whether the policy counts the call as read-only.
 */
async function enter(entered: EnteredCall, note: (as: JudgedTool) => void): Promise<ToolOutcome> {
  const { call, at, scope } = entered;
  const { turn, agent, services } = scope;
  const { own, other, wasAsked } = await knownRows(entered);
  // The next checks end calls that are over, have run or may have run.
  if (other !== undefined) return endRow(entered, own, outcomeElsewhere(other, own !== undefined));
  if (own?.state === 'done') return endRow(entered, own);
  const enterAgain = async (): Promise<ToolOutcome> => {
    await turn.tape.stillHeld();
    return enter({ ...entered, isKnown: true }, note);
  };
  if (own?.state === 'executing') return (await runInterrupted(entered, own)) ?? enterAgain();
  if (turn.record.inherited(`${at}/began`) || (turn.isCopy && !wasAsked && turn.record.inherited(`${at}/asked`))) {
    return unknownOutcome(services.texts.actionUnknown);
  }
  // The next checks end calls that may not run.
  if (!turn.mayBegin) return endRow(entered, own, outcomeOfServer('cancelled', outcomeText.cancelled));
  const fitting = checkCall(call, agent.toolbox);
  if ('status' in fitting) return endRow(entered, own, outcomeOfMistake(fitting, call, scope));
  const { need, readOnly } = await untilStopped(services.policy.judge(fitting.tool), turn.signal);
  note({ tool: fitting.tool, readOnly });
  if (!mayRun(fitting.tool, turn.request.caller.principal)) {
    return endRow(entered, own, outcomeOfMissingRole(fitting.tool, services.texts));
  }
  const repeated = own === undefined && !wasAsked ? outcomeOfRepetition(call, scope) : undefined;
  if (repeated !== undefined) return outcomeOfMistake(repeated, call, scope);
  if (services.policy.isSwitchedOff(fitting.tool, readOnly)) {
    return endRow(entered, own, outcomeSwitchedOff(fitting.tool, services.texts));
  }
  const provenance = provenanceOf(fitting.tool, fitting.argumentsValue, scope);
  const ready: JudgedCall = { ...entered, ...fitting, readOnly, provenance };
  const because = reasonToAsk(need, ready);
  // A call that runs without an answer.
  if (own === undefined && because === undefined && !wasAsked) return runUnasked(ready);
  // From here on the call needs an answer. An approval covers only the arguments that were shown.
  const isOther = own !== undefined && isOtherTool(turn.record.get(`${at}/asked`), fitting.tool);
  if (isOther || (own !== undefined && canonicalJson(fitting.argumentsValue) !== own.arguments)) {
    return endRow(entered, own, outcomeOfServer('cancelled', outcomeText.changed));
  }
  if (own?.state === 'answered') return (await runApproved(ready, approvalOfRow(own, ready))) ?? enterAgain();
  const repeats = await storeAnswers(() => sameWrite(ready), { signal: turn.signal, isNew: own === undefined });
  const isByRule = own === undefined && !wasAsked && repeats === undefined && (await approvesByRule(ready));
  // An earlier process may have told the user that nobody could be asked.
  if (!isByRule && !mayAsk(entered, own)) return endRow(entered, own, outcomeNotAsked(services.texts));
  const asking = { row: own, reason: because ?? 'policy' } as const;
  const approval = isByRule ? await approveByRule(ready) : await ask({ ...ready, repeats }, asking);
  if (approval === undefined) return enterAgain();
  return 'status' in approval ? approval : ((await runApproved(ready, approval)) ?? enterAgain());
}

/**
 * Whether the user may be asked. A question that an earlier process has told stays as it was; one that it has stored and not told is over.
 * Of a call that it has left without one nobody knows whether it had given up asking, unless it has suspended the turn. A copy of a turn
 * asks by itself.
 */
function mayAsk({ isKnown, scope }: EnteredCall, own: JournalRow | undefined): boolean {
  const { isCopy, events } = scope.turn;
  if (!isKnown) return true;
  return own === undefined ? events.wasSuspended || isCopy : events.wasTold(`asked/${own.actionId}`);
}

/**
 * Why the user is asked about the call: because of the policy, or because no trusted source gave a destination of the call
 * (contract/provenance.md#sinks).
 */
function reasonToAsk(need: ConfirmationNeed, { provenance, scope }: JudgedCall): ConfirmationReason | undefined {
  if (need.ask) return need.because;
  const { policy, enforcesProvenance } = scope.services;
  return policy.mayAsk && enforcesProvenance && provenance.notFromUser.size > 0 ? 'influenced' : undefined;
}
