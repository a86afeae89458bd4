import { setImmediate as nextLoop } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TurnStore } from '../../../../src/core/ports/turn-store.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';
import { ToolPolicy } from '../../../../src/core/tools/tool-policy.ts';
import { call, fakeModel, type FakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { type ReadEvent, readTurn, type TestAssistantOptions } from '../../../support/test-assistant.ts';
import { anyone, idOf, run } from './native-process.ts';

type Stores = ReturnType<typeof memoryStores>;

/** The writes of a first question, in their order. */
const writes = ['create', 'requested', 'event'] as const;
type Write = (typeof writes)[number];

/**
 * Stores that do not answer from the first write `from` on, until they are well again. What waits is made then, in its order. `die` makes
 * that many of the writes that wait: a process that is killed leaves them behind.
 */
function hanging(from: Write) {
  const kept = memoryStores();
  const late: (() => Promise<unknown>)[] = [];
  let hangs = false;
  let isWell = false;
  const delayed = <Given extends readonly unknown[]>(name: string, write: (...given: Given) => Promise<void>) => {
    return (...given: Given): Promise<void> => {
      hangs ||= name === from && !isWell;
      if (!hangs) return write(...given);
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      late.push(() => write(...given).then(() => resolve(undefined), reject));
      return promise;
    };
  };
  const { turns, journal } = kept;
  const append = delayed('append', turns.append.bind(turns));
  const event = delayed('event', turns.append.bind(turns));
  const own = {
    create: delayed('create', turns.create.bind(turns)),
    append: (...given: Parameters<TurnStore['append']>) => (given[2]?.syncLater === true ? event : append)(...given),
    end: delayed('end', turns.end.bind(turns)),
    delete: delayed('delete', turns.delete.bind(turns)),
  };
  const ownOfJournal = {
    requested: delayed('requested', journal.requested.bind(journal)),
    withdrawn: delayed('withdrawn', journal.withdrawn.bind(journal)),
    answered: delayed('answered', journal.answered.bind(journal)),
    executing: delayed('executing', journal.executing.bind(journal)),
    done: delayed('done', journal.done.bind(journal)),
  };
  Object.assign(turns, own);
  Object.assign(journal, ownOfJournal);
  const heal = async (): Promise<void> => {
    hangs = false;
    isWell = true;
    while (late.length > 0) await late.shift()?.();
  };
  const die = async (landed: number): Promise<void> => {
    for (let made = 0; made < landed; made += 1) await late.shift()?.();
    for (const name of Object.keys(own)) Reflect.deleteProperty(turns, name);
    for (const name of Object.keys(ownOfJournal)) Reflect.deleteProperty(journal, name);
  };
  return { kept, heal, die };
}

const typesOf = (events: readonly ReadEvent[]): readonly string[] => events.map(({ type }) => type);
const notices = (events: readonly ReadEvent[]): readonly ReadEvent[] =>
  events.filter(({ type }) => type === 'error-occurred');
const questions = (events: readonly ReadEvent[]): readonly ReadEvent[] =>
  events.filter(({ type }) => type.startsWith('confirmation'));
const told = ({ requests }: FakeModel, request = 1): string => requests[request]?.messages.at(-1)?.text ?? '';

const closing = (...cases: readonly number[]): Parameters<typeof fakeModel>[number] => ({
  toolCalls: cases.map((caseId) => call('close_case', { caseId }, `c${String(caseId)}`)),
});

/** A process whose model asks for these cases to be closed. */
function asking(kept: Stores, cases: readonly number[], options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool();
  const model = fakeModel(closing(...cases), { text: 'Sorry.' }, { text: 'Sorry again.' });
  const test = run(kept, { toolList: [tool], model, ...options });
  const turn: Turn = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close them' });
  return { ...test, tool, model, turn, reader: readTurn(turn) };
}

/** The next process on what is stored. */
async function next(kept: Stores, turn: Turn, options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool();
  const model = fakeModel({ text: 'I could not ask.' });
  const test = run(kept, { toolList: [tool], model, ...options });
  await test.assistant.takeUpTurns();
  const found = await test.assistant.findTurn(turn.id, anyone);
  return { ...test, tool, model, turn: found };
}

/** Expects that nothing is open, and that nothing has ever been asked or run. */
async function expectNothingAsked(kept: Stores, tool: ReturnType<typeof fakeTool>, turn: Turn): Promise<void> {
  const rows = await kept.journal.ofTurn(turn.id);
  expect(rows.filter(({ state, answer }) => state !== 'done' || answer !== 'cancelled')).toEqual([]);
  expect(tool.runs).toEqual([]);
}

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

describe('a question while the store does not answer (contract/restarts.md#storage-that-fails)', () => {
  // proves wire-11-61
  it.each(writes)('is put once where the store is well within 4 s: it hangs at %s', async (from) => {
    const { kept, heal } = hanging(from);
    const { reader, answer, tool, turn } = asking(kept, [3]);
    await passes(3_900);
    expect(questions(reader.events)).toEqual([]);
    await heal();
    const asked = await reader.next('confirmation-requested');
    await answer(idOf(asked));
    await expect(turn.result).resolves.toMatchObject({ status: 'completed' });
    expect(tool.runs).toEqual([{ caseId: 3 }]);
    expect(notices(reader.events)).toEqual([]);
  });

  // proves wire-11-70, wire-11-72
  it.each(
    (['Native', 'Blocking'] as const).flatMap((hitlMode) =>
      (['create', 'requested'] as const).flatMap((from) =>
        [4_900, 5_100, 60_000].map((ms) => [from, ms, hitlMode] as const),
      ),
    ),
  )(
    'is not put, user and model are told, and the turn goes on: it hangs at %s for %i ms (%s)',
    async (from, ms, hitlMode) => {
      const { kept, heal } = hanging(from);
      const { reader, tool, turn, model } = asking(kept, [3], { hitlMode });
      await passes(4_500);
      expect(notices(reader.events)).toMatchObject([{ fields: { code: 'question_not_stored', retryable: true } }]);
      expect(told(model)).toMatch(/^\[failed\] .*nobody was asked: the question could not be stored/);
      await passes(ms - 4_500);
      await heal();
      await passes(5_000);
      await heal();
      await turn.result;
      expect(questions(reader.events)).toEqual([]);
      expect(reader.events.at(-1)).toMatchObject({ type: 'turn-completed', fields: { status: 'completed' } });
      await expectNothingAsked(kept, tool, turn);
    },
  );

  // proves wire-11-70, wire-11-72
  it.each(['question', 'always'] as const)(
    'is not put where its row is stored and its event is not: its number is that of an empty text (%s)',
    async (tapePolicy) => {
      const { kept, heal } = hanging('event');
      const { reader, tool, turn } = asking(kept, [3], { tapePolicy });
      await passes(4_500);
      expect(notices(reader.events)).toMatchObject([{ fields: { code: 'question_not_stored' } }]);
      await heal();
      await passes(5_000);
      await heal();
      await turn.result;
      expect(questions(reader.events)).toEqual([]);
      await expectNothingAsked(kept, tool, turn);
      const read = readTurn((await next(kept, turn, { tapePolicy })).turn ?? turn).events;
      expect(read.map(({ seq }) => seq)).toEqual(read.map((_event, index) => index + 1));
      expect(questions(read)).toEqual([]);
    },
  );

  // proves wire-11-71
  it('is told early to the reader of a turn that is stored, under the number before it, and again in its place', async () => {
    const { kept, heal } = hanging('create');
    const { reader, turn, model } = asking(kept, [3], { tapePolicy: 'always' });
    await passes(4_500);
    expect(reader.events).toMatchObject([{ type: 'error-occurred', seq: 0, fields: { code: 'question_not_stored' } }]);
    expect(told(model)).toContain('nobody was asked');
    const late = readTurn(turn);
    expect(typesOf(late.events)).toEqual(['error-occurred']);
    await heal();
    await passes(5_000);
    await heal();
    await turn.result;
    const [, ...rest] = late.events;
    expect(rest.map(({ seq }) => seq)).toEqual(rest.map((_event, index) => index + 1));
    expect(notices(rest)).toHaveLength(1);
  });

  // proves wire-11-70
  it('is told for each of two calls of one reply, and of one that comes later in the turn at once', async () => {
    const { kept, heal } = hanging('create');
    const tool = fakeTool();
    const model = fakeModel(closing(1, 2), closing(3), { text: 'Sorry.' });
    const { assistant } = run(kept, { toolList: [tool], model });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'close them' });
    const reader = readTurn(turn);
    await passes(4_500);
    await turn.result;
    const numbered = reader.events.filter(
      ({ seq }, index) => reader.events.findIndex((one) => one.seq === seq) === index,
    );
    expect(numbered.map(({ seq }) => seq)).toEqual(numbered.map((_event, index) => index + 1));
    expect(notices(numbered)).toHaveLength(3);
    await heal();
    await expectNothingAsked(kept, tool, turn);
  });

  // proves wire-11-72
  it('is not put, and no notice is told, where the turn is stopped meanwhile', async () => {
    const { kept, heal } = hanging('create');
    const { reader, tool, turn } = asking(kept, [3]);
    await passes(100);
    const stopped = turn.stop('user').catch(() => undefined);
    await passes(4_500);
    await stopped;
    await expect(turn.result).resolves.toMatchObject({ status: 'stopped' });
    await heal();
    await passes(5_000);
    await heal();
    expect(questions(reader.events)).toEqual([]);
    expect(notices(reader.events)).toEqual([]);
    await expectNothingAsked(kept, tool, turn);
  });
});

describe('a question that nobody was asked, in the next process (contract/restarts.md#storage-that-fails)', () => {
  const landings = writes
    .slice(0, 2)
    .flatMap((from, index) => Array.from({ length: 3 - index }, (_, landed) => [from, landed] as const));

  // proves wire-11-72
  it.each(
    (['Native', 'Blocking'] as const).flatMap((hitlMode) => landings.map((each) => [...each, hitlMode] as const)),
  )(
    'is put by nobody: the store hung at %s, and %i writes were made all the same (%s)',
    async (from, landed, hitlMode) => {
      const { kept, die } = hanging(from);
      const first = asking(kept, [3], { hitlMode });
      await passes(4_500);
      expect(notices(first.reader.events)).toHaveLength(1);
      await die(landed);
      const { turn, tool, model } = await next(kept, first.turn, { hitlMode });
      expect(turn).toBeUndefined();
      expect(model.requests).toEqual([]);
      expect(await kept.turns.ids()).toEqual([]);
      await expectNothingAsked(kept, tool, first.turn);
    },
  );

  // proves wire-11-72
  it.each([0, 1])(
    'is put by nobody where a durable turn goes on: its reply is stored, and %i writes after it',
    async (landed) => {
      const { kept, die } = hanging('requested');
      const first = asking(kept, [3], { tapePolicy: 'always' });
      await passes(4_500);
      expect(notices(first.reader.events)).toHaveLength(1);
      await die(landed);
      const { turn, tool, model } = await next(kept, first.turn, { tapePolicy: 'always' });
      await expect(turn?.result).resolves.toMatchObject({ status: 'completed', text: 'I could not ask.' });
      expect(told(model, 0)).toContain('nobody was asked');
      const { events } = readTurn(turn ?? first.turn);
      expect(questions(events)).toEqual([]);
      expect(notices(events)).toHaveLength(1);
      await expectNothingAsked(kept, tool, first.turn);
    },
  );

  // proves wire-5-56
  it('is put where the process before has suspended the turn', async () => {
    const kept = memoryStores();
    const isJudged = Promise.withResolvers<boolean>();
    const mayJudge = { now: false };
    const policy = new ToolPolicy({
      requireConfirmation: true,
      requireConfirmationForWrites: true,
      requiresApproval: [() => (mayJudge.now ? Promise.resolve(true) : isJudged.promise)],
      isReadOnlyAction: [],
    });
    const first = asking(kept, [3], { tapePolicy: 'always', policy });
    await vi.waitUntil(() => first.model.requests.length === 1);
    await nextLoop();
    mayJudge.now = true;
    void first.assistant.drain(0);
    await passes(3_000);
    const { turn, answer, tool } = await next(kept, first.turn, { tapePolicy: 'always', policy });
    if (turn === undefined) throw new Error('the turn was not taken up');
    const asked = await readTurn(turn).next('confirmation-requested');
    await answer(idOf(asked));
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 3 }]);
  });
});
