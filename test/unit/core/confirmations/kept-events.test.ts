import { describe, expect, it, vi } from 'vitest';
import type { ArgumentCheck } from '../../../../src/core/tools/tool.ts';
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
