import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const anyone = anonymousPrincipal('test');
const blocking = () => ({ ...memoryStores(), hitlMode: 'Blocking' as const });

function ask(options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool();
  const model = options.model ?? fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
  const test = testAssistant({ toolList: [tool], ...options, model });
  const session = test.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close case 42' });
  const reader = readTurn(turn);
  const answer = (actionId: string, approved: boolean) =>
    test.assistant.answerConfirmation({ actionId, approved }, anyone);
  return { ...test, tool, session, turn, reader, answer };
}

const idOf = (event: { readonly fields: Readonly<Record<string, unknown>> }): string =>
  String(event.fields['actionId']);

describe('a confirmation (contract/confirmations.md#which-actions-ask and contract/confirmations.md#stop)', () => {
  // proves wire-11-70
  it('asks however long a rule of the host takes, because only the storage has a limit there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const isJudged = Promise.withResolvers<boolean>();
    const slow = (): Promise<boolean> => isJudged.promise;
    const { reader } = ask({ autoApproval: new AutoApproval({ rules: [slow], maxRounds: null }) });
    const requested = reader.next('confirmation-requested');
    await vi.advanceTimersByTimeAsync(60_000);
    isJudged.resolve(false);
    expect((await requested).fields).toMatchObject({ action: 'close_case' });
  });

  // proves wire-5-26
  it('expires only once its user was told of it, however long the storage takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stores = memoryStores();
    const isStored = Promise.withResolvers<undefined>();
    const isAsked = Promise.withResolvers<undefined>();
    const requested = stores.journal.requested.bind(stores.journal);
    stores.journal.requested = async (...given) => {
      isAsked.resolve(undefined);
      await isStored.promise;
      return requested(...given);
    };
    let now = 0;
    const clock = { now: () => now, elapsed: () => now };
    const { reader, turn } = ask({ ...stores, clock, confirmationTimeoutMs: 1_000 });
    await isAsked.promise;
    now = 2_000;
    await vi.advanceTimersByTimeAsync(now);
    isStored.resolve(undefined);
    await reader.next('confirmation-requested');
    await vi.advanceTimersByTimeAsync(0);
    expect((await reader.next('confirmation-resolved')).fields).toMatchObject({ outcome: 'expired', by: 'system' });
    expect((await reader.next('action-completed')).fields).toMatchObject({ status: 'cancelled' });
    await turn.result;
  });

  // proves service-3-01, wire-2-11, wire-5-09
  it('asks before a write that declares nothing, with the arguments as they will run', async () => {
    const { reader, tool, turn } = ask();
    const requested = await reader.next('confirmation-requested');
    expect(requested.fields).toMatchObject({
      action: 'close_case',
      title: 'Close a case',
      description: 'Closes a case for good.',
      arguments: [{ name: 'caseId', label: 'Case number', value: 42 }],
      agent: 'coordinator',
      reason: 'write',
      canRemember: false,
      editable: false,
    });
    expect(tool.runs).toHaveLength(0);
    await turn.stop('user');
    await turn.result;
  });

  it('is a line of the log once decided: who, what and which, by the key of the caller where nothing else is named', async () => {
    const { reader, turn, session, assistant, log, metrics } = ask();
    const actionId = idOf(await reader.next('confirmation-requested'));
    await assistant.answerConfirmation({ actionId, approved: false }, session.principal);
    await turn.result;
    const { level, fields } = log.lines.find((line) => 'security' in line.fields) ?? {};
    expect(level).toBe('info');
    expect(fields).toMatchObject({
      what: 'declined',
      reason: 'user',
      who: session.principal.userKey,
      action: 'close_case',
      actionId,
      turnId: turn.id,
    });
    expect(JSON.stringify(fields)).not.toContain('caseId');
    expect(metrics.counted).toContainEqual({ what: 'securityEvent', value: { what: 'declined', reason: 'user' } });
  });

  // proves service-2.6-09, service-3-02, wire-2-10, wire-2-18
  it('runs once approved, in the order of contract/events.md#order', async () => {
    const { reader, tool, turn, answer } = ask();
    const actionId = idOf(await reader.next('confirmation-requested'));
    await expect(answer(actionId, true)).resolves.toEqual({ actionId, outcome: 'approved' });
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 42 }]);
    expect(reader.events.map(({ type }) => type)).toEqual([
      'turn-started',
      'confirmation-requested',
      'confirmation-resolved',
      'action-executing',
      'action-completed',
      'text-delta',
      'turn-completed',
    ]);
    expect(reader.events[2]?.fields).toMatchObject({ actionId, outcome: 'approved', by: 'user' });
  });

  // proves service-2.6-13, service-3-03, wire-2-10, wire-2-20, wire-2-26
  it('runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence', async () => {
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'As you wish.' });
    const { reader, tool, turn, answer } = ask({ model });
    await answer(idOf(await reader.next('confirmation-requested')), false);
    await turn.result;
    expect(tool.runs).toHaveLength(0);
    expect(reader.events.map(({ type }) => type)).not.toContain('action-executing');
    expect(reader.events.find(({ type }) => type === 'action-completed')?.fields).toMatchObject({ status: 'declined' });
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('The user declined this action. Nothing was changed.');
  });

  // proves wire-5-15
  it('is single-use: of two answers at the same moment one wins and the other finds nothing', async () => {
    const { reader, tool, turn, answer } = ask();
    const actionId = idOf(await reader.next('confirmation-requested'));
    const answers = await Promise.allSettled([answer(actionId, true), answer(actionId, true), answer(actionId, false)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await turn.result;
    expect(tool.runs).toHaveLength(1);
  });

  // proves service-3-05, service-7-01
  it('answers nothing for an unknown id, after Stop and after a close', async () => {
    const { reader, turn, answer } = ask();
    await expect(answer('nope', true)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    const actionId = idOf(await reader.next('confirmation-requested'));
    await turn.stop('connection-closed');
    await turn.result;
    await expect(answer(actionId, true)).rejects.toMatchObject({ code: 'nothing_to_answer' });
  });

  it.each([
    ['user', 'user'],
    // proves wire-3-32
    ['connection-closed', 'system'],
  ] as const)('ends as cancelled when the turn is stopped by %s', async (reason, by) => {
    const { reader, tool, turn } = ask();
    await reader.next('confirmation-requested');
    await turn.stop(reason);
    const result = await turn.result;
    expect(result.status).toBe('stopped');
    expect(reader.events.find(({ type }) => type === 'confirmation-resolved')?.fields).toMatchObject({
      outcome: 'cancelled',
      by,
    });
    expect(reader.events.find(({ type }) => type === 'action-completed')?.fields).toMatchObject({
      status: 'cancelled',
    });
    expect(reader.events.filter(({ type }) => type === 'error-occurred')).toHaveLength(0);
    expect(tool.runs).toHaveLength(0);
  });

  // proves wire-2-27, wire-5-26
  it('expires after confirmationTimeout and tells the model that nobody answered', async () => {
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'ok' });
    const { reader, tool, turn } = ask({ model, confirmationTimeoutMs: 20 });
    const requested = await reader.next('confirmation-requested');
    expect(Date.parse(String(requested.fields['expiresAt']))).toBeGreaterThan(0);
    await turn.result;
    expect(reader.events.find(({ type }) => type === 'confirmation-resolved')?.fields).toMatchObject({
      outcome: 'expired',
      by: 'system',
    });
    expect(tool.runs).toHaveLength(0);
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('Nobody answered');
  });

  // proves wire-5-13
  it('refuses remember and arguments where the confirmation does not offer them, and stays open', async () => {
    const { reader, turn, assistant, tool, answer } = ask();
    const actionId = idOf(await reader.next('confirmation-requested'));
    const refused = { code: 'invalid_request' };
    await expect(
      assistant.answerConfirmation({ actionId, approved: true, remember: true }, anyone),
    ).rejects.toMatchObject(refused);
    await expect(
      assistant.answerConfirmation({ actionId, approved: true, arguments: { caseId: 1 } }, anyone),
    ).rejects.toMatchObject(refused);
    await answer(actionId, true);
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 42 }]);
  });

  // proves wire-5-19
  it('gives parallel calls an id each, answered in any order, while calls that need no answer run', async () => {
    const look = fakeTool({ name: 'get_case', readOnly: true });
    const close = fakeTool();
    const calls = [1, 2, 3].map((caseId) => call('close_case', { caseId }, String(caseId)));
    const model = fakeModel({ toolCalls: [...calls, call('get_case', {}, 'look')] }, { text: 'ok' });
    const { reader, turn, answer } = ask({ model, toolList: [look, close] });
    const ids: string[] = [];
    for (const _ of calls) ids.push(idOf(await reader.next('confirmation-requested')));
    await reader.next('action-completed');
    expect(look.runs).toHaveLength(1);
    await answer(ids[2] ?? '', true);
    await answer(ids[0] ?? '', false);
    await answer(ids[1] ?? '', true);
    await turn.result;
    expect(close.runs.map((run) => run['caseId'])).toEqual([3, 2]);
    const told = model.requests[1]?.messages
      .filter(({ role }) => role === 'tool')
      .map(({ text }) => text.split(' ')[0]);
    expect(told).toEqual(['[declined]', '[succeeded]', '[succeeded]', '[succeeded]']);
  });

  // proves service-5-02, wire-2-21
  it('refuses a role-gated action for an anonymous caller without asking, and says so (contract/identity.md#roles)', async () => {
    const tool = fakeTool({ requiredRoles: ['Supervisor'] });
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'No.' });
    const { reader, turn } = ask({ model, toolList: [tool] });
    await turn.result;
    expect(reader.events.map(({ type }) => type)).not.toContain('confirmation-requested');
    expect(reader.events.find(({ type }) => type === 'action-completed')?.fields).toMatchObject({
      status: 'refused',
      title: tool.title,
      message: 'This needs the role Supervisor, which you do not have. Nothing was changed.',
    });
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('was refused: it needs the role Supervisor');
    expect(tool.runs).toHaveLength(0);
  });

  // proves wire-3-30
  it('keeps at most 20 open confirmations per user (contract/hub.md)', async () => {
    const calls = Array.from({ length: 22 }, (_value, index) => call('close_case', { caseId: index }, String(index)));
    const { reader, turn } = ask({ model: fakeModel({ toolCalls: calls }, { text: 'ok' }) });
    await reader.next('action-completed');
    await reader.next('action-completed');
    expect(reader.events.filter(({ type }) => type === 'confirmation-requested')).toHaveLength(20);
    await turn.stop('user');
    await turn.result;
  });

  // proves wire-3-37
  it('sends an open confirmation again to a reader that comes back, under the same actionId and seq', async () => {
    const { reader, turn } = ask();
    const requested = await reader.next('confirmation-requested');
    reader.leave();
    const again = readTurn(turn, requested.seq);
    expect(again.events).toEqual([requested]);
    await turn.stop('user');
    await turn.result;
  });
});

describe('the journal (contract/confirmations.md#the-journal)', () => {
  // proves wire-5-20
  it('is written before each step: requested, answered, executing, done', async () => {
    const stores = blocking();
    const { journal } = stores;
    const states: (string | undefined)[] = [];
    let actionId = '';
    const look = async () => states.push((await journal.find(actionId))?.state);
    const tool = fakeTool({
      execute: async () => {
        await look();
        return { value: 1 };
      },
    });
    const { reader, turn, answer } = ask({ ...stores, toolList: [tool] });
    actionId = idOf(await reader.next('confirmation-requested'));
    await look();
    await answer(actionId, true);
    await turn.result;
    await look();
    expect(states).toEqual(['requested', 'executing', 'done']);
    expect(await journal.find(actionId)).toMatchObject({
      answer: 'approved',
      outcome: 'succeeded',
      action: 'close_case',
    });
  });

  // proves wire-2-10, wire-5-22
  it('runs nothing when an approval cannot be made durable; it may be given again, and then runs once', async () => {
    const stores = blocking();
    const { reader, turn, tool, answer } = ask(stores);
    const actionId = idOf(await reader.next('confirmation-requested'));
    stores.journal.answered = () => Promise.reject(new Error('disk full'));
    await expect(answer(actionId, true)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(tool.runs).toHaveLength(0);
    expect(reader.events.at(-1)?.type).toBe('confirmation-requested');
    Reflect.deleteProperty(stores.journal, 'answered');
    await expect(answer(actionId, true)).resolves.toEqual({ actionId, outcome: 'approved' });
    await turn.result;
    expect(tool.runs).toHaveLength(1);
  });

  it('holds a decline that cannot be made durable until it is: it cannot be taken back, and nothing runs', async () => {
    const stores = blocking();
    const { reader, turn, tool, answer } = ask(stores);
    const actionId = idOf(await reader.next('confirmation-requested'));
    stores.journal.answered = () => Promise.reject(new Error('disk full'));
    await expect(answer(actionId, false)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(answer(actionId, true)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    Reflect.deleteProperty(stores.journal, 'answered');
    await turn.result;
    expect(tool.runs).toHaveLength(0);
    expect(await stores.journal.find(actionId)).toMatchObject({ state: 'done', answer: 'declined' });
    expect(reader.events.filter(({ type }) => type === 'confirmation-resolved')).toMatchObject([
      { fields: { outcome: 'declined', by: 'user' } },
    ]);
  });

  it('tells that a question has expired once that is durable, and takes no answer meanwhile', async () => {
    const stores = blocking();
    const { reader, turn, tool, answer } = ask({ ...stores, confirmationTimeoutMs: 20 });
    const tried = Promise.withResolvers<undefined>();
    stores.journal.answered = () => {
      tried.resolve(undefined);
      return Promise.reject(new Error('disk full'));
    };
    const actionId = idOf(await reader.next('confirmation-requested'));
    await tried.promise;
    await expect(answer(actionId, true)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    expect(reader.events.at(-1)?.type).toBe('confirmation-requested');
    Reflect.deleteProperty(stores.journal, 'answered');
    await turn.result;
    expect(tool.runs).toHaveLength(0);
    expect(await stores.journal.find(actionId)).toMatchObject({ state: 'done', answer: 'expired' });
  });

  it('keeps an approved row open until its outcome is durable', async () => {
    const stores = blocking();
    const done = stores.journal.done.bind(stores.journal);
    const held = Promise.withResolvers<undefined>();
    const tried = Promise.withResolvers<undefined>();
    stores.journal.done = (...given) => {
      tried.resolve(undefined);
      return held.promise.then(() => done(...given));
    };
    const { reader, turn, answer } = ask(stores);
    const actionId = idOf(await reader.next('confirmation-requested'));
    await answer(actionId, true);
    await tried.promise;
    expect(await stores.journal.find(actionId)).toMatchObject({ state: 'executing' });
    await reader.next('action-completed');
    expect(turn.running).toBe(true);
    held.resolve(undefined);
    await turn.result;
    expect(await stores.journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'succeeded' });
  });

  // proves wire-10-52
  it('keeps the outcome with which another process has ended a call, and tells the log alone what has come of it here', async () => {
    const stores = blocking();
    const done = stores.journal.done.bind(stores.journal);
    stores.journal.done = async (actionId, outcome, at) => {
      await done(actionId, 'unknown', at);
      await done(actionId, outcome, at);
    };
    const { reader, turn, answer, log } = ask(stores);
    const actionId = idOf(await reader.next('confirmation-requested'));
    await answer(actionId, true);
    await turn.result;
    expect(await stores.journal.find(actionId)).toMatchObject({ outcome: 'unknown' });
    const warned = log.lines.filter(({ level }) => level === 'warn');
    expect(warned).toMatchObject([{ fields: { actionId, turnId: turn.id, status: 'succeeded', stored: 'unknown' } }]);
  });

  // proves wire-10-52
  it('says nothing of an end that is stored already, as one is whose store has not said so', async () => {
    const stores = blocking();
    const done = stores.journal.done.bind(stores.journal);
    stores.journal.done = async (...given) => {
      await done(...given);
      await done(...given);
    };
    const { reader, turn, answer, log } = ask(stores);
    await answer(idOf(await reader.next('confirmation-requested')), true);
    await turn.result;
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  // proves wire-2-10
  it('reports a write that Stop interrupted as unknown', async () => {
    const stores = blocking();
    const { journal } = stores;
    const running = Promise.withResolvers<undefined>();
    const tool = fakeTool({
      execute: () => {
        running.resolve(undefined);
        return new Promise(() => undefined);
      },
    });
    const { reader, turn, answer } = ask({ ...stores, toolList: [tool] });
    const actionId = idOf(await reader.next('confirmation-requested'));
    await answer(actionId, true);
    await running.promise;
    await turn.stop('user');
    expect((await turn.result).status).toBe('stopped');
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
    expect(reader.events.find(({ type }) => type === 'action-completed')?.fields).toMatchObject({ status: 'unknown' });
  });
});

describe('the kill switch (contract/operations.md#kill-switch)', () => {
  const refusal = {
    status: 'refused',
    title: 'Close a case',
    message: 'This action is switched off at the moment. Nothing was changed.',
  };

  it('refuses before anybody is asked, and tells the user why', async () => {
    const { reader, turn, tool } = ask({ isSwitchedOff: () => true });
    await turn.result;
    expect(reader.events.map(({ type }) => type)).not.toContain('confirmation-requested');
    expect(reader.events.find(({ type }) => type === 'action-completed')?.fields).toMatchObject(refusal);
    expect(tool.runs).toEqual([]);
  });

  it.each([true, false])('stops what was asked for before it was thrown; approved: %s', async (approved) => {
    let isThrown = false;
    const { reader, turn, tool, answer } = ask({ isSwitchedOff: (_tool, readOnly) => isThrown && !readOnly });
    const actionId = idOf(await reader.next('confirmation-requested'));
    isThrown = true;
    await answer(actionId, approved);
    await turn.result;
    const completed = reader.events.find(({ type }) => type === 'action-completed')?.fields;
    expect(completed).toMatchObject(approved ? refusal : { status: 'declined' });
    expect(tool.runs).toEqual([]);
  });
});
