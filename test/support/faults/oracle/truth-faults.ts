import type { FoundFault, ToldQuestion, ToldTurn } from '../told.ts';
import { contradiction, type Facts, type Statement } from './facts.ts';

const untrue = (says: string): FoundFault => ({ kind: 'untrue', says });

/** Nothing false may be told, and nothing that contradicts an earlier statement (contract/restarts.md). */
export function truthFaults(facts: Facts): readonly FoundFault[] {
  const { questions, turns } = facts.told;
  return [
    ...questions.flatMap((question) => questionFaults(question, facts)),
    ...turns.flatMap((turn) => stopFaults(turn, facts)),
    ...turns.flatMap((turn) => uncalledFaults(turn, facts)),
  ];
}

function questionFaults(question: ToldQuestion, facts: Facts): readonly FoundFault[] {
  const { actionId, call, turnId, life } = question;
  const name = `${call.name} ${call.id}`;
  const outcomes = facts.outcomesOf(question);
  const statuses = facts.statusesOf(question);
  const told = contradiction(outcomes);
  const status = contradiction(statuses);
  const endedAt = Math.min(...outcomes.map(({ at }) => at));
  const isToldAgain = facts
    .answersTo(actionId)
    .some(({ body, sentAt }) => body?.['outcome'] === 'open' && sentAt > endedAt);
  const open = facts.answersTo(actionId).filter(({ body }) => body?.['outcome'] === 'open');
  const isBlocking = facts.told.plan.hitlMode === 'Blocking';
  return [
    ...(told === undefined ? [] : [untrue(`the question ${name} was told as ${told}`)]),
    ...(status === undefined ? [] : [untrue(`${name} was told as ${status}`)]),
    ...(isToldAgain ? [untrue(`the question ${name} was told as open once it had ended`)] : []),
    ...(isBlocking && open.some((answer) => answer.life > life)
      ? [untrue(`the Blocking question ${name} was told as open in a later process`)]
      : []),
    ...ledgerFaults(question, statuses, facts),
    ...causeFaults(question, facts),
    ...(facts.stoppedAt(turnId) === undefined ? [] : lateAnswerFaults(question, facts)),
  ];
}

/** Every status that was told must agree with the ledger. */
function ledgerFaults(question: ToldQuestion, statuses: readonly Statement[], facts: Facts): readonly FoundFault[] {
  const { call } = question;
  const isRun = facts.runsOf(call.id).length > 0;
  return distinct(statuses).flatMap(({ says, where, at }) => {
    const told = `${call.name} ${call.id} was told as ${says} (${where})`;
    switch (says) {
      case 'succeeded':
        return call.name === 'look' || facts.hasEnded(call.id) ? [] : [untrue(`${told} and did not run to its end`)];
      case 'failed':
        // A call that cannot be stored does not run, and ends as failed.
        if (call.name === 'failing_change') {
          return isRun || facts.isDisturbed(question.life) ? [] : [untrue(`${told} and never ran`)];
        }
        return isRun ? [untrue(`${told} and ran`)] : [];
      case 'declined':
      case 'cancelled':
      case 'refused':
        return isRun ? [untrue(`${told} and ran`)] : [];
      case 'unknown':
        return mayBeUnknown(question, at, facts) ? [] : [untrue(`${told} though nothing had disturbed it`)];
      default:
        return [untrue(`${told}, which is no status`)];
    }
  });
}

/** Whether `unknown` is allowed: somebody approved the call, and since then a process ended, a disk failed, or the turn was stopped. */
function mayBeUnknown({ actionId, turnId, life }: ToldQuestion, at: number, facts: Facts): boolean {
  const approvals = facts.answersTo(actionId).filter(({ what, status }) => what === 'approve' && status !== 404);
  return approvals.some(({ sentAt }) => {
    const ended = facts.livesFrom(life).some(({ endedAt }) => endedAt > sentAt && endedAt < at);
    const disturbed = facts
      .livesFrom(life)
      .some(({ startedAt, disturbance }) => startedAt < at && disturbance !== 'killed');
    return ended || disturbed || facts.stopsOf(turnId).some((stop) => stop.sentAt < at);
  });
}

/** Every outcome must have a cause. Only the user, the time limit, or in Blocking mode the end of the process can end a question. */
function causeFaults(question: ToldQuestion, facts: Facts): readonly FoundFault[] {
  const { call, turnId, life } = question;
  const { hitlMode, confirmationTimeout } = facts.told.plan;
  const name = `the ${hitlMode} question ${call.name} ${call.id}`;
  const outcomes = new Set(facts.outcomesOf(question).map(({ says }) => says));
  const isCalm = facts.stopsOf(turnId).length === 0 && !facts.isDisturbed(life);
  const given = new Set(
    facts.answersTo(question.actionId).flatMap(({ what, status }) => (status === 200 ? [what] : [])),
  );
  const statuses = facts.statusesOf(question).map(({ says }) => says);
  const isDropped = statuses.some((says) => says === 'cancelled' || says === 'refused');
  const hasPassed = facts.told.lives.some(({ disturbance }, index) => index >= life && disturbance === 'ended');
  return [
    ...(outcomes.has('expired') && confirmationTimeout === '15m' ? [untrue(`${name} expired before its time`)] : []),
    ...(outcomes.has('cancelled') && isCalm && hitlMode === 'Native'
      ? [untrue(`${name} ended as cancelled though nobody stopped it`)]
      : []),
    ...(given.has('approve') && isDropped && isCalm && hitlMode === 'Native' && !hasPassed
      ? [untrue(`${name} was approved and did not run, though nobody stopped it`)]
      : []),
  ];
}

/** Everything that a Stop ended is over, in this process and in every later one (contract/restarts.md). */
function stopFaults({ turnId, life }: ToldTurn, facts: Facts): readonly FoundFault[] {
  const stoppedAt = facts.stoppedAt(turnId);
  if (stoppedAt === undefined) return [];
  const ran = facts.told.ledger.filter(
    (line) => line.turnId === turnId && line.what === 'began' && line.at > stoppedAt,
  );
  const ends = new Set(
    facts.eventsOf(turnId).flatMap(({ name, fields }) => (name === 'TurnCompleted' ? [String(fields['status'])] : [])),
  );
  const isOther = [...ends].some((status) => status !== 'stopped' && !(status === 'failed' && facts.isDisturbed(life)));
  return [
    ...ran.map(({ action, id }) => untrue(`${action} ${id} ran after its turn was told to be stopped`)),
    ...(isOther ? [untrue(`a turn was told to be stopped, and ended as ${[...ends].join(', ')}`)] : []),
  ];
}

function lateAnswerFaults({ actionId, turnId, call }: ToldQuestion, facts: Facts): readonly FoundFault[] {
  const stoppedAt = facts.stoppedAt(turnId) ?? Infinity;
  return facts
    .answersTo(actionId)
    .filter(({ what, status, sentAt }) => what !== 'look' && status === 200 && sentAt > stoppedAt)
    .map(({ what }) => untrue(`${what} of ${call.name} ${call.id} was taken after its turn was told to be stopped`));
}

/** Compares ActionCompleted with the ledger for calls without a question. */
function uncalledFaults({ turnId }: ToldTurn, facts: Facts): readonly FoundFault[] {
  const runs = facts.told.ledger.filter(
    (line) => line.turnId === turnId && line.what === 'began' && line.action === 'unasked_change',
  );
  return runs.flatMap(({ callId, id }) => {
    const statuses = facts.completionsOf(turnId, callId);
    const told = contradiction(statuses);
    const isUntrue = statuses.some(({ says }) => ['failed', 'declined', 'cancelled', 'refused'].includes(says));
    return [
      ...(told === undefined ? [] : [untrue(`unasked_change ${id} was told as ${told}`)]),
      ...(isUntrue ? [untrue(`unasked_change ${id} ran and was told not to have`)] : []),
    ];
  });
}

function distinct(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(({ says }, index) => statements.findIndex((other) => other.says === says) === index);
}
