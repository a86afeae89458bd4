import { hintedId } from '../base/hinted-id.ts';
import { randomId } from '../base/random-id.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { confirmationRequest } from '../confirmations/confirmation-request.ts';
import type { Decided, OpenConfirmation } from '../confirmations/open-confirmations.ts';
import { wordedForUser } from '../confirmations/edited-faults.ts';
import { tenantOf } from '../identity/principal.ts';
import type { ConfirmationReason, ConfirmationRequest } from '../events/turn-event.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { meteredName } from '../tools/tool-name.ts';
import { outcomeOfAnswer, outcomeOfServer, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import { mayRun } from '../tools/tool-policy.ts';
import { journalEntry } from './approve-by-rule.ts';
import { isUninfluenced } from './call-provenance.ts';
import { closeUnborn } from './close-unborn.ts';
import { endRow } from './end-row.ts';
import { keptCallOf } from './kept-call.ts';
import { reportDecision } from './report-decision.ts';
import type { Approval } from './run-approved.ts';
import type { JudgedCall } from './tool-call.ts';

interface Question {
  readonly ready: JudgedCall;
  readonly actionId: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /** Epoch milliseconds; undefined when questions do not expire. */
  readonly expiresAt: number | undefined;
  readonly reason: ConfirmationReason;
  readonly canRemember: boolean;
}

/**
 * Asks the user and waits. The journal is written first, and then the event is told. The wait ends with the answer, the expiry or the
 * end of the turn, whichever comes first. `row` is the question of an earlier process; the question then keeps its id. Resolves to the
 * approval, to the outcome of a call that was not approved, or to undefined when the journal knows better than this process.
 * @throws Error when the journal cannot take the question.
 */
export async function ask(
  ready: JudgedCall,
  row: JournalRow | undefined,
  reason: ConfirmationReason,
): Promise<Approval | ToolOutcome | undefined> {
  const { turn, services } = ready.scope;
  const { openConfirmations, clock } = services;
  const { principal, credential } = turn.request.caller;
  const tenant = tenantOf(principal);
  const mayAsk = credential !== undefined || !turn.request.channel.isTextOnly;
  if (!mayAsk) return endRow(ready, row, outcomeOfServer('refused', outcomeText.cannotAsk));
  const canRemember = await offersRemember(ready);
  if (!openConfirmations.reserve(principal.userKey)) {
    return endRow(ready, row, outcomeOfServer('refused', outcomeText.tooManyOpen));
  }
  const question = questionOf(ready, row, { reason, canRemember });
  const { actionId, requestedAt } = question;
  await endUnborn(question);
  const decision = openConfirmations.open(actionId, openConfirmation(question));
  await put(question, row);
  const action = meteredName(ready.tool.name);
  services.metrics.of(tenant).confirmationRequested({ action });
  const decided = await turn.record.wait(decision, { kind: 'question', actionId, action: ready.tool.name });
  if (decided === 'lost') return undefined;
  const { outcome, by, edited } = decided;
  turn.events.once(`resolved/${actionId}`, {
    type: 'confirmation-resolved',
    actionId,
    outcome,
    by,
    ...(edited === undefined ? {} : { arguments: edited }),
  });
  const waitedMs = clock.now() - requestedAt;
  services.metrics.of(tenant).confirmationResolved({ action, outcome, by, waitedMs });
  reportDecision(ready, actionId, decided);
  return outcome === 'approved' ? approvalOf(decided, question) : outcomeOfAnswer(outcome);
}

function questionOf(
  ready: JudgedCall,
  row: JournalRow | undefined,
  said: Pick<Question, 'reason' | 'canRemember'>,
): Question {
  const { clock, confirmationTimeoutMs, replica } = ready.scope.services;
  const requestedAt = row?.requestedAt ?? clock.now();
  return {
    ready,
    actionId: row?.actionId ?? hintedId(replica),
    requestedAt,
    expiresAt: confirmationTimeoutMs > 0 ? requestedAt + confirmationTimeoutMs : undefined,
    ...said,
  };
}

/**
 * Whether the user may choose not to be asked again. The choice is offered for actions of the coordinator (contract/confirmations.md),
 * and only where it would have an effect.
 */
async function offersRemember({ tool, provenance, scope }: JudgedCall): Promise<boolean> {
  const { turn, agent, services } = scope;
  const { autoApproval, enforcesProvenance } = services;
  // An untrusted result of an action ends every choice not to be asked again. So the choice is not offered for an action whose results
  // are not trusted.
  const isKept = !enforcesProvenance || (isUninfluenced(provenance) && tool.trusted === true);
  const isOffered =
    autoApproval?.offersRemember === true &&
    agent.mayApproveByRule &&
    tool.destructive !== true &&
    turn.request.channel.canRemember &&
    tool.source === 'action' &&
    isKept;
  if (!isOffered || agent.mustAsk === undefined) return isOffered;
  return !(await untilStopped(agent.mustAsk, turn.signal));
}

/**
 * Ends an earlier question about this call that was told, but whose row never reached the journal. The new question
 * takes its place.
 */
async function endUnborn({ ready, actionId }: Question): Promise<void> {
  for (const event of ready.scope.turn.events.openQuestions) {
    const told = JSON.parse(event.json) as { readonly actionId: string; readonly callId: string }; // written by this server
    if (told.callId === ready.call.callId && told.actionId !== actionId) await closeUnborn(event, ready.scope);
  }
}

function openConfirmation(question: Question): OpenConfirmation {
  const { ready, requestedAt, expiresAt, canRemember } = question;
  const { call, tool, argumentsValue, scope } = ready;
  const { turn } = scope;
  const { channel, caller } = turn.request;
  const { credential } = caller;
  const page = credential === undefined ? undefined : { credential, proof: randomId(), request: requestOf(question) };
  return {
    callId: call.callId,
    page,
    userKey: caller.principal.userKey,
    owner: channel.confirmations === 'by-id' ? undefined : caller.principal,
    argumentsValue,
    canRemember,
    checkEdited: tool.editable
      ? (edited) => wordedForUser(checkArguments(tool, edited), tool, scope.services.texts)
      : undefined,
    requestedAt,
    expiresAt,
    signal: turn.signal,
    mayAnswer: () => turn.mayBegin,
    stoppedBy: () => turn.stoppedBy,
    // The question may have stood open for long. The role that the user has now decides.
    executing: (runs, principal) =>
      mayRun(tool, principal ?? caller.principal)
        ? keptCallOf({ ...ready, principal: principal ?? caller.principal }, runs)
        : undefined,
  };
}

function requestOf(question: Question): ConfirmationRequest {
  const { call, tool, argumentsValue, provenance, scope } = question.ready;
  return confirmationRequest({
    ...question,
    ...{ callId: call.callId, tool, argumentsValue, provenance, agent: scope.agent.name },
  });
}

/**
 * Stores the question and tells it. The store takes the three writes as one group, in the order in which they are made
 * here.
 */
async function put(question: Question, row: JournalRow | undefined): Promise<void> {
  const { ready, actionId } = question;
  const { call, at, scope } = ready;
  const { turn, services } = scope;
  turn.keep();
  // An approval of an earlier process holds only for the tool that the user was asked about.
  turn.record.put(`${at}/asked`, question.ready.tool.fingerprint ?? true);
  const stored =
    row === undefined ? services.journal.requested(journalEntry(ready, question), turn.tape.hold()) : undefined;
  turn.events.once(`asked/${actionId}`, {
    type: 'confirmation-requested',
    ...requestOf(question),
  });
  turn.tape.hold();
  try {
    await stored;
  } catch (error) {
    services.openConfirmations.withdraw(actionId);
    // The record has the question now. The question is told as soon as the store has taken the record.
    await turn.tape.flush();
    const told = turn.events.openQuestions.find(({ json }) => actionIdOf(json) === actionId);
    if (told !== undefined) await closeUnborn(told, ready.scope);
    throw error;
  }
  await turn.tape.flush();
  turn.callIs(call.callId, 'waiting');
}

function actionIdOf(json: string): string {
  return (JSON.parse(json) as { readonly actionId: string }).actionId; // written by this server
}

function approvalOf({ principal, edited, remember, isExecuting }: Decided, { ready, actionId }: Question): Approval {
  const { turn } = ready.scope;
  if (remember === true) {
    turn.remembered.add(ready.tool.name);
  }
  return {
    actionId,
    principal: principal ?? turn.request.caller.principal,
    isExecuting,
    ...(edited === undefined ? {} : { edited }),
  };
}
