import { KeptMarks } from './kept-marks.ts';
import { type KeptUser, keptUsers } from './kept-plan.ts';
import {
  type Change,
  type KeptEvent,
  type KeptRecord,
  type KeptRequest,
  type KeptRest,
  type Mark,
  marksIn,
  type SeenConversation,
} from './kept-record.ts';

/** Microseconds. A request to the small model may have left the server this long before a deletion, and arrive after it. */
const onItsWay = 500_000;

/** What the oracle knows of one user's turns and facts. */
interface Belongings {
  readonly turns: KeptMarks;
  readonly facts: KeptMarks;
  /** The time at which the message of each turn was sent. */
  readonly saidAt: Map<Mark, number>;
  readonly faults: string[];
}

/**
 * Every fault in what is kept (contract/memory.md, contract/sessions.md#erasing and contract/document-folders.md#index): nothing that was
 * acknowledged is lost, nothing that was erased comes back, and the index has what is on the disk.
 */
export function keptFaults(record: KeptRecord): readonly string[] {
  const all = keptUsers.map((user) => belongingsOf(user, record.users[user]));
  return [
    ...all.flatMap((one) => [...one.faults, ...one.turns.faults, ...one.facts.faults]),
    ...all.flatMap(({ facts }) => facts.open().map((mark) => `${mark} was never remembered`)),
    ...all.flatMap((one) => record.requests.flatMap((request) => requestFaults(request, one))),
    ...(record.rest === undefined ? ['the last process was never looked at'] : restFaults(record.rest, all)),
    ...record.troubles,
  ];
}

function belongingsOf(user: KeptUser, events: readonly KeptEvent[]): Belongings {
  const own: Belongings = {
    turns: new KeptMarks(`${user}'s turns`, { isAtOnce: true }),
    facts: new KeptMarks(`${user}'s facts`, { isAtOnce: false }),
    saidAt: new Map(),
    faults: [],
  };
  for (const event of events) take(own, event);
  return own;
}

function take(own: Belongings, event: KeptEvent): void {
  const { turns, facts, faults } = own;
  switch (event.kind) {
    case 'said':
      own.saidAt.set(event.turn, event.sentAt);
      turns.add(event.turn, 'awaited', () => event.conversation);
      if (event.fact !== undefined) facts.add(event.fact, 'awaited');
      if (event.status === undefined) return;
      if (event.status !== 'completed') faults.push(`${event.turn} was told as ${event.status}`);
      turns.promise(event.turn);
      if (event.fact !== undefined) facts.promise(event.fact);
      return;
    case 'changed':
      if (event.status === undefined) takeUnanswered(own, event.change);
      else if (event.status === 200 || event.status === 204) takeChange(own, event.change, event.answeredAt ?? 0);
      else faults.push(`${event.change.what} was answered ${event.status}`);
      return;
    case 'saw facts':
      facts.saw(
        event.facts.flatMap(({ text }) => marksIn(text)),
        event.at,
      );
      return;
    case 'saw conversations':
      turns.saw(
        event.conversations.flatMap(({ messages }) => turnsIn(messages, 'user')),
        event.at,
      );
      faults.push(...event.conversations.flatMap((one) => conversationFaults(one, own, event.at)));
      return;
  }
}

function takeChange({ turns, facts }: Belongings, change: Change, at: number): void {
  if (change.what === 'delete') {
    for (const mark of [...change.gone, ...turns.all(change.id)]) turns.remove(mark, at);
    return;
  }
  // Earlier messages must not bring any fact back after a change of the memory.
  facts.release({ isFinal: true });
  for (const mark of 'gone' in change ? change.gone : facts.all()) facts.remove(mark, at);
  if (change.what === 'erase') for (const mark of turns.all()) turns.remove(mark, at);
  if ('comes' in change) facts.add(change.comes, 'seen');
}

/** Records a change that was never answered, because the process died. */
function takeUnanswered({ turns, facts }: Belongings, change: Change): void {
  if (change.what === 'delete') {
    for (const mark of [...change.gone, ...turns.all(change.id)]) turns.doubt(mark);
    return;
  }
  facts.release({ isFinal: false });
  for (const mark of 'gone' in change ? change.gone : facts.all()) facts.doubt(mark);
  if (change.what === 'erase') for (const mark of turns.all()) turns.doubt(mark);
  if ('comes' in change) facts.add(change.comes, 'awaited');
}

function turnsIn(messages: SeenConversation['messages'], role: string): readonly Mark[] {
  const said = messages.filter((message) => message.role === role).flatMap(({ text }) => marksIn(text));
  return said.filter((mark) => mark.startsWith('turn') || mark.startsWith('reply'));
}

/**
 * The faults in one conversation. Each turn must have its reply, the turns must be in order, and the title must not name a deleted turn.
 */
function conversationFaults(
  { id, title, messages }: SeenConversation,
  { turns, saidAt }: Belongings,
  at: number,
): readonly string[] {
  const asked = turnsIn(messages, 'user');
  const replies = turnsIn(messages, 'assistant').map((mark) => mark.replace('reply', 'turn'));
  const times = asked.map((mark) => saidAt.get(mark) ?? 0);
  const gone = turns.goneBy(at);
  return [
    ...(asked.join(' ') === replies.join(' ')
      ? []
      : [`conversation ${id} has ${asked.join(' ')}, and replies ${replies.join(' ')}`]),
    ...(times.every((time, index) => time > (times[index - 1] ?? 0)) ? [] : [`conversation ${id} is out of order`]),
    ...marksIn(title).flatMap((mark) => (gone.has(mark) ? [`the title of ${id} names ${mark}, which is gone`] : [])),
  ];
}

/**
 * The faults in one request to a model. No mark may be in the request that was gone before. For the main model, this is the time at which
 * the turn's message was sent. For the small model it is `onItsWay` before the request.
 */
function requestFaults(
  { model, turn, marks, at }: KeptRequest,
  { turns, facts, saidAt }: Belongings,
): readonly string[] {
  const askedAt = turn === undefined ? undefined : saidAt.get(turn);
  if (turn === undefined || askedAt === undefined) return [];
  const since = model === 'main' ? askedAt : at - onItsWay;
  // For the small model only deleted facts count, because a fact stays when the conversation of its turn is deleted.
  const gone = new Set([...facts.goneBy(since), ...(model === 'main' ? turns.goneBy(since) : [])]);
  return marks.flatMap((mark) => {
    const isGone = gone.has(mark.replace('reply', 'turn'));
    return isGone ? [`the ${model} model was shown ${mark}, which was gone, with ${turn}`] : [];
  });
}

function restFaults(rest: KeptRest, all: readonly Belongings[]): readonly string[] {
  const gone = all.flatMap(({ turns, facts }) => [...turns.goneBy(Infinity), ...facts.goneBy(Infinity)]);
  const stored = new Set(marksIn(rest.rows));
  const left = gone.filter((mark) => stored.has(mark));
  const { all: parts, withVector, models } = rest.parts;
  const listed = (marks: readonly Mark[]): string => marks.toSorted().join(' ');
  const isElsewhere = (marks: readonly Mark[], where: string): readonly string[] =>
    listed(marks) === listed(rest.files) ? [] : [`${where} has ${listed(marks)}; the files are ${listed(rest.files)}`];
  return [
    ...left.map((mark) => `the database still has ${mark}`),
    ...(rest.strayTurns > 0 ? [`the database has ${rest.strayTurns} parts of deleted conversations`] : []),
    ...isElsewhere(rest.indexed, 'the index'),
    ...isElsewhere(rest.worded, 'the index of words'),
    ...isElsewhere(rest.found, 'what questions find'),
    ...(withVector === parts ? [] : [`${withVector} of ${parts} parts have a vector`]),
    ...(models > 1 ? [`the index has vectors of ${models} models`] : []),
  ];
}
