import { describe, expect, it } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { ToolUnanswered, ToolUnavailable } from '../../../../src/core/tools/tool-faults.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { anyone, idOf, run, waiting } from './native-process.ts';

describe('a Native confirmation over a restart of the server (contract/restarts.md)', () => {
  // proves service-2.6-20
  it('is answered in the next process; the turn goes on without a connection, and is read with Resume', async () => {
    const { kept, turn, actionId, requested } = await waiting();
    const tool = fakeTool();
    const model = fakeModel({ text: 'It is closed.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    const resumed = await next.assistant.findTurn(turn.id, anyone);
    expect(resumed?.running).toBe(true);
    expect(resumed?.conversationId).toBe(turn.conversationId);
    await expect(next.answer(actionId)).resolves.toEqual({ actionId, outcome: 'approved' });
    await expect(resumed?.result).resolves.toMatchObject({
      status: 'completed',
      text: 'One moment. \n\nIt is closed.',
    });
    expect(tool.runs).toEqual([{ caseId: 42 }]);
    const ended = await next.assistant.findTurn(turn.id, anyone);
    const reader = readTurn(ended ?? turn);
    expect(reader.events.map(({ seq }) => seq)).toEqual(reader.events.map((_event, index) => index + 1));
    expect(reader.events.map(({ type }) => type)).toEqual([
      'turn-started',
      'text-delta',
      'confirmation-requested',
      'confirmation-resolved',
      'action-executing',
      'action-completed',
      'text-delta',
      'turn-completed',
    ]);
    expect(reader.events[2]).toMatchObject({ seq: requested.seq, fields: { actionId } });
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(await unended(kept)).toEqual([]);
  });

  it('is sent again to a reader who had seen it', async () => {
    const { kept, turn, actionId, requested } = await waiting();
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    const reader = readTurn(resumed, requested.seq);
    expect((await reader.next('confirmation-requested')).fields['actionId']).toBe(actionId);
    await next.answer(actionId, false);
    await resumed.result;
  });

  it('runs once, whichever process is asked, and answers 404 to a second answer', async () => {
    const { kept, actionId, turn } = await waiting();
    const tool = fakeTool();
    const next = run(kept, { toolList: [tool], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    const answers = await Promise.allSettled([next.answer(actionId), next.answer(actionId)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    const third = run(kept, { toolList: [tool], model: fakeModel({ text: 'Done.' }) });
    await third.assistant.takeUpTurns();
    await expect(third.answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    expect(tool.runs).toHaveLength(1);
  });

  it('that was approved but not begun runs in the next process', async () => {
    const { kept, actionId, turn } = await waiting();
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    const tool = fakeTool();
    const next = run(kept, { toolList: [tool], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(tool.runs).toHaveLength(1);
    expect((await kept.journal.find(actionId))?.outcome).toBe('succeeded');
  });

  // proves wire-5-24
  it('whose action was running is never run again: user and model are told that it is unknown', async () => {
    const { kept, actionId, turn } = await waiting();
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    await kept.journal.executing(actionId, 2);
    const tool = fakeTool();
    const model = fakeModel({ text: 'Please check.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    await resumed.result;
    const reader = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
    expect(tool.runs).toHaveLength(0);
    expect(model.requests[0]?.messages.at(-1)?.text).toContain('[unknown]');
    expect(reader.events.map(({ type }) => type)).toContain('error-occurred');
    expect((await kept.journal.find(actionId))?.outcome).toBe('unknown');
  });

  // proves wire-5-24
  it('that ran without a question when its server died is run again when it only reads', async () => {
    const kept = memoryStores();
    const ended: unknown[] = [];
    const tools = (execute: () => Promise<{ value: unknown }>) => [
      fakeTool({ name: 'get_case', readOnly: true, execute }),
      fakeTool({ name: 'log_case', requiresConfirmation: false, execute }),
      fakeTool(),
    ];
    const calls = [call('get_case', {}), call('log_case', {}), call('close_case', { caseId: 1 })];
    const first = run(kept, {
      toolList: tools(() => new Promise(() => undefined)),
      model: fakeModel({ toolCalls: calls }),
    });
    const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close it' });
    const asked = await readTurn(turn).next('confirmation-requested');
    const model = fakeModel({ text: 'Declined.' });
    const again = tools(() => Promise.resolve({ value: ended.push('ran') }));
    const next = run(kept, { toolList: again, model });
    await next.assistant.takeUpTurns();
    await next.answer(idOf(asked), false);
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(ended).toEqual(['ran']);
    const told = model.requests[0]?.messages.slice(-3).map(({ text }) => text.split(']')[0]);
    expect(told).toEqual(['[succeeded', '[unknown', '[declined']);
  });

  // proves wire-5-24
  it('whose callback was running is made again as it was, and the run goes on with its result', async () => {
    const { kept, turn, actionId, requested } = await waiting();
    const context = { user: { id: 'anna' }, callId: requested.fields['callId'], channel: 'hub', turnId: 'as it was' };
    const made = JSON.stringify({ arguments: { caseId: 43 }, context });
    const edited = { arguments: '{"caseId":43}', argumentsHash: 'h' };
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user', edited }, 1);
    await kept.journal.executing(actionId, 2, made);
    const seen: unknown[] = [];
    const tool = fakeTool({
      repeatable: true,
      execute: (argumentsValue, { user, callId, channel, turnId }) => {
        seen.push(JSON.stringify({ arguments: argumentsValue, context: { user, callId, channel, turnId } }));
        return { value: 'closed' };
      },
    });
    const model = fakeModel({ text: 'It is closed.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(seen).toEqual([made]);
    expect(model.requests[0]?.messages.at(-1)?.text).toMatch(
      /^\[succeeded\] The user approved this action with other arguments than yours: \{"caseId":43\}\.\nclosed/,
    );
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'succeeded', retries: 1 });
    const { events } = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
    expect(events.filter(({ type }) => type === 'confirmation-resolved')).toHaveLength(1);
  });

  it.each([
    ['cannot be reached', new ToolUnavailable('away'), 0, 1],
    ['answers with a status', new ToolUnanswered('erp answered with status 500'), 0, 1],
    ['was made again often enough', new ToolUnavailable('away'), 2, 0],
  ])('whose callback %s ends as unknown', async (_title, fault, retries, runs) => {
    const { kept, turn, actionId } = await waiting();
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    await kept.journal.executing(actionId, 2, '{"arguments":{},"context":{}}');
    for (let count = 0; count < retries; count += 1) await kept.journal.retried(actionId);
    const tool = fakeTool({ repeatable: true, execute: () => Promise.reject(fault) });
    const model = fakeModel({ text: 'Please check.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(tool.runs).toHaveLength(runs);
    expect(model.requests[0]?.messages.at(-1)?.text).toContain('[unknown]');
    expect((await kept.journal.find(actionId))?.outcome).toBe('unknown');
  });

  it('whose action had ended is not run again, and the model knows that it ran', async () => {
    const { kept, actionId, turn } = await waiting();
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    await kept.journal.executing(actionId, 2);
    await kept.journal.done(actionId, 'succeeded', 3);
    const tool = fakeTool();
    const model = fakeModel({ text: 'It is closed.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(tool.runs).toHaveLength(0);
    expect(model.requests[0]?.messages.at(-1)?.text).toContain(
      '[succeeded] The action ran before the server was restarted.',
    );
  });

  it('checks roles and schema again', async () => {
    const { kept, actionId, turn } = await waiting();
    const tool = fakeTool({ requiredRoles: ['Supervisor'] });
    const next = run(kept, { toolList: [tool], model: fakeModel({ text: 'No.' }) });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(tool.runs).toHaveLength(0);
    await expect(next.answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    expect((await kept.journal.find(actionId))?.answer).toBe('cancelled');
  });

  it('expires at the time it was shown with, restarts or not', async () => {
    const { kept, turn, actionId } = await waiting();
    const next = run(kept, {
      toolList: [fakeTool()],
      model: fakeModel({ text: 'Nobody answered.' }),
      confirmationTimeoutMs: 1000,
      now: () => Date.now() + 5000,
    });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect((await kept.journal.find(actionId))?.answer).toBe('expired');
  });

  it('of several at once: each is answered for itself, and what had ended is kept', async () => {
    const kept = memoryStores();
    const look = fakeTool({ name: 'get_case', readOnly: true, execute: () => ({ value: { state: 'open' } }) });
    const close = fakeTool();
    const calls = [call('get_case', {}), call('close_case', { caseId: 1 }), call('close_case', { caseId: 2 })];
    const first = run(kept, { toolList: [look, close], model: fakeModel({ toolCalls: calls }) });
    const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close both' });
    const reader = readTurn(turn);
    const ids = [idOf(await reader.next('confirmation-requested')), idOf(await reader.next('confirmation-requested'))];
    await reader.next('action-completed');
    await first.answer(String(ids[0]), false);
    await reader.next('action-completed');
    await first.assistant.drain(1000);
    const model = fakeModel({ text: 'One closed.' });
    const next = run(kept, { toolList: [look, close], model });
    await next.assistant.takeUpTurns();
    await next.answer(String(ids[1]));
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(look.runs).toHaveLength(1);
    expect(close.runs).toEqual([{ caseId: 2 }]);
    const told = model.requests[0]?.messages.slice(-3).map(({ text }) => text.split(']')[0]);
    expect(told).toEqual(['[succeeded', '[declined', '[succeeded']);
  });

  it('lets a SIGTERM through at once: its stream closes without an end, nothing is cancelled, and the log tells (contract/restarts.md#stopping)', async () => {
    const { kept, first, reader, turn, actionId } = await waiting();
    await first.assistant.drain(60_000);
    await first.assistant.close();
    await reader.ended;
    expect(reader.events.map(({ type }) => type)).not.toContain('turn-completed');
    expect((await kept.journal.find(actionId))?.state).toBe('requested');
    expect(await unended(kept)).toEqual([turn.id]);
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel() });
    await next.assistant.takeUpTurns();
    const line = { level: 'info', fields: { turnId: turn.id } };
    expect(first.log.lines).toMatchObject([{ ...line, message: expect.stringContaining('a turn is suspended') }]);
    expect(next.log.lines).toMatchObject([{ ...line, message: expect.stringContaining('is taken up') }]);
  });

  it('is gone when its user stops the turn', async () => {
    const { kept, turn, actionId, first } = await waiting();
    await turn.stop('user');
    await turn.result;
    expect(await unended(kept)).toEqual([]);
    await expect(first.answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
  });

  it('is handed over with its conversation to a connection that resumes it', async () => {
    const { kept, turn, actionId } = await waiting();
    const model = fakeModel({ text: 'Closed.' }, { text: 'As I said, closed.' });
    const next = run(kept, { toolList: [fakeTool()], model });
    await next.assistant.takeUpTurns();
    const session = next.assistant.openSession({ channel: 'hub' });
    const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    session.adopt(resumed);
    expect(session.conversationId).toBe(turn.conversationId);
    await next.answer(actionId);
    await resumed.result;
    await session.startNow({ text: 'what did you do?' }).result;
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('is left alone by its own process when more actions have come', async () => {
    const { first, turn, actionId } = await waiting();
    await first.assistant.takeUpTurns();
    await first.answer(actionId, false);
    await expect(turn.result).resolves.toMatchObject({ turnId: turn.id });
    expect(first.assistant.runningTurns).toBe(0);
  });

  it('that was approved is no reason to leave: SIGTERM waits for its action like for any other', async () => {
    const began = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const tool = fakeTool({
      execute: async () => {
        began.resolve(undefined);
        await goOn.promise;
        return { value: 1 };
      },
    });
    const { first, kept, turn, actionId } = await waiting(tool);
    await first.answer(actionId);
    await began.promise;
    const drained = first.assistant.drain(60_000);
    goOn.resolve(undefined);
    await drained;
    await turn.result;
    expect((await kept.journal.find(actionId))?.outcome).toBe('succeeded');
  });

  // proves wire-10-15
  it('is not answered by a process that is about to leave: it says so, and the next one takes the answer', async () => {
    const { first, kept, turn, actionId } = await waiting();
    await first.assistant.drain(1000);
    await expect(first.answer(actionId)).rejects.toMatchObject({ code: 'server_draining' });
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    const resumed = await next.assistant.findTurn(turn.id, anyone);
    await next.answer(actionId);
    await expect(resumed?.result).resolves.toMatchObject({ status: 'completed' });
  });

  it.each([
    ['requested', undefined],
    ['answered', undefined],
    ['edited', { arguments: '{"caseId":7}', argumentsHash: 'h' }],
  ] as const)('that was %s does not run with other arguments than those it was for', async (state, edited) => {
    const { kept, actionId, turn } = await waiting();
    if (state !== 'requested') {
      await kept.journal.answered(actionId, { answer: 'approved', by: 'user', ...(edited && { edited }) }, 1);
    }
    // The next version of the action adds an argument that no user was shown.
    const tool = fakeTool({ checkArguments: () => ({ ok: true, value: { caseId: 42, notifyAll: true } }) });
    const model = fakeModel({ text: 'It has changed.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(tool.runs).toHaveLength(0);
    expect(model.requests[0]?.messages.at(-1)?.text).toContain('[cancelled] The action has changed');
    const { events } = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
    expect(events.filter(({ type }) => type === 'confirmation-resolved')).toHaveLength(1);
    expect(await kept.journal.unfinished()).toEqual([]);
  });

  it('whose tool is gone while it ran is told as unknown, not as never run', async () => {
    const { kept, actionId, turn } = await waiting();
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    await kept.journal.executing(actionId, 2);
    const model = fakeModel({ text: 'Please check.' });
    const broken = fakeTool({ checkArguments: () => ({ ok: false, faults: ['caseId: is no more'] }) });
    const next = run(kept, { toolList: [broken], model });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(model.requests[0]?.messages.at(-1)?.text).toContain('[unknown]');
    expect((await kept.journal.find(actionId))?.outcome).toBe('unknown');
  });

  it.each([
    ['requested', { answer: 'expired', outcome: 'cancelled' }],
    ['answered', { answer: 'approved', outcome: 'cancelled' }],
    ['executing', { answer: 'approved', outcome: 'unknown' }],
  ] as const)(
    'that never expires is given up after dataProtection.maxAge (%s), even when its action is gone',
    async (state, ended) => {
      const { kept, turn, actionId } = await waiting();
      if (state !== 'requested') await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
      if (state === 'executing') await kept.journal.executing(actionId, 2);
      const early = run(kept, { model: fakeModel(), maxSuspendedMs: 60_000 });
      await early.assistant.takeUpTurns();
      expect(await unended(kept)).toHaveLength(1);
      const model = fakeModel();
      const late = run(kept, { model, maxSuspendedMs: 60_000, now: () => Date.now() + 61_000 });
      await late.assistant.takeUpTurns();
      const givenUp = await late.assistant.findTurn(turn.id, anyone);
      await expect(givenUp?.result).resolves.toMatchObject({ status: 'failed', code: 'interrupted' });
      expect(await unended(kept)).toEqual([]);
      expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', ...ended });
      expect(late.log.lines).toContainEqual({
        level: 'info',
        fields: { turnId: turn.id, isInterrupted: true },
        message: 'a turn that an earlier process kept is taken up',
      });
      expect(model.requests).toEqual([]);
    },
  );

  it('of which every call has ended goes on with what they came to, and is never too old for that', async () => {
    const never = new Promise(() => undefined);
    const { kept, first, turn, reader, actionId } = await waiting(fakeTool(), memoryStores(), never);
    await first.answer(actionId);
    await reader.next('action-completed');
    const model = fakeModel({ text: 'It is closed.' });
    const next = run(kept, {
      toolList: [fakeTool()],
      model,
      maxSuspendedMs: 0,
      now: () => Date.now() + 1000,
    });
    await next.assistant.takeUpTurns();
    await expect((await next.assistant.findTurn(turn.id, anyone))?.result).resolves.toMatchObject({
      status: 'completed',
    });
    expect(model.requests[0]?.messages.at(-1)?.text).toContain('[succeeded]');
  });

  // proves wire-10-15
  it('is not stopped by a process that is about to leave: it says so, whatever the turn is named by (contract/restarts.md#stopping)', async () => {
    const { first, kept, session, turn, actionId } = await waiting();
    await first.assistant.drain(1000);
    const draining = expect.objectContaining({ code: 'server_draining' }) as unknown;
    await expect(first.assistant.stopTurn(turn.id, anyone)).rejects.toEqual(draining);
    await expect(session.stop('user')).rejects.toEqual(draining);
    session.close('draining');
    expect((await kept.journal.find(actionId))?.state).toBe('requested');
  });

  // proves service-2.6-24, service-8-14
  it('counts the rounds in which a rule stood in for the user from where it was (contract/confirmations.md#rules-in-place-of-the-user)', async () => {
    const kept = memoryStores();
    const even = (): AutoApproval =>
      new AutoApproval({ rules: [(asked) => Number(asked.arguments['caseId']) % 2 === 0], maxRounds: 1 });
    const first = run(kept, {
      autoApproval: even(),
      toolList: [fakeTool()],
      model: fakeModel(
        { toolCalls: [call('close_case', { caseId: 2 })] },
        { toolCalls: [call('close_case', { caseId: 1 })] },
      ),
    });
    const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close them' });
    const asked = await readTurn(turn).next('confirmation-requested');
    await first.assistant.drain(1000);
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 4 })] }, { text: 'Done.' });
    const next = run(kept, { autoApproval: even(), toolList: [tool], model });
    await next.assistant.takeUpTurns();
    const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    const reader = readTurn(resumed, asked.seq);
    await reader.next('confirmation-requested');
    await next.answer(idOf(asked), false);
    const again = await reader.next('confirmation-requested');
    await next.answer(idOf(again), false);
    await resumed.result;
    expect(tool.runs).toEqual([]);
  });
});
