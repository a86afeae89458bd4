import { canonicalJson, hashArguments } from '../base/canonical-json.ts';
import { randomId } from '../base/random-id.ts';
import { confirmationRequest, type RepeatedCall } from '../confirmations/confirmation-request.ts';
import type { Decision } from '../confirmations/open-confirmations.ts';
import type { ConfirmationReason, ConfirmationRequest } from '../events/turn-event.ts';
import type { ConfirmationJournal, JournalEntry, JournalRow } from '../ports/confirmation-journal.ts';
import { untilHeld } from '../record/until-held.ts';
import { sinkValues } from '../tools/sink-values.ts';
import { outcomeOfAnswer, outcomeText } from '../tools/tool-outcome.ts';
import type { DirectCall, DirectCaller, DirectOutcome, EndedOutcome } from './direct-call.ts';
import type { ChosenTool } from './run-direct.ts';

/** A call whose user has to answer first. Its arguments have been checked. */
export interface AskingCall {
  readonly chosen: ChosenTool;
  readonly call: DirectCall & { readonly argumentsValue: Readonly<Record<string, unknown>> };
  readonly caller: DirectCaller;
  readonly reason: ConfirmationReason;
  /** How far the same call of this user has come before. */
  readonly repeats?: RepeatedCall | undefined;
}

/**
 * A call that was asked about. `open`: the question waits. `approved`: the next call of the same action with the same arguments runs it.
 * `begun`: a call has taken the approval, and nobody else can. `over`: there is an outcome.
 */
export interface AskedCall {
  readonly actionId: string;
  /** The id under which the action runs. */
  readonly callId: string;
  /** The user, the action and the arguments: what the question is bound to. */
  readonly key: string;
  /** The key of the user who is asked. */
  readonly owner: string;
  /** A hash of the token of the program that asked. */
  readonly credential: string | undefined;
  /** `DirectCaller.program` of the call that asked. */
  readonly program?: string | undefined;
  /** The title of the action. */
  readonly title: string;
  /** What the form of the page must send back, so that no other website can send the form. */
  readonly proof: string;
  /** What the tool was declared as. */
  readonly fingerprint: string | undefined;
  /** What the user is shown. Undefined once the question is decided. */
  request: ConfirmationRequest | undefined;
  /** Resolves once the journal has the question. Rejects when the journal does not take it. */
  readonly stored: Promise<unknown>;
  readonly decision: Promise<Decision>;
  /** Ends the question without an answer. */
  readonly withdraw: () => void;
  state: 'open' | 'approved' | 'begun' | 'over';
  /** There from `begun` on. Never rejects. */
  outcome: Promise<EndedOutcome> | undefined;
  /** When the action has ended, in epoch milliseconds. */
  endedAt: number | undefined;
  /** The outcome was told, as far as this server knows. */
  wasTold: boolean;
  readonly repeats: RepeatedCall | undefined;
  /** The calls that wait for the answer now. */
  waiting: number;
  /** Forgets the call. */
  timer: NodeJS.Timeout | undefined;
}

/** What a question is bound to. No part of it can be spelled so that it looks like another: names and hashes hold no space. */
export function keyOfCall({
  chosen,
  call,
  caller,
}: {
  readonly chosen: Pick<ChosenTool, 'tool'>;
  readonly call: Pick<AskingCall['call'], 'argumentsValue'>;
  readonly caller: Pick<DirectCaller, 'principal'>;
}): string {
  return keyOf(caller.principal.userKey, chosen.tool.name, hashArguments(call.argumentsValue));
}

/** The same for a row of the journal. */
export function keyOfRow({ owner, action, argumentsHash }: JournalRow): string {
  return keyOf(owner ?? '', action, argumentsHash);
}

function keyOf(owner: string, action: string, argumentsHash: string): string {
  return `${action} ${argumentsHash} ${owner}`;
}

/** The rows of calls without a turn that were running when an earlier process ended. */
export function interruptedCalls(unfinished: readonly JournalRow[]): readonly JournalRow[] {
  return callsWithoutTurn(unfinished).filter(({ state }) => state === 'executing');
}

/** The rows of calls without a turn. */
export function callsWithoutTurn(rows: readonly JournalRow[]): readonly JournalRow[] {
  return rows.filter(isOfCall);
}

/** A call that a crash interrupted: nobody knows what came of it. */
export function interruptedCall(row: JournalRow & { readonly owner: string }): AskedCall {
  const { actionId, callId, owner, action: title } = row;
  const outcome = Promise.resolve<EndedOutcome>({ status: 'unknown', told: outcomeText.unknown });
  const decision = Promise.resolve('lost' as const);
  return {
    ...{ actionId, callId, key: keyOfRow(row), owner, title, credential: undefined, proof: randomId() },
    ...{ fingerprint: undefined, request: undefined, stored: decision, decision, withdraw: () => undefined },
    ...{ state: 'over', outcome, waiting: 0, timer: undefined, endedAt: undefined, wasTold: false, repeats: undefined },
  };
}

/** Whether a row is that of a call without a turn. */
export function isOfCall({ path }: Pick<JournalRow, 'path'>): boolean {
  return path === 'mcp';
}

/** The row that the journal gets before anybody is asked. A call without a turn is a turn of its own in the journal. */
export function entryOfCall(
  { chosen: { tool }, call, caller: { channel, principal } }: AskingCall,
  asked: Pick<AskedCall, 'actionId' | 'callId'> & { readonly requestedAt: number },
): JournalEntry {
  return {
    ...asked,
    turnId: asked.callId,
    path: channel,
    conversationId: '',
    action: tool.name,
    argumentsHash: hashArguments(call.argumentsValue),
    arguments: canonicalJson(call.argumentsValue),
    agent: channel,
    owner: principal.userKey,
  };
}

/** What the page of the question shows. */
export function requestOf(
  { chosen, call, caller, reason, repeats }: AskingCall,
  { actionId, expiresAt }: { readonly actionId: string; readonly expiresAt: number },
): NonNullable<AskedCall['request']> {
  const { tool, callId } = chosen;
  const { argumentsValue } = call;
  const sinks = sinkValues(tool.parameters, argumentsValue).map(({ parameter }) => parameter);
  // Another program's model has written all arguments, and this server does not know what that model has read.
  const provenance = { influencedBy: [], notFromUser: new Set(sinks) };
  const asked = {
    ...call,
    actionId,
    callId,
    tool,
    agent: caller.channel,
    reason,
    canRemember: false,
    expiresAt,
    repeats,
    provenance,
  };
  return { ...confirmationRequest(asked), editable: false };
}

/** Words for the model of the caller. */
export const askedText = {
  tooLong:
    'The arguments are too long to be shown to the user, who has to confirm this action. Nothing was run. Call it with shorter ones.',
  withdrawn: 'The question to the user was withdrawn before it was answered. The action did not run.',
  lapsed:
    'The user approved this action, but it was not called again in time, so the approval has lapsed. The action did not run.',
  restarted:
    'The server was restarted before the action ran, so the question to the user is over. The action did not run. Call it again to ask the user anew.',
  ranBefore:
    'The user approved this action and it ran. What it returned is not known any more. Do not call it again by yourself.',
  failedBefore:
    'The user approved this action and it failed. What it said is not known any more. Do not call it again by yourself.',
} as const;

/** The outcome of a question that ended without an approval. */
export function outcomeOfEnd(outcome: 'declined' | 'expired' | 'cancelled'): EndedOutcome {
  if (outcome === 'cancelled') return { status: 'cancelled', told: askedText.withdrawn };
  const { status, text } = outcomeOfAnswer(outcome);
  return { status, told: text };
}

/** What the journal tells of a call whose question this process does not hold any more. */
export function outcomeOfRow({ answer, outcome, state }: JournalRow): EndedOutcome {
  if (answer === 'declined' || answer === 'expired') return outcomeOfEnd(answer);
  if (answer !== 'approved' || outcome === 'cancelled') return { status: 'cancelled', told: askedText.restarted };
  if (outcome === 'succeeded') return { status: 'succeeded', told: askedText.ranBefore };
  if (outcome === 'failed' || outcome === 'refused') return { status: outcome, told: askedText.failedBefore };
  if (outcome === null && state === 'answered') return { status: 'cancelled', told: askedText.restarted };
  return { status: 'unknown', told: outcomeText.unknown };
}

/**
 * The outcome of a call whose end the journal has refused. Either an earlier attempt has stored the end, although the store reported a failure.
 * Or another replica has taken this one for dead and has ended the row: what the row says was told already (contract/replicas.md#left-behind).
 */
export async function storedOutcome(
  journal: Pick<ConfirmationJournal, 'find'>,
  actionId: string,
  outcome: EndedOutcome,
): Promise<EndedOutcome> {
  const row = await untilHeld(() => journal.find(actionId));
  return row === undefined || row.outcome === outcome.status ? outcome : outcomeOfRow(row);
}

/**
 * The outcome of a call that names no question, where the same call has run already: its first answer may have been lost on its way, or this
 * may be the same wish of another program. Nobody may take it for the outcome of another run.
 */
export function outcomeAgain(
  outcome: EndedOutcome,
  { at, until }: { readonly at: number; readonly until: number },
): EndedOutcome {
  const [ran, next] = [at, until].map((moment) => new Date(moment).toISOString());
  const told = `This call was not run again: the same call ran at ${String(ran)}. Until ${String(next)} a call with the same arguments gets this answer.`;
  if ('told' in outcome) return { ...outcome, told: `${told} ${outcome.told}` };
  const { content, text } = outcome;
  // Without data: a client that reads nothing else would take them for the result of another run.
  return {
    status: 'succeeded',
    text: `${told} It returned:\n${text}`,
    ...(content === undefined ? {} : { content: [{ type: 'text', text: told }, ...content] }),
  };
}

/** The outcome that asks the client to have its user answer. */
export function outcomeWaiting(
  { actionId, title, repeats }: Pick<AskedCall, 'actionId' | 'title'> & Partial<Pick<AskedCall, 'repeats'>>,
  { reply }: Pick<DirectCall, 'reply'>,
): DirectOutcome {
  return { status: 'waiting', question: { actionId, title, isOpened: reply === 'opened', repeats } };
}
