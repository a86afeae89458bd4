import { describe, expect, it, vi } from 'vitest';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { sharedMemoryStores } from '../../../support/replicas/shared-memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { idOf, run } from '../confirmations/native-process.ts';

/** A replica whose turn waits for an answer when another replica takes it up. */
async function takenUp(confirmationTimeoutMs = 0) {
  const kept = sharedMemoryStores();
  const tool = fakeTool();
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
  const test = run(kept, { toolList: [tool], model, confirmationTimeoutMs });
  const turn = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
  const reader = readTurn(turn);
  const actionId = idOf(await reader.next('confirmation-requested'));
  await vi.waitUntil(() => kept.turns.read(turn.id));
  await kept.turns.claim(turn.id);
  return { ...test, kept, tool, turn, reader, actionId };
}

describe('a turn that waits for its user, and that another replica has taken up meanwhile (contract/replicas.md#turns)', () => {
  // proves wire-10-96
  it('is let go of when its user answers here: the question is not asked again', async () => {
    const { answer, turn, reader, actionId, kept, tool } = await takenUp();
    await expect(answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    await vi.waitUntil(() => turn.suspended);
    await expect(answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    expect(kept.answered).toHaveBeenCalledTimes(1);
    expect(reader.events.map(({ type }) => type)).not.toContain('turn-completed');
    expect((await kept.journal.find(actionId))?.state).toBe('requested');
    expect(tool.runs).toEqual([]);
  });

  // proves wire-10-96
  it('is let go of when its question expires here, and the store is asked once', async () => {
    const { turn, kept } = await takenUp(30);
    await vi.waitUntil(() => turn.suspended);
    expect(kept.answered).toHaveBeenCalledTimes(1);
  });

  // proves wire-10-96
  it('is let go of when free turns are looked for', async () => {
    const { assistant, turn } = await takenUp();
    await assistant.takeUpTurns();
    expect(turn.suspended).toBe(true);
  });

  // proves wire-10-96
  it('is let go of as soon as the replica is heard again that had been silent', async () => {
    const { turn, kept, answer, actionId } = await takenUp();
    kept.heardAgain();
    await vi.waitUntil(() => turn.suspended);
    // Whoever asks this replica looks for the turn elsewhere.
    await expect(answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
  });

  // proves wire-10-96
  it('tells those who answer here what has come of the question elsewhere, once it is let go of', async () => {
    const { assistant, turn, kept, answer, actionId } = await takenUp();
    await assistant.takeUpTurns();
    await kept.journal.done(actionId, 'cancelled', 1, ['requested']);
    await expect(answer(actionId)).rejects.toMatchObject({
      code: 'nothing_to_answer',
      details: { outcome: 'cancelled' },
    });
    expect(await assistant.stopTurn(turn.id, turn.principal)).not.toBe(true);
  });

  // proves wire-10-96
  it('is let go of though the store does not answer at first', async () => {
    const { turn, kept, answer, actionId } = await takenUp();
    const lost = vi.spyOn(kept.shared, 'lost');
    lost.mockRejectedValueOnce(new Error('busy'));
    await expect(answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    await vi.waitUntil(() => turn.suspended);
    expect(lost).toHaveBeenCalledTimes(2);
  });
});
