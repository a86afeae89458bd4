import { setTimeout as delay } from 'node:timers/promises';
import { heldMs, ranLately, repeatedIn } from '../confirmations/ran-before.ts';
import type { ConfirmationJournal, JournalRow } from '../ports/confirmation-journal.ts';
import { StepRefused } from '../ports/step-refused.ts';
import { untilHeld } from '../record/until-held.ts';
import { outcomeText } from '../tools/tool-outcome.ts';
import {
  type AskedCall,
  type AskingCall,
  isOfCall,
  keyOfRow,
  outcomeAgain,
  outcomeOfRow,
  outcomeWaiting,
  storedOutcome,
} from './asked-call.ts';
import type { DirectOutcome, EndedOutcome } from './direct-call.ts';
import { runDirect } from './run-direct.ts';

/** The most rows of a user's calls that are kept although nobody has approved them. */
const mostUnapproved = 20;

/** Milliseconds between two looks at a question that another process has put. */
const lookMs = 1_000;
/** The same for a call that another process has begun, which soon yields or ends, and for how long it is looked at. */
const yieldMs = 100;
const longestYieldMs = 30_000;

/**
 * Runs an approved call. The journal has its beginning before it begins, and its end before anybody is told. `byJournal` gives the outcome
 * where the journal lets nobody begin any more. Never rejects.
 */
export async function runAsked(
  asked: AskedCall,
  asking: AskingCall,
  byJournal: () => Promise<EndedOutcome>,
): Promise<EndedOutcome> {
  const { chosen, call, caller } = asking;
  const { actionId, callId } = asked;
  const { journal, clock, log } = chosen.services.calls;
  const ended = async (outcome: EndedOutcome, from: 'answered' | 'executing'): Promise<EndedOutcome> => {
    const done = untilHeld(() => journal.done(actionId, outcome.status, clock.now(), [from]));
    return done.then(
      () => outcome,
      () => storedOutcome(journal, actionId, outcome),
    );
  };
  // The call may have waited for the answer since it chose the tool.
  if (chosen.tool.fingerprint !== asked.fingerprint || chosen.tool.isCurrent?.() === false) {
    return ended({ status: 'cancelled', told: outcomeText.changed }, 'answered');
  }
  try {
    await journal.executing(actionId, clock.now());
  } catch (error) {
    if (error instanceof StepRefused) return byJournal();
    log.error({ error, actionId }, 'an approved action was not run: its beginning could not be stored');
    const from = ['answered', 'executing'] as const;
    void untilHeld(() => journal.done(actionId, 'failed', clock.now(), from)).catch(() => undefined);
    return { status: 'failed', told: outcomeText.serverFault };
  }
  const other = call.question === undefined ? await untilHeld(() => ranElsewhere(asked, asking)) : undefined;
  if (other !== undefined) {
    await ended({ status: 'cancelled', told: outcomeText.cancelled }, 'executing');
    return other;
  }
  if (chosen.stop.aborted) return ended({ status: 'cancelled', told: outcomeText.cancelled }, 'executing');
  // It may have been declared anew while its beginning was stored.
  if (chosen.tool.isCurrent?.() === false)
    return ended({ status: 'cancelled', told: outcomeText.changed }, 'executing');
  const outcome = await runDirect({ ...chosen, callId }, call, caller).catch((error: unknown): EndedOutcome => {
    log.error({ error, actionId, tool: chosen.tool.name }, 'a call without a turn failed');
    return { status: 'unknown', told: outcomeText.unknown };
  });
  return ended(outcome, 'executing');
}

/**
 * The outcome of the same call of this user that runs or has run under a question of another process. Two processes ask about one call where
 * they cannot hear of each other, and a user may approve both. Each writes that it has begun before it looks, so one of them sees the other.
 * Of two that see each other the later one yields. The first one cannot know whether it was seen, so it waits until the other has ended.
 */
async function ranElsewhere(
  { actionId }: AskedCall,
  { chosen, call, caller }: AskingCall,
): Promise<EndedOutcome | undefined> {
  const asked = { owner: caller.principal.userKey, action: chosen.tool.name, argumentsValue: call.argumentsValue };
  const { calls } = chosen.services;
  const until = performance.now() + longestYieldMs;
  while (!chosen.stop.aborted) {
    const rows = (await ranLately(asked, calls)).filter((row) => isOfCall(row) && row.outcome !== 'failed');
    const own = rows.find((row) => row.actionId === actionId);
    const others = rows.filter((row) => row.actionId !== actionId);
    if (others.length === 0) return undefined;
    const isFirst = own !== undefined && others.every((row) => row.state !== 'done' && orderOf(own) < orderOf(row));
    const ran = others.find(({ state }) => state === 'done') ?? others[0];
    if (!isFirst || performance.now() > until) return ran && againOf(ran, heldMs(calls.confirmationTimeoutMs));
    await delay(yieldMs, undefined, { signal: chosen.stop }).catch(() => undefined);
  }
  return undefined;
}

/** Says for all processes alike which of two calls goes first. */
function orderOf({ requestedAt, actionId }: JournalRow): string {
  return `${String(requestedAt).padStart(16, '0')} ${actionId}`;
}

/**
 * What the journal knows of the same call of this user: the outcome of one that ran in the last `rememberedMs` milliseconds, else how far the newest
 * has come. An action that failed may be tried again.
 */
export async function knownOfSame(
  { chosen: { tool, services }, call: { argumentsValue }, caller }: AskingCall,
  rememberedMs: number,
): Promise<{ readonly outcome?: EndedOutcome; readonly repeats?: AskingCall['repeats'] }> {
  const asked = { owner: caller.principal.userKey, action: tool.name, argumentsValue };
  const rows = await ranLately(asked, services.calls);
  const ran = rows.find((row) => isOfCall(row) && row.outcome !== 'failed');
  if (ran === undefined) return { repeats: repeatedIn(rows) };
  return { outcome: againOf(ran, rememberedMs) };
}

function againOf(ran: JournalRow, rememberedMs: number): EndedOutcome {
  const at = ran.doneAt ?? ran.executingAt ?? ran.requestedAt;
  return outcomeAgain(outcomeOfRow(ran), { at, until: at + rememberedMs });
}

/**
 * What the journal knows of a question that this process does not hold: an earlier process or another replica has put it, or it was forgotten.
 * A question whose replica has just died is waited for: soon another replica ends it.
 */
export async function rememberedOutcome(
  { chosen: { stop }, call }: AskingCall,
  { actionId, key, waitMs }: { readonly actionId: string; readonly key: string; readonly waitMs: number },
  journal: Pick<ConfirmationJournal, 'find'>,
): Promise<DirectOutcome> {
  const until = performance.now() + waitMs;
  for (;;) {
    const row = await journal.find(actionId);
    if (row === undefined || keyOfRow(row) !== key) return { status: 'unknown-question' };
    if (row.state !== 'requested') return outcomeOfRow(row);
    if (stop.aborted) return { status: 'cancelled', told: outcomeText.cancelled };
    if (performance.now() > until) return outcomeWaiting({ actionId, title: row.action }, call);
    await delay(lookMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Bounds the rows of a user's calls that nobody has approved. A program makes as many as it likes by asking and withdrawing. */
export function boundRows(owner: string, journal: Pick<ConfirmationJournal, 'dropUnapproved'>): void {
  // Rows that cannot be deleted now are deleted after the next question.
  journal.dropUnapproved(owner, mostUnapproved).catch(() => undefined);
}
