import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import type { Session } from '../../../src/core/sessions/session.ts';
import { AutoApproval } from '../../../src/core/confirmations/auto-approval.ts';
import { anonymousPrincipal, type Principal } from '../../../src/core/identity/principal.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import type { Turn } from '../../../src/core/turn/live/turn.ts';
import { call, fakeModel } from '../../support/fake-model.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { readTurn, testAssistant, type TestAssistantOptions, type TurnReader } from '../../support/test-assistant.ts';

const anyone = anonymousPrincipal('test');

/** A server with `hitlMode: Native` whose model asks for `close_case` once and then says what it is given. */
function nativeServer(options: Partial<TestAssistantOptions> & { readonly replies?: readonly string[] } = {}) {
  const tool = fakeTool();
  const model = fakeModel(
    { text: 'One moment.', toolCalls: [call('close_case', { caseId: 42 })] },
    ...(options.replies ?? ['Done.', 'Done too.', 'And done.']).map((text) => ({ text })),
  );
  const test = testAssistant({
    ...memoryStores(),
    autoApproval: new AutoApproval({ rules: [], maxRounds: 5 }),
    toolList: [tool],
    model,
    ...options,
  });
  const answer = (actionId: string, approved = true) =>
    test.assistant.answerConfirmation({ actionId, approved }, anyone);
  return { ...test, tool, model, answer };
}

/** Stores in a file that is deleted after the test. */
async function embedded() {
  const path = await mkdtemp(join(tmpdir(), 'copies-'));
  const stores = await openStores({ type: 'embedded', path });
  onTestFinished(async () => {
    await stores.journal.close();
    await rm(path, { recursive: true, force: true });
  });
  return { journal: stores.journal, turns: stores.turns };
}

type Server = ReturnType<typeof nativeServer>;

function storesOf({ journal, turns }: Server) {
  return { journal, turns };
}

/** A session whose turn waits for its user. */
async function waiting(server: Server) {
  const session = server.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close case 42' });
  const reader = readTurn(turn);
  const { fields } = await reader.next('confirmation-requested');
  return { session, turn, reader, actionId: String(fields['actionId']), callId: fields['callId'] };
}

/** Puts a snapshot into a new session, and reads the turn that begins. */
async function restoreInto(server: Server, snapshot: string, principal?: Principal) {
  let turn: Turn | undefined;
  let reader: TurnReader | undefined;
  const session: Session = server.assistant.openSession({
    channel: 'hub',
    ...(principal === undefined ? {} : { principal }),
    onCopy: (copy) => {
      turn = copy;
      reader = readTurn(copy);
    },
  });
  const restored = await server.snapshots.restore(session, snapshot);
  const open = restored.openConfirmations.map(({ json }) => JSON.parse(json) as Record<string, unknown>);
  return { session, restored, open, turn, reader, actionId: String(open[0]?.['actionId']) };
}

describe('an open Native confirmation in a snapshot (contract/sessions.md#snapshots)', () => {
  // proves wire-5-43
  it('is asked again under its callId and a new actionId; its approval runs it, and the turn goes on there', async () => {
    const server = nativeServer();
    const before = await waiting(server);
    const snapshot = await server.snapshots.save(before.session);
    before.session.close('connection-closed');
    await before.turn.result;
    const after = await restoreInto(server, snapshot);
    expect(after.open).toMatchObject([
      {
        callId: before.callId,
        action: 'close_case',
        turnId: after.turn?.id,
        arguments: [{ name: 'caseId', value: 42 }],
      },
    ]);
    expect(after.actionId).not.toBe(before.actionId);
    expect(after.restored.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'close case 42'],
      ['assistant', 'One moment.'],
    ]);
    await expect(server.answer(before.actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    await server.answer(after.actionId);
    await after.turn?.result;
    expect(server.tool.runs).toEqual([{ caseId: 42 }]);
    expect(after.reader?.events.map(({ type, seq }) => [seq, type])).toEqual([
      [1, 'turn-started'],
      [2, 'confirmation-requested'],
      [3, 'confirmation-resolved'],
      [4, 'action-executing'],
      [5, 'action-completed'],
      [6, 'text-delta'],
      [7, 'turn-completed'],
    ]);
    expect(server.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(after.session.transcript.map(({ message }) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(after.session.conversationId).toBe(after.restored.conversationId);
  });

  // proves service-2.14-19
  it('names at once the model that its message was put to', async () => {
    const router = { needsStrong: () => Promise.resolve(true) };
    const asking = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const server = nativeServer({ routing: { strong: { ...asking, model: 'strong' }, router } });
    const before = await waiting(server);
    const snapshot = await server.snapshots.save(before.session);
    before.session.close('connection-closed');
    await before.turn.result;
    const after = await restoreInto(server, snapshot);
    expect([before.reader.events[0]?.fields['model'], after.reader?.events[0]?.fields['model']]).toEqual([
      undefined,
      'strong',
    ]);
    await server.answer(after.actionId);
    await after.turn?.result;
  });

  // proves wire-5-46
  it('comes after the conversation before it, and with the times of then', async () => {
    let now = 1000;
    const server = nativeServer({
      now: () => now,
      model: fakeModel({ text: 'Hi.' }, { toolCalls: [call('close_case')] }),
    });
    const session = server.assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'hello' }).result;
    now = 2000;
    await readTurn(session.startNow({ text: 'close it' })).next('confirmation-requested');
    const snapshot = await server.snapshots.save(session);
    now = 9000;
    const { restored } = await restoreInto(server, snapshot);
    expect(restored.messages).toEqual([
      { role: 'user', text: 'hello', at: 1000, turnId: expect.any(String) as unknown },
      { role: 'assistant', text: 'Hi.', at: 1000 },
      { role: 'user', text: 'close it', at: 2000 },
    ]);
  });

  // proves wire-5-44
  it.each([
    ['in memory', () => Promise.resolve({})],
    ['in SQLite', embedded],
  ])('runs once of ten copies and the living original, answered at the same moment (%s)', async (_title, stores) => {
    const server = nativeServer({ ...(await stores()), replies: Array.from({ length: 11 }, () => 'Done.') });
    const original = await waiting(server);
    const snapshot = await server.snapshots.save(original.session);
    const copies = [];
    for (let copy = 0; copy < 10; copy += 1) copies.push(await restoreInto(server, snapshot));
    const ids = [original.actionId, ...copies.map(({ actionId }) => actionId)];
    expect(new Set(ids).size).toBe(11);
    const answers = await Promise.allSettled(ids.toReversed().map((id) => server.answer(id)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'nothing_to_answer' });
    }
    const turns = [original.turn, ...copies.map(({ turn }) => turn)];
    for (const turn of turns) expect(await turn?.result).toMatchObject({ status: 'completed' });
    expect(server.tool.runs).toHaveLength(1);
    expect(await server.journal.unfinished()).toEqual([]);
    for (const reader of [original.reader, ...copies.map((copy) => copy.reader)]) {
      expect(reader?.events.filter(({ type }) => type === 'confirmation-resolved')).toHaveLength(1);
    }
  });

  it('ends where it is open when it is answered in another copy, and its model is told so', async () => {
    const server = nativeServer();
    const original = await waiting(server);
    const copy = await restoreInto(server, await server.snapshots.save(original.session));
    await server.answer(original.actionId);
    await copy.turn?.result;
    const resolved = await copy.reader?.next('confirmation-resolved');
    expect(resolved?.fields).toMatchObject({ actionId: copy.actionId, outcome: 'cancelled', by: 'system' });
    await original.turn.result;
    expect(server.tool.runs).toHaveLength(1);
    const told = server.model.requests.flatMap(({ messages }) => messages.at(-1)?.text ?? []);
    expect(told.filter((text) => text.includes('in another copy of this conversation'))).toHaveLength(1);
  });

  // proves wire-5-44
  it.each([
    [true, '[succeeded] The user answered this confirmation in another copy'],
    [false, '[declined] The user declined this action.'],
  ])(
    'that was answered (%s) comes back resolved with its stored outcome, and is never asked again',
    async (approved, told) => {
      const server = nativeServer();
      const original = await waiting(server);
      const snapshot = await server.snapshots.save(original.session);
      await server.answer(original.actionId, approved);
      await original.turn.result;
      for (let copy = 0; copy < 10; copy += 1) {
        const { open, turn, session, restored } = await restoreInto(server, snapshot);
        expect(open).toEqual([]);
        expect(turn).toBeUndefined();
        expect(restored.messages.map(({ text }) => text)).toEqual(['close case 42', 'One moment.']);
        expect(session.transcript.at(-1)?.message.text).toContain(told);
      }
      expect(server.tool.runs).toHaveLength(approved ? 1 : 0);
      const { session } = await restoreInto(server, snapshot);
      await session.startNow({ text: 'and?' }).result;
      expect(server.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'user',
      ]);
    },
  );

  it('whose action still runs where it was approved is told as unknown, and is not run again', async () => {
    const goOn = Promise.withResolvers<undefined>();
    const tool = fakeTool({ execute: () => goOn.promise.then(() => ({ value: 1 })) });
    const server = nativeServer({ toolList: [tool] });
    const original = await waiting(server);
    const snapshot = await server.snapshots.save(original.session);
    await server.answer(original.actionId);
    await original.reader.next('action-executing');
    const { open, session } = await restoreInto(server, snapshot);
    expect(open).toEqual([]);
    expect(session.transcript.at(-1)?.message.text).toContain('[unknown]');
    // A new snapshot does not contain the question either.
    expect((await restoreInto(server, await server.snapshots.save(original.session))).restored.messages).toEqual([]);
    goOn.resolve(undefined);
    await original.turn.result;
    expect(tool.runs).toHaveLength(1);
  });

  // proves wire-5-45
  it.each(['user', 'connection-closed'] as const)('that ended by a stop (%s) is asked again', async (reason) => {
    const server = nativeServer();
    const original = await waiting(server);
    const snapshot = await server.snapshots.save(original.session);
    await original.turn.stop(reason);
    await original.turn.result;
    const copy = await restoreInto(server, snapshot);
    await server.answer(copy.actionId);
    await copy.turn?.result;
    expect(server.tool.runs).toHaveLength(1);
  });

  // proves wire-5-45
  it('that expired is asked again', async () => {
    const server = nativeServer({ confirmationTimeoutMs: 30 });
    const original = await waiting(server);
    const snapshot = await server.snapshots.save(original.session);
    await original.turn.result;
    expect((await server.journal.find(original.actionId))?.answer).toBe('expired');
    const copy = await restoreInto(server, snapshot);
    expect(copy.open).toMatchObject([{ callId: original.callId }]);
    await copy.turn?.result;
    expect(server.tool.runs).toHaveLength(0);
  });

  // proves service-3-07
  it('is still carried by a snapshot that is saved after Stop, until the next message (contract/confirmations.md#stop)', async () => {
    const server = nativeServer();
    const { session, turn } = await waiting(server);
    await session.stop('user');
    const atOnce = await server.snapshots.save(session);
    await turn.result;
    const later = await server.snapshots.save(session);
    for (const snapshot of [atOnce, later]) {
      const copy = await restoreInto(server, snapshot);
      expect(copy.open).toHaveLength(1);
      expect(copy.restored.messages).toHaveLength(2);
      await copy.session.stop('user');
      await copy.turn?.result;
    }
    await session.startNow({ text: 'never mind' }).result;
    // In Native the next message answers the open request as not run.
    expect(server.model.requests.at(-1)?.messages.at(-2)?.text).toContain('[cancelled]');
    expect((await restoreInto(server, await server.snapshots.save(session))).open).toEqual([]);
  });

  it('is gone with a new conversation', async () => {
    const server = nativeServer();
    const { session, turn } = await waiting(server);
    session.newConversation();
    await turn.result;
    expect((await restoreInto(server, await server.snapshots.save(session))).restored.messages).toEqual([]);
  });

  it('is carried on by a snapshot of the conversation it was restored into', async () => {
    const server = nativeServer();
    const original = await waiting(server);
    const second = await restoreInto(server, await server.snapshots.save(original.session));
    const third = await restoreInto(server, await server.snapshots.save(second.session));
    expect(third.open).toMatchObject([{ callId: original.callId }]);
    await server.answer(third.actionId);
    for (const { turn } of [original, second, third]) await turn?.result;
    expect(server.tool.runs).toHaveLength(1);
  });

  it('is one of several: what had ended keeps its outcome, the rest is asked again', async () => {
    const look = fakeTool({ name: 'get_case', readOnly: true });
    const close = fakeTool();
    const calls = [call('get_case', {}), call('close_case', { caseId: 1 }), call('close_case', { caseId: 2 })];
    const server = nativeServer({
      toolList: [look, close],
      model: fakeModel({ toolCalls: calls }, { text: 'One closed.' }, { text: 'One closed.' }),
    });
    const session = server.assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'close both' });
    const reader = readTurn(turn);
    const ids = [await reader.next('confirmation-requested'), await reader.next('confirmation-requested')];
    await reader.next('action-completed');
    const snapshot = await server.snapshots.save(session);
    await server.answer(String(ids[0]?.fields['actionId']), false);
    await nextLoop();
    const copy = await restoreInto(server, snapshot);
    expect(copy.open).toMatchObject([{ arguments: [{ value: 2 }] }]);
    await server.answer(copy.actionId);
    await copy.turn?.result;
    expect(look.runs).toHaveLength(1);
    expect(close.runs).toEqual([{ caseId: 2 }]);
    const told = copy.session.transcript.slice(2, 5).map(({ message }) => message.text.split(']')[0]);
    expect(told).toEqual(['[succeeded', '[declined', '[succeeded']);
    await turn.result;
  });

  // proves wire-5-44
  it('beside one whose action still runs: that one has its outcome of the time it is restored', async () => {
    const goOn = Promise.withResolvers<undefined>();
    const tool = fakeTool({ execute: ({ caseId }) => goOn.promise.then(() => ({ value: caseId })) });
    const calls = [call('close_case', { caseId: 1 }), call('close_case', { caseId: 2 })];
    const server = nativeServer({
      toolList: [tool],
      model: fakeModel({ toolCalls: calls }, { text: 'Done.' }, { text: 'Done.' }),
    });
    const session = server.assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'close both' });
    const reader = readTurn(turn);
    const ids = [await reader.next('confirmation-requested'), await reader.next('confirmation-requested')];
    await server.answer(String(ids[0]?.fields['actionId']));
    await reader.next('action-executing');
    const snapshot = await server.snapshots.save(session);
    goOn.resolve(undefined);
    await reader.next('action-completed');
    await session.stop('user');
    await turn.result;
    const copy = await restoreInto(server, snapshot);
    expect(copy.open).toMatchObject([{ arguments: [{ value: 2 }] }]);
    await server.answer(copy.actionId, false);
    await copy.turn?.result;
    const told = copy.session.transcript.slice(2, 4).map(({ message }) => message.text.split(']')[0]);
    expect(told).toEqual(['[succeeded', '[declined']);
    expect(tool.runs).toHaveLength(1);
  });

  // proves wire-5-44
  it('is not asked again where the journal knows nothing of it: it may have been answered', async () => {
    const server = nativeServer();
    const original = await waiting(server);
    const snapshot = await server.snapshots.save(original.session);
    await server.answer(original.actionId);
    await original.turn.result;
    const withoutJournal = nativeServer();
    const { open, session } = await restoreInto(withoutJournal, snapshot);
    expect(open).toEqual([]);
    expect(session.transcript.at(-1)?.message.text).toContain('[unknown]');
  });

  it('is not put to a server that is about to leave: it says so, and the live conversation stays', async () => {
    const server = nativeServer();
    const original = await waiting(server);
    const snapshot = await server.snapshots.save(original.session);
    const session = server.assistant.openSession({ channel: 'hub' });
    const { conversationId } = session;
    await server.assistant.drain(0);
    await expect(server.snapshots.restore(session, snapshot)).rejects.toMatchObject({ code: 'server_draining' });
    expect(session.conversationId).toBe(conversationId);
  });

  // proves wire-5-47
  it.each<[string, Tool, string]>([
    ['its user has no role for any more', fakeTool({ requiredRoles: ['Supervisor'] }), '[refused]'],
    [
      'whose arguments do not fit any more',
      fakeTool({ checkArguments: () => ({ ok: false, faults: ['caseId: is no more'] }) }),
      'caseId: is no more',
    ],
    ['whose action is gone', fakeTool({ name: 'another' }), 'no tool with this name'],
  ])('%s is not asked again: roles and schema are checked on restore', async (_title, tool, told) => {
    const server = nativeServer();
    const { session, actionId } = await waiting(server);
    const next = nativeServer({ toolList: [tool], ...storesOf(server) });
    const { open, session: restored, turn } = await restoreInto(next, await next.snapshots.save(session));
    expect(open).toEqual([]);
    expect(turn).toBeUndefined();
    expect(restored.transcript.at(-1)?.message.text).toContain(told);
    expect((await server.journal.unfinished()).map((row) => row.actionId)).toEqual([actionId]);
  });

  it('is not asked again by a server with hitlMode Blocking: the conversation is put back without it', async () => {
    const server = nativeServer();
    const { session } = await waiting(server);
    const hitlMode = 'Blocking';
    const blocking = testAssistant({ model: fakeModel(), toolList: [fakeTool()], hitlMode, ...storesOf(server) });
    const target = blocking.assistant.openSession({ channel: 'hub' });
    const { messages, openConfirmations } = await blocking.snapshots.restore(
      target,
      await server.snapshots.save(session),
    );
    expect(openConfirmations).toEqual([]);
    expect(messages).toHaveLength(2);
    expect(target.transcript.at(-1)?.message).toMatchObject({
      role: 'tool',
      text: expect.stringContaining('[cancelled]') as unknown,
    });
  });

  it('is owned by the connection that restored it', async () => {
    const user = (id: string): Principal => ({
      kind: 'signed-in',
      userKey: `sub:${id}`,
      id,
      name: id,
      roles: new Set(),
      claims: {},
    });
    const server = nativeServer();
    const session = server.assistant.openSession({ channel: 'hub', principal: user('anna') });
    await readTurn(session.startNow({ text: 'close case 42' })).next('confirmation-requested');
    const copy = await restoreInto(server, await server.snapshots.save(session), user('anna'));
    const answer = { actionId: copy.actionId, approved: true };
    await expect(server.assistant.answerConfirmation(answer, anyone)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await expect(server.assistant.answerConfirmation(answer, user('bert'))).rejects.toMatchObject({
      code: 'not_owner',
    });
    await server.assistant.answerConfirmation(answer, user('anna'));
    await copy.turn?.result;
    expect(server.tool.runs).toHaveLength(1);
  });

  it('survives a restart in its copies too: of the original and the copy one runs', async () => {
    const server = nativeServer();
    const original = await waiting(server);
    const copy = await restoreInto(server, await server.snapshots.save(original.session));
    await server.assistant.drain(1000);
    const next = nativeServer({
      ...storesOf(server),
      model: fakeModel({ text: 'Done.' }, { text: 'So.' }),
    });
    await next.assistant.takeUpTurns();
    const ids = [original.turn.id, copy.turn?.id ?? ''];
    const turns = await Promise.all(ids.map((id) => next.assistant.findTurn(id, anyone)));
    await next.answer(copy.actionId);
    for (const turn of turns) await turn?.result;
    await expect(next.answer(original.actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    expect(next.tool.runs).toHaveLength(1);
  });
});
