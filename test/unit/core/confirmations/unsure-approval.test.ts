import { describe, expect, it } from 'vitest';
import { fakeTool } from '../../../support/fake-tool.ts';
import { waiting } from './native-process.ts';

/** A question whose approval was stored, though the store said that it failed. */
async function unsure(options: Parameters<typeof fakeTool>[0] = {}) {
  const tool = fakeTool(options);
  const question = await waiting(tool);
  const { journal } = question.kept;
  const answered = journal.answered.bind(journal);
  journal.answered = async (...given) => {
    journal.answered = answered;
    await answered(...given);
    throw new Error('input/output error');
  };
  const { answer } = question.first;
  await expect(answer(question.actionId)).rejects.toMatchObject({ code: 'storage_unavailable' });
  return { ...question, answer, tool };
}

describe('an approval that was stored though the store failed (contract/restarts.md#storage-that-fails)', () => {
  it('is taken when it comes again, and runs once', async () => {
    const { answer, actionId, turn, tool, kept } = await unsure();
    await expect(answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
    await expect(turn.result).resolves.toMatchObject({ status: 'completed' });
    expect(tool.runs).toEqual([{ caseId: 42 }]);
    expect(await kept.journal.find(actionId)).toMatchObject({ answer: 'approved', outcome: 'succeeded' });
  });

  it('does not run with other arguments than those it was stored with', async () => {
    const { answer, actionId, turn, tool } = await unsure({ editable: true });
    await expect(answer(actionId, true, { caseId: 43 })).rejects.toMatchObject({ code: 'nothing_to_answer' });
    await turn.result;
    expect(tool.runs).toEqual([]);
  });

  it('does not run once its user declines, and the answer says what is stored', async () => {
    const { answer, actionId, turn, tool, kept } = await unsure();
    await expect(answer(actionId, false)).rejects.toMatchObject({
      code: 'nothing_to_answer',
      details: { outcome: 'approved' },
    });
    await turn.result;
    expect(tool.runs).toEqual([]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
  });

  it('does not run after a Stop', async () => {
    const { actionId, turn, tool, kept } = await unsure();
    await expect(turn.stop('user')).resolves.toBe(true);
    await expect(turn.result).resolves.toMatchObject({ status: 'stopped' });
    expect(tool.runs).toEqual([]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
  });
});
