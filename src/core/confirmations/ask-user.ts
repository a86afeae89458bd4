import { randomId } from '../identity/random-id.ts';
import type { Principal } from '../identity/principal.ts';
import { reportSecurity } from '../identity/report-security.ts';
import type { ConfirmationJournal, JournalEntry } from '../ports/confirmation-journal.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import type { Tool } from '../tools/tool.ts';
import { type LiveTurn, TurnStopped } from '../turn/live-turn.ts';
import type { ChannelName, ConfirmationReason, ConfirmationRequest } from '../turn/turn-event.ts';
import type { TurnSuspension } from '../turn/turn-suspension.ts';
import { canonicalJson, hashArguments } from './canonical-json.ts';
import { confirmationRequest } from './confirmation-request.ts';
import type { ConfirmationDecision, OpenConfirmations } from './open-confirmations.ts';

export interface AskUserServices {
  readonly journal: ConfirmationJournal;
  readonly openConfirmations: OpenConfirmations;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => number;
  /** Milliseconds; 0 lets a question wait as long as its turn lives (wire.md 5). */
  readonly confirmationTimeoutMs: number;
}

export interface Question {
  readonly turn: LiveTurn;
  readonly principal: Principal;
  readonly channel: ChannelName;
  readonly callId: string;
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
  readonly agent: string;
  readonly reason: ConfirmationReason;
  readonly canRemember: boolean;
  /** With `hitlMode: Native`: what keeps the turn while it waits. */
  readonly suspension?: TurnSuspension | undefined;
}

/**
 * The decision and the id it stands under in the journal. `principal` is whom the action runs for, with the roles known
 * when it was answered: the owner's request is later than the turn's.
 */
export type Answer = ConfirmationDecision & { readonly actionId: string; readonly principal: Principal };

interface Decided {
  readonly decision: ConfirmationDecision;
  readonly principal: Principal;
}

/**
 * Asks the user and waits (`hitlMode: Blocking`, service.md 2.6 and 3): journal first, then the event, then the answer,
 * the expiry or the end of the turn, whichever comes first. The caller has reserved a place for it in
 * `openConfirmations`. Rejects only when the journal cannot take the question.
 */
export async function askUser(question: Question, services: AskUserServices): Promise<Answer> {
  const actionId = randomId();
  const requestedAt = services.now();
  const journalled = { ...question, actionId, requestedAt };
  try {
    await services.journal.requested(journalEntry(actionId, question, requestedAt));
    const { callId, suspension } = question;
    await suspension?.asked({ actionId, callId, requestedAt, request: requestOf(journalled, services) });
  } catch (error) {
    services.openConfirmations.release(question.principal.userKey);
    throw error;
  }
  return awaitAnswer(journalled, services);
}

/** A question that stands in the journal. */
interface JournalledQuestion extends Question {
  readonly actionId: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
}

/** Puts a question that stands in the journal, and waits for its answer: the second half of `askUser`. */
export async function awaitAnswer(question: JournalledQuestion, services: AskUserServices): Promise<Answer> {
  const { actionId, requestedAt, turn } = question;
  const { decision, principal } = await waitForDecision(question, services);
  turn.confirmationClosed(actionId);
  const { outcome, by } = decision;
  turn.events.emit({ type: 'confirmation-resolved', actionId, outcome, by });
  services.metrics.confirmationResolved({ outcome, by, waitedMs: services.now() - requestedAt });
  reportDecision(question, decision, services);
  return { actionId, principal, ...decision };
}

/**
 * Approves in the user's place (service.md 2.6, `AutoApprovalRules`): no box, but the same rows in the journal, since no
 * action that asks runs without its approval. Rejects when the journal cannot take them.
 */
export async function approveByRule(question: Question, services: AskUserServices): Promise<Answer> {
  const actionId = randomId();
  const at = services.now();
  await services.journal.requested(journalEntry(actionId, question, at));
  await services.journal.answered(actionId, { answer: 'approved', by: 'rule' }, at);
  question.turn.events.emit({ type: 'confirmation-resolved', actionId, outcome: 'approved', by: 'rule' });
  services.metrics.confirmationResolved({ outcome: 'approved', by: 'rule', waitedMs: 0 });
  const decision = { outcome: 'approved', by: 'rule' } as const;
  reportDecision({ ...question, actionId }, decision, services);
  return { actionId, principal: question.principal, ...decision };
}

/** The line of the security log on who has decided: a rule decides in the place of the turn's user. */
function reportDecision(
  { actionId, callId, tool, turn, principal }: Question & { readonly actionId: string },
  { outcome, by, presenter = principal.userKey, requestId }: ConfirmationDecision,
  services: AskUserServices,
): void {
  if (by === 'system' || (outcome !== 'approved' && outcome !== 'declined')) return;
  const ids = { actionId, callId, turnId: turn.id, conversationId: turn.conversationId, action: tool.name };
  reportSecurity({ what: outcome, reason: by, who: presenter, requestId, ...ids }, services);
}

function journalEntry(actionId: string, question: Question, requestedAt: number): JournalEntry {
  return {
    actionId,
    callId: question.callId,
    turnId: question.turn.id,
    conversationId: question.turn.conversationId,
    action: question.tool.name,
    argumentsHash: hashArguments(question.argumentsValue),
    arguments: canonicalJson(question.argumentsValue),
    agent: question.agent,
    owner: ownerOf(question)?.userKey ?? null,
    requestedAt,
  };
}

/** A confirmation raised over SSE has no owner: its `actionId` is the capability (service.md 5.10). */
function ownerOf({ channel, principal }: Question): Principal | undefined {
  return channel === 'sse' ? undefined : principal;
}

/** Epoch milliseconds; undefined when questions do not expire. */
function expiryOf({ requestedAt }: JournalledQuestion, { confirmationTimeoutMs }: AskUserServices): number | undefined {
  return confirmationTimeoutMs > 0 ? requestedAt + confirmationTimeoutMs : undefined;
}

function requestOf(question: JournalledQuestion, services: AskUserServices): ConfirmationRequest {
  return confirmationRequest({ ...question, expiresAt: expiryOf(question, services) });
}

function waitForDecision(question: JournalledQuestion, services: AskUserServices): Promise<Decided> {
  const { turn, actionId } = question;
  const { openConfirmations } = services;
  const { promise, resolve } = Promise.withResolvers<Decided>();
  const onStop = (): void => void openConfirmations.end(actionId, 'cancelled', whoStopped(turn.signal));
  const expiresAt = expiryOf(question, services);
  // A question that a restart takes over must not hold up the end of this process.
  const expiry =
    expiresAt === undefined
      ? undefined
      : setTimeout(
          () => void openConfirmations.end(actionId, 'expired', 'system'),
          Math.max(0, expiresAt - services.now()),
        ).unref();
  const decide = (decision: ConfirmationDecision, principal: Principal = question.principal): void => {
    clearTimeout(expiry);
    turn.signal.removeEventListener('abort', onStop);
    resolve({ decision, principal });
  };
  const { callId, tool, argumentsValue, canRemember } = question;
  openConfirmations.open(actionId, {
    callId,
    userKey: question.principal.userKey,
    owner: ownerOf(question),
    argumentsValue,
    canRemember,
    checkEdited: tool.editable ? (edited) => checkArguments(tool, edited) : undefined,
    decide,
  });
  turn.confirmationOpened(requestOf(question, services));
  question.suspension?.put(question.callId);
  services.metrics.confirmationRequested();
  // A turn that was stopped while the journal was written has an aborted signal and fires no event any more.
  if (turn.signal.aborted) onStop();
  else turn.signal.addEventListener('abort', onStop, { once: true });
  return promise;
}

function whoStopped(signal: AbortSignal): 'user' | 'system' {
  return signal.reason instanceof TurnStopped && signal.reason.reason === 'user' ? 'user' : 'system';
}
