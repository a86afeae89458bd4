import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ArgumentCheck } from '../../../../src/core/tools/tool.ts';
import { ToolPolicy } from '../../../../src/core/tools/tool-policy.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { anyone, idOf, run, waiting } from './native-process.ts';

const fitsNothing = { checkArguments: (): ArgumentCheck => ({ ok: false, faults: ['caseId: is no more'] }) };

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

  it.each([
    [true, 'approved', 'succeeded'],
    [false, 'declined', 'declined'],
  ] as const)(
    'is put by the next under its id, once: answered %s, it ends as %s',
    async (approved, outcome, status) => {
      const { kept, turn, actionId } = await journalledOnly();
      const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
      await next.assistant.takeUpTurns();
      const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
      const reader = readTurn(resumed);
      await next.answer(actionId, approved);
      await resumed.result;
      expect(reader.events.filter(({ type }) => type.startsWith('confirmation'))).toMatchObject([
        { type: 'confirmation-requested', fields: { actionId } },
        { type: 'confirmation-resolved', fields: { actionId, outcome } },
      ]);
      expect(reader.events.filter(({ type }) => type === 'action-completed')).toMatchObject([{ fields: { status } }]);
      expect(reader.events.map(({ seq }) => seq)).toEqual(reader.events.map((_event, index) => index + 1));
    },
  );

  it('is put to nobody when its action has changed meanwhile, and its row is closed', async () => {
    const { kept, turn, actionId } = await journalledOnly();
    const next = run(kept, { toolList: [fakeTool(fitsNothing)], model: fakeModel({ text: 'Sorry.' }) });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    const { events } = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
    expect(events.map(({ type }) => type)).not.toContain('confirmation-requested');
    expect(events.filter(({ type }) => type === 'action-completed')).toMatchObject([{ fields: { status: 'failed' } }]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', answer: 'cancelled' });
  });
});

describe('a turn that is stopped while it is taken up (contract/confirmations.md#stop)', () => {
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

/** A process that dies when the event that asks was shown, and the row of its question is not stored. */
async function shownOnly() {
  const kept = memoryStores();
  kept.journal.requested = () => new Promise(() => undefined);
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] });
  const first = run(kept, { toolList: [fakeTool()], model });
  const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
  const actionId = idOf(await readTurn(turn).next('confirmation-requested'));
  Reflect.deleteProperty(kept.journal, 'requested');
  return { kept, turn, actionId };
}

describe('a question that was shown, though the journal did not take it (contract/confirmations.md#the-journal)', () => {
  it.each(['Native', 'Blocking'] as const)(
    'is told as cancelled to whoever asks after it in the next process (%s)',
    async (hitlMode) => {
      const { kept, turn, actionId } = await shownOnly();
      const next = run(kept, { hitlMode, toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
      await next.assistant.takeUpTurns();
      const { events } = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
      await expect
        .poll(() => events.filter(({ type }) => type === 'confirmation-resolved'))
        .toMatchObject([{ fields: { actionId, outcome: 'cancelled', by: 'system' } }]);
      await expect(next.assistant.confirmation(actionId, anyone)).resolves.toMatchObject({ outcome: 'cancelled' });
    },
  );

  it('is told as cancelled in the process that asked', async () => {
    const kept = memoryStores();
    const requested = kept.journal.requested.bind(kept.journal);
    kept.journal.requested = () => {
      kept.journal.requested = requested;
      return Promise.reject(new Error('input/output error'));
    };
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Sorry.' });
    const { assistant } = run(kept, { toolList: [fakeTool()], model });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
    const actionId = idOf(await readTurn(turn).next('confirmation-requested'));
    await turn.result;
    await expect(assistant.confirmation(actionId, anyone)).resolves.toMatchObject({ outcome: 'cancelled' });
  });
});
