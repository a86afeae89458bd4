import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { InMemoryConfirmationJournal } from '../../../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import type { ArgumentCheck } from '../../../../src/core/tools/tool.ts';
import { ToolPolicy } from '../../../../src/core/tools/tool-policy.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { anyone, run, stores, waiting } from './native-process.ts';

const fitsNothing = { checkArguments: (): ArgumentCheck => ({ ok: false, faults: ['caseId: is no more'] }) };

describe('a question whose process died before the event that asked was kept (wire.md 2 and 5)', () => {
  it.each([
    ['approved', 'succeeded', {}],
    ['cancelled', 'cancelled', {}],
    ['approved', 'failed', fitsNothing],
    ['cancelled', 'failed', fitsNothing],
  ] as const)('is told whole by the next: asked, %s, its action %s (%#)', async (answer, status, tool) => {
    const kept = stores();
    const save = kept.suspendedTurns.save.bind(kept.suspendedTurns);
    const saves = vi.spyOn(kept.suspendedTurns, 'save').mockResolvedValue().mockImplementationOnce(save);
    const { turn, actionId, requested } = await waiting(fakeTool(), kept);
    saves.mockRestore();
    await kept.journal.answered(actionId, { answer, by: 'user' }, 1);
    const next = run(kept, { toolList: [fakeTool(tool)], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.resumeSuspended();
    await next.assistant.findTurn(turn.id, anyone)?.result;
    const { events } = readTurn(next.assistant.findTurn(turn.id, anyone) ?? turn);
    expect(events.filter(({ fields }) => fields['actionId'] === actionId)).toMatchObject([
      { type: 'confirmation-requested', seq: requested.seq, fields: requested.fields },
      { type: 'confirmation-resolved', fields: { outcome: answer } },
    ]);
    expect(events.filter(({ type }) => type === 'action-completed')).toMatchObject([{ fields: { status } }]);
  });
});

describe('a turn that is stopped while it is taken up (wire.md 5)', () => {
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
    const next = run(kept, { toolList: [tool], model: fakeModel(), policy });
    const takenUp = next.assistant.resumeSuspended();
    await expect.poll(() => next.assistant.stopTurn(turn.id, anyone)).toBe(true);
    await takenUp;
    await next.assistant.findTurn(turn.id, anyone)?.result;
    const { events } = readTurn(next.assistant.findTurn(turn.id, anyone) ?? turn);
    expect(events.filter(({ type }) => type === 'confirmation-resolved')).toMatchObject([{ fields: { outcome } }]);
    expect(events.filter(({ type }) => type === 'action-completed')).toMatchObject([{ fields: { status } }]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', answer: outcome, outcome: status });
    expect(tool.runs).toHaveLength(0);
  });

  it('is left to the next process when this one leaves meanwhile', async () => {
    const { kept, turn } = await waiting();
    const mayRead = Promise.withResolvers<undefined>();
    const journal = new InMemoryConfirmationJournal();
    journal.find = (actionId) => mayRead.promise.then(() => kept.journal.find(actionId));
    const next = run({ ...kept, journal }, { toolList: [fakeTool()], model: fakeModel() });
    const takenUp = next.assistant.resumeSuspended();
    await nextLoop();
    await next.assistant.drain(0);
    mayRead.resolve(undefined);
    await takenUp;
    expect(next.assistant.findTurn(turn.id, anyone)).toBeUndefined();
    expect(await kept.suspendedTurns.all()).toHaveLength(1);
  });
});
