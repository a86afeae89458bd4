import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ToolPolicy } from '../../../../src/core/tools/tool-policy.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { anyone, idOf, run, waiting } from './native-process.ts';

/** A process that dies when the row of its question is stored, and the event that asks is not. */
async function journalledOnly() {
  const kept = memoryStores();
  kept.turns.append = () => new Promise(() => undefined);
  const first = run(kept, {
    toolList: [fakeTool()],
    model: fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }),
  });
  const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
  const reader = readTurn(turn);
  await expect.poll(() => kept.journal.unfinished()).toHaveLength(1);
  await nextLoop();
  Reflect.deleteProperty(kept.turns, 'append');
  const [row] = await kept.journal.unfinished();
  return { kept, turn, reader, actionId: row?.actionId ?? '' };
}

describe('a question whose process died before the event that asked was kept (contract/events.md#order and contract/confirmations.md)', () => {
  it('was shown to nobody', async () => {
    const { reader } = await journalledOnly();
    expect(reader.events.map(({ type }) => type)).toEqual(['turn-started']);
  });

  // proves wire-11-72
  it.each(['Native', 'Blocking'] as const)('is lost with its turn, and its row is closed (%s)', async (hitlMode) => {
    const { kept, turn, actionId } = await journalledOnly();
    const model = fakeModel();
    const next = run(kept, { hitlMode, toolList: [fakeTool()], model });
    await next.assistant.takeUpTurns();
    expect(await next.assistant.findTurn(turn.id, anyone)).toBeUndefined();
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', answer: 'cancelled' });
    expect(await kept.turns.ids()).toEqual([]);
    await expect(next.answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    expect(model.requests).toEqual([]);
  });
});

describe('a turn that is stopped while it is taken up (contract/confirmations.md#stop)', () => {
  // proves wire-5-27
  it.each([
    ['requested', 'cancelled', 'cancelled'],
    ['answered', 'approved', 'cancelled'],
    ['executing', 'approved', 'unknown'],
    ['done', 'approved', 'succeeded'],
  ] as const)('ends its question that was %s as %s, its action as %s', async (state, outcome, status) => {
    const { kept, turn, actionId } = await waiting();
    if (state !== 'requested') await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    if (state === 'executing' || state === 'done') await kept.journal.executing(actionId, 2);
    if (state === 'done') await kept.journal.done(actionId, 'succeeded', 3);
    const tool = fakeTool();
    const policy = new ToolPolicy({
      requireConfirmation: true,
      requireConfirmationForWrites: true,
      requiresApproval: [() => new Promise(() => undefined)],
      isReadOnlyAction: [],
    });
    // If nothing is left to ask or to run, the turn waits for its model, so it can still be stopped.
    const model = fakeModel({ until: new Promise(() => undefined) });
    const next = run(kept, { toolList: [tool], model, policy });
    const takenUp = next.assistant.takeUpTurns();
    await expect.poll(() => next.assistant.stopTurn(turn.id, anyone)).toBe(true);
    await takenUp;
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    const { events } = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
    expect(events.filter(({ type }) => type === 'confirmation-resolved')).toMatchObject([{ fields: { outcome } }]);
    expect(events.filter(({ type }) => type === 'action-completed')).toMatchObject([{ fields: { status } }]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', answer: outcome, outcome: status });
    expect(tool.runs).toHaveLength(0);
  });

  it('is suspended when its process ends meanwhile', async () => {
    const { kept, turn } = await waiting();
    const mayRead = Promise.withResolvers<undefined>();
    const ofTurn = kept.journal.ofTurn.bind(kept.journal);
    kept.journal.ofTurn = (turnId) => mayRead.promise.then(() => ofTurn(turnId));
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel() });
    const takenUp = next.assistant.takeUpTurns();
    await nextLoop();
    await next.assistant.drain(0);
    mayRead.resolve(undefined);
    await takenUp;
    expect(await next.assistant.findTurn(turn.id, anyone)).toBeUndefined();
    expect(await unended(kept)).toHaveLength(1);
  });
});

describe('a question at which the store fails for a moment (contract/confirmations.md#the-journal)', () => {
  const failed = new Error('the connection ended');

  /** How the store fails at the first attempt, and what of it is stored. */
  const failures: readonly (readonly [string, (kept: ReturnType<typeof memoryStores>) => void])[] = [
    [
      'at the row, which is not stored',
      ({ journal }) => {
        vi.spyOn(journal, 'requested').mockRejectedValueOnce(failed);
      },
    ],
    [
      'at the row, which is stored though the answer is lost',
      ({ journal }) => {
        const requested = journal.requested.bind(journal);
        vi.spyOn(journal, 'requested').mockImplementationOnce((...given) =>
          requested(...given).then(() => Promise.reject(failed)),
        );
      },
    ],
    [
      'at the turn, so that the row is refused',
      ({ turns }) => {
        vi.spyOn(turns, 'create').mockRejectedValueOnce(failed);
      },
    ],
    [
      'at the turn, which is stored though the answer is lost, and at the row',
      ({ turns, journal }) => {
        const create = turns.create.bind(turns);
        vi.spyOn(turns, 'create').mockImplementationOnce((...given) =>
          create(...given).then(() => Promise.reject(failed)),
        );
        vi.spyOn(journal, 'requested').mockRejectedValueOnce(failed).mockRejectedValueOnce(failed);
      },
    ],
  ];

  // proves wire-11-61
  it.each(failures)('is put, can be answered, and runs once: %s', async (_how, fails) => {
    const kept = memoryStores();
    fails(kept);
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const { assistant, answer } = run(kept, { toolList: [tool], model });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
    const reader = readTurn(turn);
    const actionId = idOf(await reader.next('confirmation-requested'));
    await expect.poll(() => kept.journal.find(actionId)).toMatchObject({ state: 'requested' });
    await expect(answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
    await expect(turn.result).resolves.toMatchObject({ status: 'completed' });
    expect(tool.runs).toEqual([{ caseId: 42 }]);
    expect(await kept.journal.ofTurn(turn.id)).toMatchObject([{ actionId, state: 'done', outcome: 'succeeded' }]);
    expect(reader.events.filter(({ type }) => type === 'confirmation-requested')).toHaveLength(1);
  });

  // proves wire-11-61
  it('is over when its turn is stopped meanwhile', async () => {
    const kept = memoryStores();
    vi.spyOn(kept.journal, 'requested').mockRejectedValueOnce(failed);
    const create = vi.spyOn(kept.turns, 'create').mockRejectedValueOnce(failed);
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const { assistant, answer } = run(kept, { toolList: [tool], model });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
    await vi.waitFor(() => {
      expect(create).toHaveBeenCalled();
    });
    await turn.stop('user').catch(() => undefined);
    await expect(turn.result).resolves.toMatchObject({ status: 'stopped' });
    const rows = await kept.journal.ofTurn(turn.id);
    expect(rows.every(({ state, outcome }) => state === 'done' && outcome === 'cancelled')).toBe(true);
    for (const { actionId } of rows) await expect(answer(actionId)).rejects.toThrow();
    expect(tool.runs).toEqual([]);
  });
});
