import { hintedId } from '../base/hinted-id.ts';
import { randomId } from '../base/random-id.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { confirmationRequest } from '../confirmations/confirmation-request.ts';
import { ranLately, repeatedIn } from '../confirmations/ran-before.ts';
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
import { endRow } from './end-row.ts';
import { influencesWithValues } from './foreign-values.ts';
import { keptCallOf } from './kept-call.ts';
import { reportDecision } from './report-decision.ts';
import type { Approval } from './run-approved.ts';
import { QuestionNotStored, storeAnswers, storeInTime, withdrawQuestion } from './store-in-time.ts';
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

interface Asking {
  /** The question of an earlier process, which has told it; the question then keeps its id. */
  readonly row: JournalRow | undefined;
  readonly reason: ConfirmationReason;
}

/**
 * Asks the user and waits. The journal is written first, and then the event is told. The wait ends with the answer, the expiry or the
 * end of the turn, whichever comes first. Resolves to the approval, to the outcome of a call that was not approved, or to undefined when the
 * journal knows better than this process.
 * @throws QuestionNotStored when the store does not take the question in time.
 */
export async function ask(ready: JudgedCall, { row, reason }: Asking): Promise<Approval | ToolOutcome | undefined> {
  const { turn, services } = ready.scope;
  const { openConfirmations, clock } = services;
  const { principal, credential } = turn.request.caller;
  const tenant = tenantOf(principal);
  const mayAsk = credential !== undefined || !turn.request.channel.isTextOnly;
  if (!mayAsk) return endRow(ready, row, outcomeOfServer('refused', outcomeText.cannotAsk));
  const canRemember = await offersRemember(ready);
  const repeats = await storeAnswers(() => repeatsOf(ready), { signal: turn.signal, isNew: row === undefined });
  if (!openConfirmations.reserve(principal.userKey)) {
    return endRow(ready, row, outcomeOfServer('refused', outcomeText.tooManyOpen));
  }
  const question = questionOf({ ...ready, repeats }, row, { reason, canRemember });
  const { actionId, requestedAt } = question;
  const decision = openConfirmations.open(actionId, { ...openConfirmation(question), isUntold: row === undefined });
  if (row === undefined) await put(question, decision);
  turn.callIs(ready.call.callId, 'waiting');
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
  // Somebody may have set the clock back since, or the question was put by another machine.
  const waitedMs = Math.max(0, clock.now() - requestedAt);
  services.metrics.of(tenant).confirmationResolved({ action, outcome, by, waitedMs });
  reportDecision(ready, actionId, decided);
  return outcome === 'approved' ? approvalOf(decided, question) : outcomeOfAnswer(outcome);
}

/** How far the same call has come: in this turn, else over whatever channel its user has made it. */
async function repeatsOf({ repeats, tool, argumentsValue, scope }: JudgedCall): Promise<JudgedCall['repeats']> {
  const { turn, services } = scope;
  const { channel, caller } = turn.request;
  if (repeats !== undefined || channel.confirmations === 'by-id') return repeats;
  const asked = { owner: caller.principal.userKey, action: tool.name, argumentsValue };
  return repeatedIn(await ranLately(asked, services));
}

function questionOf(
  ready: JudgedCall,
  row: JournalRow | undefined,
  said: Pick<Question, 'reason' | 'canRemember'>,
): Question {
  const { clock, confirmationTimeoutMs, replica } = ready.scope.services;
  const requestedAt = row?.requestedAt ?? clock.now();
  const influencedBy = influencesWithValues(ready, ready.provenance.influencedBy);
  return {
    ready: { ...ready, provenance: { ...ready.provenance, influencedBy } },
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
  const { call, tool, argumentsValue, provenance, repeats, scope } = question.ready;
  return confirmationRequest({
    ...question,
    ...{ callId: call.callId, tool, argumentsValue, provenance, repeats, agent: scope.agent.name },
  });
}

/**
 * Stores the question and tells it.
 * @throws QuestionNotStored when the store does not take it in time. Then it is withdrawn, and nobody is ever told of it.
 */
async function put(question: Question, decision: Promise<unknown>): Promise<void> {
  const { ready, actionId } = question;
  const { turn, services } = ready.scope;
  const { openConfirmations, journal } = services;
  const entry = journalEntry(ready, question);
  const key = `asked/${actionId}`;
  const tell = (): void => {
    if (!turn.mayBegin || !openConfirmations.isOpen(actionId)) throw new QuestionNotStored('the question is over');
    turn.events.keepText();
    turn.tape.apart(() => {
      // An approval of an earlier process holds only for the tool that the user was asked about.
      turn.record.put(`${ready.at}/asked`, ready.tool.fingerprint ?? true);
      turn.events.once(key, { type: 'confirmation-requested', ...requestOf(question) });
    });
    openConfirmations.told(actionId);
  };
  let isKept = false;
  try {
    turn.keep();
    isKept = true;
    const storing = storeInTime(entry, journal, { tape: turn.tape, tell });
    turn.putting(storing);
    await storing;
  } catch (error) {
    // Another process goes on with a turn that was lost.
    if (turn.tape.isLost) await turn.tape.flush();
    // It may have been shown in the last moment.
    if (!turn.events.withdraw(key)) return;
    // An end that comes at this moment, as of a Stop, decides the question once it is stored.
    if (openConfirmations.isOpen(actionId)) openConfirmations.withdraw(actionId);
    else turn.settling(decision);
    if (isKept) {
      turn.settling(withdrawQuestion(entry, services));
      turn.unkeep();
    }
    throw error instanceof QuestionNotStored ? error : new QuestionNotStored('it was not stored', { cause: error });
  }
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
