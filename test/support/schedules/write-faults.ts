import type { Execution } from './action-ledger.ts';
import { mayAnswer } from './owners.ts';
import type { Seen, SeenQuestion, SentAnswer } from './seen.ts';

/**
 * No write may run without exactly one matching approval (contract/confirmations.md#the-journal). Compares the plugin's record with the
 * clients' requests and answers. One sentence per fault.
 */
export function writeFaults(seen: Seen): readonly string[] {
  const writes = seen.executions.filter(({ action }) => action !== 'look');
  return [
    ...repeated(writes.map(({ callId }) => callId)).map((callId) => `the call ${callId} ran more than once`),
    ...repeated(writes.map(({ arguments: given }) => given['id'])).map((id) => `call ${id} of the plan ran twice`),
    ...writes.flatMap((write) => faultsOfWrite(write, seen).map((fault) => `${nameOf(write)} ${fault}`)),
    ...seen.answers.flatMap((answer) => faultsOfAnswer(answer, seen)),
    ...repeated(taken(seen).map(({ actionId }) => actionId)).map((id) => `two answers to ${id} were taken`),
  ];
}

/** The answers that the server said it has taken. */
function taken({ answers }: Seen): readonly SentAnswer[] {
  return answers.filter(({ status }) => status === 200);
}

function faultsOfWrite(write: Execution, seen: Seen): readonly string[] {
  const turn = seen.turns.find(({ turnId }) => turnId === write.turnId);
  const user = turn?.user === 'ann' ? 'ann' : '';
  const question = seen.questions.find(({ callId }) => callId === write.callId);
  const faults = failing({
    [`ran for "${write.userId}" and not for the user of its turn`]: write.userId !== user,
    'ran after its turn was stopped': isStopped(write.turnId, write.at, seen),
  });
  if (question === undefined) return [...faults, ...(isRemembered(write, seen) ? [] : ['ran and nobody was asked'])];
  const approvals = approvalsOf(question, write, seen);
  if (approvals.length === 0) return [...faults, 'ran without an approval'];
  const allowed = approvals.map((approval) => JSON.stringify(sorted(approval.arguments ?? question.arguments)));
  const ran = JSON.stringify(sorted(write.arguments));
  return allowed.includes(ran) ? faults : [...faults, `ran with ${ran}, approved was ${allowed.join(' or ')}`];
}

/** The approval that was taken. If none is known to be taken: those whose answer was lost with the line. */
function approvalsOf({ actionId }: SeenQuestion, { at }: Execution, seen: Seen): readonly SentAnswer[] {
  const sent = seen.answers.filter(
    (answer) => answer.actionId === actionId && answer.sentAt < at && isAllowed(answer, seen),
  );
  const certain = sent.filter(({ status }) => status === 200);
  const candidates = certain.length > 0 ? certain : sent.filter(({ status }) => status === undefined);
  return candidates.filter(({ approved }) => approved);
}

/** Whether an earlier approval of the same tool in the same conversation said not to ask again. */
function isRemembered(write: Execution, seen: Seen): boolean {
  return seen.answers.some(({ actionId, remember, approved, status, sentAt }) => {
    if (!remember || !approved || sentAt > write.at || (status !== 200 && status !== undefined)) return false;
    const question = seen.questions.find((candidate) => candidate.actionId === actionId);
    return question?.action === write.action && conversationOf(question.turnId, seen) === write.conversationId;
  });
}

function conversationOf(turnId: string, { events, executions }: Seen): unknown {
  const started = events.find((event) => event.turnId === turnId && event.name === 'TurnStarted');
  return started?.fields['conversationId'] ?? executions.find((write) => write.turnId === turnId)?.conversationId;
}

function isAllowed({ actionId, by }: SentAnswer, { questions, turns }: Seen): boolean {
  const question = questions.find((candidate) => candidate.actionId === actionId);
  const turn = turns.find(({ turnId }) => turnId === question?.turnId);
  return turn !== undefined && mayAnswer(by, turn);
}

const statuses = [200, 400, 401, 403, 404, 503];

function faultsOfAnswer(answer: SentAnswer, seen: Seen): readonly string[] {
  const { actionId, status, by, sentAt, mustBeTaken } = answer;
  if (status === undefined) return [];
  const question = seen.questions.find((candidate) => candidate.actionId === actionId);
  const stopped = isStopped(question?.turnId, sentAt, seen);
  return failing({
    [`${by}'s answer to ${actionId} got the status ${status}`]: !statuses.includes(status),
    [`${by} answered ${actionId} without being its user`]: status === 200 && !isAllowed(answer, seen),
    [`an answer to ${actionId} was taken after its turn was stopped`]: status === 200 && stopped,
    [`an answer to ${actionId} was taken that it does not allow`]: status === 200 && !isSound(answer, question),
    [`the owner's answer to the open ${actionId} got the status ${status}`]:
      mustBeTaken === true && status !== 200 && !isOvertaken(answer, seen),
  });
}

/** Whether another answer may have been first. Two answers that are sent at once may arrive in either order. */
function isOvertaken(answer: SentAnswer, { answers }: Seen): boolean {
  const others = answers.filter((other) => other !== answer && other.actionId === answer.actionId);
  return others.some(({ status }) => status === 200 || status === undefined);
}

/** Whether the user was told before that the turn is stopped. */
function isStopped(turnId: string | undefined, at: number, { stops }: Seen): boolean {
  return stops.some((stop) => stop.turnId === turnId && stop.stopped === true && (stop.answeredAt ?? at) < at);
}

function isSound({ approved, remember, arguments: edited }: SentAnswer, question: SeenQuestion | undefined): boolean {
  if (remember && question?.canRemember !== true) return false;
  return edited === undefined || (approved && question?.editable === true && typeof edited['id'] === 'string');
}

function nameOf({ action, arguments: given }: Execution): string {
  return `${action} ${String(given['id'])}`;
}

function sorted(value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(value).sort(([left], [right]) => left.localeCompare(right));
}

/** The values that occur more than once. */
export function repeated(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))].map(String);
}

/** The sentences whose checks are true. */
export function failing(checks: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(checks).flatMap(([sentence, fails]) => (fails ? [sentence] : []));
}
