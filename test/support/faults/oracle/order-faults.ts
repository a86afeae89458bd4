import type { FoundFault, Reading, ToldEvent } from '../told.ts';
import type { Facts } from './facts.ts';

const disorder = (says: string): FoundFault => ({ kind: 'disorder', says });

/** A turn has one sequence of events: no gaps, one event for each number, one end, and the text that was shown (contract/events.md#order). */
export function orderFaults(facts: Facts): readonly FoundFault[] {
  const { readings } = facts.told;
  return [...readings.flatMap((reading) => readingFaults(reading)), ...changedEvents(readings), ...manyEnds(readings)];
}

function readingFaults(reading: Reading): readonly FoundFault[] {
  const { channel, afterSeq, turnId } = reading;
  const events = fresh(reading);
  const ids = (name: string, field: string): readonly unknown[] =>
    events.filter((event) => event.name === name).map(({ fields }) => fields[field]);
  const isDoubled = (values: readonly unknown[]): boolean => new Set(values).size < values.length;
  const follows = events.findIndex(({ name }) => name === 'TurnCompleted');
  const checks: readonly (readonly [boolean, string])[] = [
    [channel === 'hub' && events.some(({ seq }, index) => seq !== afterSeq + index + 1), 'the numbers have a gap'],
    [events.some(({ seq }, index) => seq <= (events[index - 1]?.seq ?? afterSeq)), 'the numbers do not rise'],
    [channel === 'hub' && afterSeq === 0 && (events[0]?.name ?? 'TurnStarted') !== 'TurnStarted', 'no TurnStarted'],
    [follows >= 0 && follows < events.length - 1, 'something follows TurnCompleted'],
    [isDoubled(ids('ConfirmationRequested', 'actionId')), 'a question is put twice'],
    [isDoubled(ids('ConfirmationResolved', 'actionId')), 'a question ends twice'],
    [isDoubled(ids('ActionCompleted', 'callId')), 'an action ends twice'],
    [!isShownText(reading), 'the text at the end is not the text that was shown'],
  ];
  const numbers = events.map(({ seq, name }) => `${seq} ${name}`).join(', ');
  return checks.flatMap(([fails, says]) =>
    fails ? [disorder(`${channel}, turn ${turnId} after ${afterSeq}: ${says}: ${numbers}`)] : [],
  );
}

/** The events without the open questions that the server repeats for a returning reader (contract/hub.md). */
function fresh(reading: Reading): readonly ToldEvent[] {
  const { afterSeq } = reading;
  const events = inPlace(reading);
  return events.filter(
    ({ name, seq }, index) =>
      name !== 'ConfirmationRequested' ||
      (seq > afterSeq && events.findIndex((other) => other.name === name && other.seq === seq) === index),
  );
}

/** The events without those that a turn tells before their place while its storage fails (contract/restarts.md#storage-that-fails). */
function inPlace({ events, afterSeq }: Pick<Reading, 'events' | 'afterSeq'>): readonly ToldEvent[] {
  let last = afterSeq;
  return events.filter(({ fields, seq }) => {
    const isEarly = fields['code'] === 'question_not_stored' && seq <= last;
    last = Math.max(last, seq);
    return !isEarly;
  });
}

/** Whether the end's `text` is the sum of all deltas in order. Each TextReplaced begins a new sum. */
function isShownText(reading: Reading): boolean {
  const { goesOnFrom, afterSeq } = reading;
  const before = goesOnFrom?.events ?? [];
  if (afterSeq > 0 && goesOnFrom === undefined) return true;
  const events = [...before, ...fresh(reading)];
  const end = events.findLast(({ name }) => name === 'TurnCompleted');
  if (end === undefined || goesOnFrom?.goesOnFrom !== undefined) return true;
  const shown = events.reduce((text, { name, fields }) => {
    if (name === 'TextReplaced') return String(fields['text']);
    return name === 'TextDelta' ? text + String(fields['text']) : text;
  }, '');
  return end.fields['text'] === undefined || shown === end.fields['text'];
}

/** Every reader must get the same event under one number. A number that a crash left unused is an empty delta. */
function changedEvents(readings: readonly Reading[]): readonly FoundFault[] {
  const known = new Map<string, string>();
  return readings.flatMap(({ turnId, channel, ...reading }) =>
    inPlace(reading).flatMap(({ name, seq, fields }) => {
      const isEmpty = name === 'TextDelta' && fields['text'] === '';
      const place = `${turnId}:${seq} (${channel})`;
      const said = `${name} ${JSON.stringify(fields)}`;
      const before = known.get(place);
      const mayDiffer = before?.startsWith('TextDelta ') === true && (isEmpty || before.includes('"text":""'));
      if (before === undefined) known.set(place, said);
      return before === undefined || before === said || (name === 'TextDelta' && mayDiffer)
        ? []
        : [disorder(`the event ${place} was ${before} and then ${said}`)];
    }),
  );
}

function manyEnds(readings: readonly Reading[]): readonly FoundFault[] {
  const ends = new Map<string, Set<string>>();
  for (const { turnId, events } of readings) {
    for (const { name, seq, fields } of events) {
      if (name !== 'TurnCompleted') continue;
      const said = `${seq} ${String(fields['status'])} ${String(fields['code'])}`;
      ends.set(turnId, (ends.get(turnId) ?? new Set()).add(said));
    }
  }
  return [...ends]
    .filter(([, said]) => said.size > 1)
    .map(([turnId, said]) => disorder(`the turn ${turnId} has several ends: ${[...said].join('; ')}`));
}
