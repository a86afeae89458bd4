import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTurn } from '../../../../src/core/record/opened-turn.ts';
import type { RecordLine } from '../../../../src/core/record/record-line.ts';
import { recordVersion } from '../../../../src/core/record/turn-header.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { unended } from '../../../support/memory-stores.ts';
import { type ReadEvent, readTurn, testAssistant, type TurnReader } from '../../../support/test-assistant.ts';
import { storesWith } from '../../../support/stored-turn.ts';
import { testRecordSealer, testSealer } from '../../../support/test-sealer.ts';
import {
  anna,
  caseSettings,
  caseSnapshots,
  caseTools,
  type MomentName,
  momentNames,
  type RecordedMoment,
  recordedAt,
  recordMoment,
} from './recorded-moments.ts';

/*
 * The fixtures are what the server of this record version has stored of turns whose process then died. Today's code must go on
 * with them, and write the same. Where it cannot, `recordVersion` is raised, and CONTRIBUTING.md says how fixtures of
 * the new version are written.
 */
const folder = new URL(`./fixtures/records-${String(recordVersion)}/`, import.meta.url);
const fileOf = (name: MomentName): URL => new URL(`${name}.json`, folder);
const fixture = (name: MomentName): RecordedMoment => JSON.parse(readFileSync(fileOf(name), 'utf8')) as RecordedMoment; // written below

beforeAll(async () => {
  if (process.env['HELPER_RECORDS'] !== 'write') return;
  const { format, resolveConfig } = await import('prettier');
  await mkdir(folder, { recursive: true });
  for (const name of momentNames) {
    const options = { ...(await resolveConfig(fileOf(name))), parser: 'json' };
    await writeFile(fileOf(name), await format(JSON.stringify(await recordMoment(name)), options));
  }
});

/** The next process on these stores. */
async function start(name: MomentName, model = fakeModel({ text: 'Done.' })) {
  const recorded = fixture(name);
  const stores = await storesWith(recorded);
  const tools = caseTools();
  const now = (): number => recordedAt + 1_000;
  const test = testAssistant({ ...stores, toolList: Object.values(tools), model, ...caseSettings(name), now });
  const answer = ({ fields }: ReadEvent, approved = true) =>
    test.assistant.answerConfirmation({ actionId: String(fields['actionId']), approved }, anna);
  return { ...test, recorded, stores, tools, model, answer };
}

/** Starts the next process and takes the turn up. The user, who has seen all events up to `afterSeq`, reads the turn. */
async function takeUp(name: MomentName, model?: ReturnType<typeof fakeModel>, afterSeq = 0) {
  const next = await start(name, model);
  await next.assistant.takeUpTurns();
  const turn = await next.assistant.findTurn(next.recorded.kept.turnId, anna);
  if (turn === undefined) throw new Error('the turn was not taken up');
  const reader = readTurn(turn, afterSeq);
  return { ...next, turn, reader, told: [...reader.events] };
}

type TakenUp = Awaited<ReturnType<typeof takeUp>>;

/** What the model was told of its calls in the first request of this process. */
const outcomesTold = ({ model }: Pick<TakenUp, 'model'>): unknown[] =>
  (model.requests[0]?.messages ?? []).flatMap(({ role, text }) => (role === 'tool' ? [text] : []));

const unknown = expect.stringMatching(/^\[unknown\]/) as unknown;
const questions = ({ events }: TurnReader): readonly ReadEvent[] =>
  events.filter(({ type }) => type === 'confirmation-requested');

/** Expects that the turn ends once, that its numbers have no gap, and that no question is left open. */
async function expectEnded({ reader, stores }: TakenUp): Promise<void> {
  await reader.ended;
  const [first = { seq: 1 }] = reader.events;
  expect(reader.events.map(({ seq }) => seq)).toEqual(reader.events.map((_event, index) => first.seq + index));
  expect(reader.events.filter(({ type }) => type === 'turn-completed')).toEqual([reader.events.at(-1)]);
  expect(await unended(stores)).toEqual([]);
  expect(await stores.journal.unfinished()).toEqual([]);
}

describe('a turn as a server of this record version has stored it, taken up by the next process (contract/restarts.md#turns)', () => {
  it('waits with its question under the same id, is told as before, and runs the action once it is approved', async () => {
    const next = await takeUp('one-question');
    expect(next.told).toEqual(next.recorded.events);
    await next.answer(await next.reader.next('confirmation-requested'));
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed', text: 'One moment. \n\nDone.' });
    expect(next.tools.close.runs).toEqual([{ caseId: 3 }]);
    expect(next.model.requests).toHaveLength(1);
    const roles = ['user', 'assistant', 'user', 'assistant', 'tool'];
    expect(next.model.requests[0]?.messages.map(({ role }) => role)).toEqual(roles);
    expect(next.model.requests[0]?.messages[2]?.text).toMatch(/^<data of="page the user is on">[^]*close them$/);
    expect(outcomesTold(next)).toEqual(['[succeeded] {"closed":3}']);
    expect(questions(next.reader)).toHaveLength(1);
    await expectEnded(next);
  });

  it('does not run again what had begun, and waits with the question beside it', async () => {
    const next = await takeUp('running-beside-a-question');
    expect(next.told.slice(0, next.recorded.events.length)).toEqual(next.recorded.events);
    const [, open] = questions(next.reader);
    if (open === undefined) throw new Error('its question was not told');
    await next.answer(open);
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed', text: 'One moment. \n\nDone.' });
    expect(next.tools.close.runs).toEqual([{ caseId: 3 }]);
    expect(outcomesTold(next)).toEqual([unknown, '[succeeded] {"closed":3}']);
    const completed = next.reader.events.filter(({ type }) => type === 'action-completed');
    expect(completed.map(({ fields }) => fields['status'])).toEqual(['unknown', 'succeeded']);
    await expectEnded(next);
  });

  it('goes on behind an outcome: the action does not run again, and the model is asked once', async () => {
    const next = await takeUp('outcome-without-an-end');
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed', text: 'One moment. \n\nDone.' });
    expect(next.reader.events.slice(0, next.recorded.events.length)).toEqual(next.recorded.events);
    expect(next.tools.close.runs).toEqual([]);
    expect(next.model.requests).toHaveLength(1);
    expect(outcomesTold(next)).toEqual(['[succeeded] {"closed":3}']);
    await expectEnded(next);
  });

  it('tells the model which arguments its user has made of what it asked for', async () => {
    const next = await takeUp('edited-arguments');
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed' });
    expect(next.tools.close.runs).toEqual([]);
    expect(outcomesTold(next)).toEqual([
      expect.stringMatching(/other arguments than yours: \{"caseId":4\}\.\n\{"closed":4\}$/),
    ]);
    await expectEnded(next);
  });

  it('takes half a reply back and asks again; whoever has read of it goes on reading behind it', async () => {
    const lastRead = fixture('half-a-reply').events.length;
    const next = await takeUp('half-a-reply', undefined, lastRead);
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed', text: 'Let me see. \n\nDone.' });
    expect(next.tools.read.runs).toEqual([]);
    expect(next.model.requests).toHaveLength(1);
    expect(outcomesTold(next)).toEqual(['[succeeded] {"done":true}']);
    const replaced = next.reader.events.findIndex(({ type }) => type === 'text-replaced');
    expect(next.reader.events[replaced]?.fields).toMatchObject({ text: 'Let me see. ' });
    // The events under numbers that an earlier process may have shown have no text.
    const before = next.reader.events.slice(0, replaced);
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter(({ fields }) => fields['text'] !== '')).toEqual([]);
    expect(next.reader.events[0]?.seq).toBe(lastRead + 1);
    await expectEnded(next);
  });

  it('does not run again a write that nobody was asked about and that had begun', async () => {
    const next = await takeUp('write-that-nobody-was-asked-about');
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed', text: 'Done.' });
    expect(next.tools.note.runs).toEqual([]);
    expect(outcomesTold(next)).toEqual([unknown]);
    await expectEnded(next);
  });

  it('counts the round in which a rule has approved: the next one is asked about (contract/confirmations.md#rules-in-place-of-the-user)', async () => {
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 9 })] }, { text: 'Done.' });
    const next = await takeUp('approved-by-rule', model);
    expect(next.told).toEqual(next.recorded.events);
    await next.answer(await next.reader.next('confirmation-requested'));
    await next.answer(await next.reader.next('confirmation-requested'), false);
    await expect(next.turn.result).resolves.toMatchObject({ status: 'completed' });
    expect(next.tools.close.runs).toEqual([{ caseId: 8 }]);
    expect(outcomesTold(next)).toEqual(['[succeeded] {"closed":7}', '[succeeded] {"closed":8}']);
    await expectEnded(next);
  });
});

describe('a snapshot as a server of this record version has saved it (contract/restarts.md#turns)', () => {
  async function restored(name: MomentName) {
    const next = await start(name);
    const copies: TurnReader[] = [];
    const ends: Promise<unknown>[] = [];
    const session = next.assistant.openSession({
      channel: 'hub',
      principal: anna,
      onCopy: (turn) => {
        copies.push(readTurn(turn));
        ends.push(turn.result);
      },
    });
    const { messages } = await caseSnapshots(next.journal, next.tools).restore(session, next.recorded.snapshot);
    const [reader] = copies;
    if (reader === undefined) throw new Error('nothing was asked again');
    return { ...next, messages, reader, end: ends[0] };
  }

  it('asks its question again under another id, and the copy runs the action once it is approved', async () => {
    const copy = await restored('one-question');
    expect(copy.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'hello'],
      ['assistant', 'Good day.'],
      ['user', 'close them'],
      ['assistant', 'One moment. '],
    ]);
    const asked = await copy.reader.next('confirmation-requested');
    const [before] = copy.recorded.rows;
    expect(asked.fields['callId']).toBe(before?.callId);
    expect(asked.fields['actionId']).not.toBe(before?.actionId);
    await copy.answer(asked);
    await expect(copy.end).resolves.toMatchObject({ status: 'completed', text: 'Done.' });
    expect(copy.tools.close.runs).toEqual([{ caseId: 3 }]);
    expect(outcomesTold(copy)).toEqual(['[succeeded] {"closed":3}']);
  });

  it('asks again only what nobody has answered, and does not run what runs elsewhere', async () => {
    const copy = await restored('running-beside-a-question');
    await copy.answer(await copy.reader.next('confirmation-requested'));
    await expect(copy.end).resolves.toMatchObject({ status: 'completed', text: 'Done.' });
    expect(questions(copy.reader)).toHaveLength(1);
    expect(copy.tools.close.runs).toEqual([{ caseId: 3 }]);
    expect(outcomesTold(copy)).toEqual([unknown, '[succeeded] {"closed":3}']);
  });
});

/**
 * Members that steps and events have got since this record version, and that may be absent, whatever they are a member of. A server
 * without them reads a record that has them, and the other way round.
 */
const addedLabels: readonly string[] = ['influencedBy', 'notFromUser', 'trusted', 'typed', 'receipt', 'reads', 'turn'];

/** The members of a value and what kind each is; ids within text are all alike. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).filter(([key]) => !addedLabels.includes(key));
  return Object.fromEntries(members.map(([key, member]) => [key, shapeOf(member)]));
}

const withoutIds = (text: string): string => text.replaceAll(/[\w-]{22}/g, '<id>');

/**
 * Members that events have got since this record version, and that may be absent. Whoever goes on with a turn hands its events
 * on as they are, so that a server without such a member reads one that has it, and the other way round.
 */
const addedMembers: Readonly<Record<string, string>> = {
  'confirmation-resolved': 'arguments',
  'turn-completed': 'receipts',
};

function shapeOfEvent(type: string, json: string): unknown {
  const fields = JSON.parse(json) as Readonly<Record<string, unknown>>; // written by this server
  return shapeOf(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== addedMembers[type])));
}

function shapeOfLine(line: RecordLine): unknown {
  switch (line[0]) {
    case 'step':
      return ['step', withoutIds(line[1]), shapeOf(line[2])];
    case 'event':
      return ['event', withoutIds(line[1]), line[2], shapeOfEvent(line[2], line[3])];
    case 'speaks':
    case 'told':
      return [line[0], withoutIds(line[1]), shapeOf(line[2])];
    case 'withdrawn':
      return [line[0], withoutIds(line[1])];
    case 'text':
    case 'numbers':
    case 'from':
      return shapeOf(line);
  }
}

async function shapeOfMoment({ plain, rows, snapshot }: RecordedMoment): Promise<unknown> {
  const rowShapes = rows.map((row) => [row.state, withoutIds(row.path), shapeOf(row)]);
  const inOrder = rowShapes.sort(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1));
  const saved = await testSealer({ now: () => recordedAt }).open(snapshot, anna.userKey);
  const lines = plain.lines.map(shapeOfLine);
  return { header: shapeOf(plain.header), lines, rows: inOrder, snapshot: shapeOf(saved) };
}

describe('what this server stores of a turn (contract/restarts.md#turns)', () => {
  it.each(momentNames)('has the keys and shapes of its record version, or that version is raised: %s', async (name) => {
    const today = await shapeOfMoment(await recordMoment(name));
    expect(today).toEqual(await shapeOfMoment(fixture(name)));
  });

  it.each(momentNames)('is opened with its key as it was sealed: %s', (name) => {
    const { kept, plain } = fixture(name);
    expect(openTurn(kept, testRecordSealer())).toEqual({ ...plain, epoch: 1 });
    expect(plain.header.version).toBe(recordVersion);
  });
});
