import type { JournalledQuestion, Seen, SeenEvent } from './seen.ts';
import type { Act } from './steps.ts';
import { failing, repeated } from './write-faults.ts';

/**
 * Every request for confirmation must end in exactly one outcome (contract/events.md#order and contract/confirmations.md). The outcome
 * must be the same in the clients' events, in the answers to clients, in the journal, and in the action's own record. One sentence per
 * fault.
 */
export function outcomeFaults(seen: Seen): readonly string[] {
  return [
    ...seen.stuck,
    ...[...seen.logs].flatMap(([turnId, log]) => logFaults(turnId, log)),
    ...[...seen.logs].flatMap(([turnId, log]) => endFaults(turnId, log, seen)),
    ...seen.questions.flatMap(({ actionId }) => questionFaults(actionId, seen)),
    ...seen.journal.flatMap((row) => rowFaults(row, seen)),
    ...(seen.crashes === 0 ? changedEvents(seen) : []),
  ];
}

/** A turn has one log from TurnStarted to TurnCompleted, in which each question and each action ends once (contract/events.md#order). */
function logFaults(turnId: string, log: readonly SeenEvent[]): readonly string[] {
  const ids = (name: string, field: string): readonly unknown[] =>
    log.filter((event) => event.name === name).map(({ fields }) => fields[field]);
  const asked = ids('ConfirmationRequested', 'actionId');
  // An action that a rule or an earlier choice of the user approved was never asked about.
  const resolved = log
    .filter(({ name, fields }) => name === 'ConfirmationResolved' && fields['by'] !== 'rule')
    .map(({ fields }) => fields['actionId']);
  const done = ids('ActionCompleted', 'callId');
  return failing({
    'the numbers have a gap': log.some(({ seq }, index) => seq !== index + 1),
    'it does not begin with TurnStarted': log[0]?.name !== 'TurnStarted',
    'it has not exactly one TurnCompleted': log.filter(({ name }) => name === 'TurnCompleted').length !== 1,
    'something follows TurnCompleted': log.at(-1)?.name !== 'TurnCompleted',
    'a question was asked twice': repeated(asked).length > 0,
    'a question ended twice': repeated(resolved).length > 0,
    'a question has no outcome': asked.some((actionId) => !resolved.includes(actionId)),
    'a question ended that was not asked': resolved.some((actionId) => !asked.includes(actionId)),
    'an action ended twice': repeated(done).length > 0,
    'an action that was asked about has no end': ids('ConfirmationRequested', 'callId').some(
      (id) => !done.includes(id),
    ),
    'an action that began has no end': ids('ActionExecuting', 'callId').some((id) => !done.includes(id)),
  }).map((fault) => `in the turn ${turnId} ${fault}`);
}

/** Everything told about an action must agree with the plugin's record. */
function endFaults(turnId: string, log: readonly SeenEvent[], seen: Seen): readonly string[] {
  const { executions, answers, crashes } = seen;
  return log
    .filter(({ name }) => name === 'ActionCompleted')
    .flatMap(({ fields }) => {
      const { callId, status, action } = fields;
      const runs = executions.filter((run) => run.callId === callId);
      const question = log.find((event) => event.name === 'ConfirmationRequested' && event.fields['callId'] === callId);
      const answer = answers.find((sent) => sent.status === 200 && sent.actionId === question?.fields['actionId']);
      // A question that the store has not taken in time, so that nobody was told of it.
      const isUnasked = question === undefined && runs.length === 0 && saysNotStored(log);
      const isStopped = log.at(-1)?.fields['status'] !== 'completed' || mayForgetStop(turnId, seen);
      const told = `${String(action)} of the turn ${turnId} is told as ${String(status)}`;
      return failing({
        [`${told} and never ran`]: status === 'succeeded' && runs.length === 0,
        [`${told} and does not fail`]: status === 'failed' && action !== 'failing_change' && !isUnasked,
        [`${told} and did not end`]: status === 'succeeded' && runs.every(({ ended }) => !ended),
        [`${told} and ran`]:
          ['declined', 'cancelled', 'refused'].includes(String(status)) && runs.length > 0 && action !== 'look',
        [`${told} and was approved`]: answer?.approved === true && status === 'declined',
        [`${told} and was declined`]: answer?.approved === false && status !== 'declined',
        [`${told} although it was approved and nothing stopped it`]:
          answer?.approved === true && !isStopped && ['cancelled', 'refused'].includes(String(status)),
        [`${told} and never began, though no process died`]: status === 'unknown' && runs.length === 0 && crashes === 0,
      });
    });
}

function saysNotStored(log: readonly SeenEvent[]): boolean {
  return log.some(({ name, fields }) => name === 'ErrorOccurred' && fields['code'] === 'question_not_stored');
}

/** Whether a process may have forgotten a stop: it died before it told anybody, so the next process continues the turn. */
function mayForgetStop(turnId: string, { crashes, schedule, stops }: Seen): boolean {
  const ending: readonly Act['do'][] = ['new conversation', 'leave', 'pass', 'drain', 'restart'];
  const isUnsure = stops.some((stop) => stop.stopped === undefined && (stop.turnId ?? turnId) === turnId);
  return crashes > 0 && (isUnsure || schedule.steps.some(({ act }) => ending.includes(act.do)));
}

/** Every reader must have seen the same end, and it must be the acknowledged and journalled one. */
function questionFaults(actionId: string, { events, answers, journal, crashes }: Seen): readonly string[] {
  const ends = events.filter(({ name, fields }) => name === 'ConfirmationResolved' && fields['actionId'] === actionId);
  const outcomes = new Set(ends.map(({ fields }) => fields['outcome']));
  const row = journal.find((candidate) => candidate.actionId === actionId);
  const answer = answers.find((sent) => sent.actionId === actionId && sent.status === 200);
  const acknowledged = answer === undefined ? undefined : answer.approved ? 'approved' : 'declined';
  return failing({
    'ended in several ways': outcomes.size > 1,
    // A process that dies loses the numbers that it had told only to its own readers.
    'was ended by several events': crashes === 0 && new Set(ends.map(({ seq }) => seq)).size > 1,
    'is not in the journal': row === undefined,
    [`was answered with ${String(acknowledged)} and journalled as ${String(row?.answer)}`]:
      acknowledged !== undefined && row?.answer !== acknowledged,
    [`was shown as ${[...outcomes].join()} and journalled as ${String(row?.answer)}`]:
      outcomes.size === 1 && !outcomes.has(row?.answer),
  }).map((fault) => `the question ${actionId} ${fault}`);
}

/** The journal must agree with the plugin's record of an action. */
function rowFaults(row: JournalledQuestion, { executions }: Seen): readonly string[] {
  const { actionId, callId, state, answer } = row;
  const outcome = String(row.outcome);
  const runs = executions.filter((run) => run.callId === callId).length;
  const hasRun = ['succeeded', 'failed', 'unknown'].includes(outcome);
  return failing({
    'is not done in the journal': state !== 'done',
    'has no answer in the journal': answer === null,
    [`was ${String(answer)} and its action journalled as ${outcome}`]: answer !== 'approved' && hasRun,
    [`is journalled as ${outcome} although its action ran`]: runs > 0 && !hasRun,
    [`is journalled as ${outcome} although its action never ran`]: runs === 0 && hasRun && outcome !== 'unknown',
  }).map((fault) => `the question ${actionId} ${fault}`);
}

/** Every client must get the same event under one number, over any connection, stream or process. */
function changedEvents({ events }: Seen): readonly string[] {
  const names = new Map<string, string>();
  return events.flatMap(({ name, turnId, seq }) => {
    const place = `${turnId}:${String(seq)}`;
    const known = names.get(place) ?? name;
    names.set(place, known);
    return known === name ? [] : [`the event ${place} was ${known} and then ${name}`];
  });
}
