import type { FoundFault, Reading, ToldQuestion, ToldTurn } from '../told.ts';
import type { Facts } from './facts.ts';

const untold = (says: string): FoundFault => ({ kind: 'untold', says });

/** The last process must tell how every turn with a question has ended, on every channel (contract/restarts.md). */
export function endingFaults(facts: Facts): readonly FoundFault[] {
  const { turns, questions } = facts.told;
  return turns
    .filter(({ life }) => !facts.isLost(life))
    .flatMap((turn) => {
      const own = questions.filter(({ turnId }) => turnId === turn.turnId);
      if (own.length === 0) return startedFaults(turn, facts);
      return [...readingFaults(turn, own, facts), ...own.flatMap((question) => lookFaults(question, facts))];
    });
}

/** The readings of a turn in the last process. */
function lastReadings({ turnId }: ToldTurn, { told }: Facts): readonly Reading[] {
  return told.readings.filter((reading) => reading.turnId === turnId && reading.life === told.lives.length - 1);
}

function readingFaults(turn: ToldTurn, questions: readonly ToldQuestion[], facts: Facts): readonly FoundFault[] {
  const name = `the turn of ${questions.map(({ call }) => call.id).join(' and ')}`;
  const readings = lastReadings(turn, facts);
  const whole = readings.find(({ channel, goesOnFrom }) => channel === 'hub' && goesOnFrom === undefined);
  if (whole === undefined) return [];
  if (whole.isUnknown === true) return [untold(`${name} is unknown to Resume`)];
  const { events } = whole;
  const ids = (event: string, field: string): readonly unknown[] =>
    events.filter(({ name: given }) => given === event).map(({ fields }) => fields[field]);
  const resolved = ids('ConfirmationResolved', 'actionId');
  const completed = ids('ActionCompleted', 'callId');
  return [
    ...(events.at(-1)?.name === 'TurnCompleted' ? [] : [untold(`${name} has no end for Resume`)]),
    ...questions.flatMap(({ actionId, callId, call }) => [
      ...(resolved.includes(actionId) ? [] : [untold(`Resume does not tell how the question ${call.id} ended`)]),
      ...(completed.includes(callId) ? [] : [untold(`Resume does not tell what became of ${call.name} ${call.id}`)]),
    ]),
    ...readings.filter((reading) => reading !== whole).flatMap((reading) => goingOnFaults(name, reading)),
    ...interruptionFaults(turn, questions, facts),
  ];
}

/** A client that has lost its line must get all events up to the end. After the end no event may come. */
function goingOnFaults(name: string, reading: Reading): readonly FoundFault[] {
  const isOver = (one: Reading | undefined): boolean => one?.events.at(-1)?.name === 'TurnCompleted';
  if (isOver(reading) || isOver(reading.goesOnFrom)) return [];
  const how = reading.channel === 'hub' ? 'Resume' : 'Last-Event-ID';
  return [untold(`${name} has no end for ${how} after ${reading.afterSeq}`)];
}

/** A Blocking turn whose question ended with its process must end as failed, `interrupted` (contract/restarts.md). */
function interruptionFaults(turn: ToldTurn, questions: readonly ToldQuestion[], facts: Facts): readonly FoundFault[] {
  const { plan, lives } = facts.told;
  const isPlain = facts.stopsOf(turn.turnId).length === 0 && !facts.isDisturbed(turn.life);
  if (plan.hitlMode === 'Native' || !isPlain || lives[turn.life]?.disturbance !== 'killed') return [];
  const cancelled = questions.some((one) => facts.outcomesOf(one).some(({ says }) => says === 'cancelled'));
  const end = facts.eventsOf(turn.turnId).find(({ name }) => name === 'TurnCompleted');
  if (!cancelled || end === undefined) return [];
  const { status, code } = end.fields;
  if (status === 'failed' && code === 'interrupted') return [];
  return [untold(`a Blocking turn that its process left ended as ${String(status)}, ${String(code)}`)];
}

/** A turn without a question may be lost. A turn that is known must come to its end. */
function startedFaults(turn: ToldTurn, facts: Facts): readonly FoundFault[] {
  return lastReadings(turn, facts)
    .filter(
      ({ isUnknown, events }) => isUnknown !== true && events.length > 0 && events.at(-1)?.name !== 'TurnCompleted',
    )
    .map(({ turnId }) => untold(`the turn ${turnId}, which asked nobody, has no end`));
}

/** Checks `GET /helper/approve`, and an approval that is sent again. */
function lookFaults({ actionId, call }: ToldQuestion, facts: Facts): readonly FoundFault[] {
  const life = facts.told.lives.length - 1;
  const last = (what: 'look' | 'approve') =>
    facts.answersTo(actionId).findLast((answer) => answer.what === what && answer.life === life);
  const looked = last('look');
  const again = last('approve');
  if (looked === undefined || again === undefined) return [];
  const outcome = looked.body?.['outcome'];
  const name = `${call.name} ${call.id}`;
  if (looked.status !== 200) return [untold(`GET /helper/approve answers ${String(looked.status)} about ${name}`)];
  return [
    ...(outcome === 'open' ? [untold(`the question ${name} is still open once its turn has ended`)] : []),
    ...(outcome === 'approved' && looked.body?.['action'] === undefined
      ? [untold(`GET /helper/approve does not tell what became of the approved ${name}`)]
      : []),
    ...(again.status === 404 && again.body?.['outcome'] !== undefined
      ? []
      : [untold(`an approval that comes again is answered ${String(again.status)} without the outcome of ${name}`)]),
  ];
}
