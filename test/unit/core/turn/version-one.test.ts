import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import type { JournalRow } from '../../../../src/core/ports/confirmation-journal.ts';
import type { KeptTurnState, SuspendedTurnStore } from '../../../../src/core/ports/suspended-turn-store.ts';
import type { SnapshotSealer } from '../../../../src/core/ports/snapshot-sealer.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import { SessionSnapshots } from '../../../../src/core/sessions/snapshot/session-snapshots.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { convertVersionOne } from '../../../../src/core/turn/kept/convert-version-one.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';
import { type ReadEvent, readTurn, testAssistant, type TurnReader } from '../../../support/test-assistant.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

/*
 * The fixtures are what version 1.0 wrote: a first round in which a rule approved, then a round in which one call has read,
 * one was declined, and two (of the cases 3 and 5) wait for their user.
 */
const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}-1.0.json`, import.meta.url), 'utf8'));

interface SuspendedTurn {
  readonly state: KeptTurnState;
  /** The journal's rows of the turn's questions. */
  readonly open: readonly JournalRow[];
  /** The events that the turn's reader had got. */
  readonly events: readonly ReadEvent[];
}

const suspended = fixture('suspended-turn') as SuspendedTurn; // as the fixture was written
const anna: Principal = {
  kind: 'signed-in',
  userKey: 'sub:anna',
  id: 'anna',
  name: 'Anna',
  roles: new Set(['Clerk']),
  claims: { tenant: 't1' },
};
const roles = ['user', 'assistant', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'tool', 'tool', 'tool'];
const outcomes = ['succeeded', 'succeeded', 'succeeded', 'declined', 'succeeded', 'declined'];

/** The stores as version 1.0 left them. */
async function left(states: readonly KeptTurnState[] = [suspended.state]) {
  const kept = memoryStores();
  const byId = new Map(states.map((state) => [state.turnId, state]));
  const suspendedTurns: SuspendedTurnStore = {
    delete: (turnId) => Promise.resolve(void byId.delete(turnId)),
    all: () => Promise.resolve([...byId.values()]),
  };
  for (const { path: _, ...row } of suspended.open) await kept.journal.requested(row);
  return { kept, suspendedTurns };
}

/** The first start of this version on these stores. */
async function start({ kept, suspendedTurns }: Awaited<ReturnType<typeof left>>, model = fakeModel({ text: 'Done.' })) {
  const log = recordingLogger();
  const tools = [fakeTool({ name: 'get_case', readOnly: true }), fakeTool()] as const;
  const autoApproval = new AutoApproval({ rules: [({ arguments: a }) => a['caseId'] === 2], maxRounds: 1 });
  const test = testAssistant({ ...kept, toolList: tools, model, autoApproval, now: () => 1_790_000_001_000 });
  const clock = { now: () => 1000, elapsed: () => 0 };
  const tape = {
    store: kept.turns,
    sealer: testRecordSealer(),
    markOf: (userKey: string) => userKey,
    policy: 'question',
    clock,
    log,
    resumeWindowMs: 1,
  } as const;
  // the function uses only these two services of a call
  const calls = { log, clock } as unknown as Parameters<typeof convertVersionOne>[1]['calls'];
  await convertVersionOne(suspendedTurns, { tape, calls, maxToolRounds: 12 });
  await test.assistant.takeUpTurns();
  const answer = (actionId: string, approved: boolean) =>
    test.assistant.answerConfirmation({ actionId, approved }, anna);
  return { ...test, tools, model, answer, conversionLog: log };
}

const callOf = (event: ReadEvent): unknown => [event.fields['callId'], event.fields['arguments']];
const statusesTold = (model: ReturnType<typeof fakeModel>): unknown[] =>
  (model.requests[0]?.messages ?? []).flatMap(({ role, text }) =>
    role === 'tool' ? [/^\[(\w+)\]/.exec(text)?.[1]] : [],
  );

describe('a suspended turn as version 1.0 stored it (contract/restarts.md#turns)', () => {
  it('goes on: what it had told stands under its numbers, its questions keep their ids, and the model knows all of it', async () => {
    const stores = await left();
    const next = await start(stores);
    const turn = await next.assistant.findTurn(suspended.state.turnId, anna);
    if (turn === undefined) throw new Error('the turn was not taken up');
    const reader = readTurn(turn);
    expect(reader.events).toEqual(suspended.events);
    const [three, five] = suspended.open.map(({ actionId }) => actionId);
    await next.answer(three ?? '', true);
    await next.answer(five ?? '', false);
    await expect(turn.result).resolves.toMatchObject({
      status: 'completed',
      text: 'Let me see.\n\nTwo are left. \n\nDone.',
    });
    expect(next.tools.map(({ runs }) => runs)).toEqual([[], [{ caseId: 3 }]]);
    expect(next.model.requests).toHaveLength(1);
    expect(next.model.requests[0]?.messages.map(({ role }) => role)).toEqual(roles);
    expect(next.model.requests[0]?.messages[2]?.text).toMatch(/^<data of="page the user is on">[^]*close them all$/);
    expect(statusesTold(next.model)).toEqual(outcomes);
    expect(reader.events.map(({ seq }) => seq)).toEqual(reader.events.map((_event, index) => index + 1));
    const usage = { inputTokens: 30, outputTokens: 15, model: 'fake-1' };
    expect(reader.events.at(-1)).toMatchObject({ type: 'turn-completed', fields: { usage } });
    expect(await unended(stores.kept)).toEqual([]);
    expect(await stores.kept.journal.unfinished()).toEqual([]);
    expect(await stores.suspendedTurns.all()).toEqual([]);
  });

  it('counts the rounds that a rule has approved (contract/confirmations.md#rules-in-place-of-the-user)', async () => {
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 2 })] }, { text: 'Done.' });
    const next = await start(await left(), model);
    const turn = await next.assistant.findTurn(suspended.state.turnId, anna);
    if (turn === undefined) throw new Error('the turn was not taken up');
    const reader = readTurn(turn, turn.lastSeq);
    for (const { actionId } of suspended.open) await next.answer(actionId, false);
    for (const _ of suspended.open) await reader.next('confirmation-requested');
    const asked = await reader.next('confirmation-requested');
    expect(asked.fields['arguments']).toMatchObject([{ value: 2 }]);
    await next.answer(String(asked.fields['actionId']), false);
    await turn.result;
  });

  it('is converted once, however often the server dies before it is forgotten', async () => {
    const stores = await left();
    const { suspendedTurns } = stores;
    const forget = suspendedTurns.delete.bind(suspendedTurns);
    suspendedTurns.delete = () => Promise.reject(new Error('it died here'));
    await expect(start(stores)).rejects.toThrow('it died here');
    suspendedTurns.delete = forget;
    const next = await start(stores);
    expect(await unended(stores.kept)).toEqual([suspended.state.turnId]);
    for (const { actionId } of suspended.open) await next.answer(actionId, true);
    await expect.poll(() => next.assistant.runningTurns).toBe(0);
    expect(next.tools[1].runs).toHaveLength(2);
  });

  it.each(['no JSON', 'null', '{"version":99}', '{"version":1}'])(
    'is given up with a line in the log when it cannot be read: %s',
    async (state) => {
      const stores = await left([{ turnId: 't', state }]);
      const next = await start(stores);
      expect(next.conversionLog.lines).toMatchObject([{ level: 'error', fields: { turnId: 't' } }]);
      expect(await stores.kept.turns.ids()).toEqual([]);
      expect(await stores.suspendedTurns.all()).toEqual([]);
    },
  );
});

describe('a snapshot as version 1.0 wrote it (contract/restarts.md#turns)', () => {
  const sealer: SnapshotSealer = {
    seal: (content) => Promise.resolve(JSON.stringify(content)),
    open: (sealed) => Promise.resolve(JSON.parse(sealed)),
  };

  it('is restored: its questions are asked again under their callIds and new ids, and the run goes on', async () => {
    const stores = await left([]);
    const next = await start(stores);
    const snapshots = new SessionSnapshots({
      sealer,
      journal: stores.kept.journal,
      toolbox: () => new Toolbox(next.tools),
      asksAgain: true,
      cards: { enableGenerativeCards: true, cardHosts: { images: [], links: [] } },
      metrics: recordingMetrics(),
    });
    const copies: { turn: Turn; reader: TurnReader }[] = [];
    const session = next.assistant.openSession({
      channel: 'hub',
      principal: anna,
      onCopy: (turn) => copies.push({ turn, reader: readTurn(turn) }),
    });
    const restored = await snapshots.restore(session, JSON.stringify(fixture('snapshot')));
    expect(restored.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'hello'],
      ['assistant', 'Good day.'],
      ['user', 'close them all'],
      ['assistant', 'Let me see.\n\nTwo are left. '],
    ]);
    const [copy] = copies;
    if (copy === undefined) throw new Error('nothing was asked again');
    const asked = copy.reader.events.filter(({ type }) => type === 'confirmation-requested');
    const before = suspended.events.filter(({ type }) => type === 'confirmation-requested').slice(-2);
    expect(asked.map(callOf)).toEqual(before.map(callOf));
    const ids = asked.map(({ fields }) => String(fields['actionId']));
    expect(ids).not.toEqual(suspended.open.map(({ actionId }) => actionId));
    await next.answer(ids[0] ?? '', true);
    await next.answer(ids[1] ?? '', false);
    await expect(copy.turn.result).resolves.toMatchObject({ status: 'completed', text: 'Done.' });
    expect(next.tools.map(({ runs }) => runs)).toEqual([[], [{ caseId: 3 }]]);
    expect(next.model.requests[0]?.messages.map(({ role }) => role)).toEqual(roles);
    expect(statusesTold(next.model)).toEqual(outcomes);
  });
});
