import { describe, expect, it, vi } from 'vitest';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import type { ReleasedTurn } from '../../../../src/core/turn/kept/drain.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';
import { sharedMemoryStores } from '../../../support/replicas/shared-memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { idOf, run } from '../confirmations/native-process.ts';

/** A replica that ends, one of two, with `server.durableTurns`. One of its turns waits for an answer, and one for its model. */
async function draining(hitlMode: 'Blocking' | 'Native', graceMs: number) {
  const kept = sharedMemoryStores(['other']);
  const tool = fakeTool();
  const never = new Promise<never>(() => undefined);
  const model = fakeModel(
    { toolCalls: [call('close_case', { caseId: 42 })] },
    { text: 'Once', until: never },
    { text: 'Done.', until: never },
  );
  const test = run(kept, { toolList: [tool], model, hitlMode, tapePolicy: 'always' });
  const asking = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close case 42' });
  const actionId = idOf(await readTurn(asking).next('confirmation-requested'));
  const talking = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'a story' });
  await vi.waitUntil(() => model.requests.length === 2);
  const drained = test.assistant.drain(graceMs);
  await vi.waitUntil(() => talking.suspended);
  return { ...test, kept, tool, asking, actionId, drained };
}

describe('a turn with an open question whose replica ends, with server.durableTurns (contract/replicas.md#turns)', () => {
  // proves wire-10-95
  it('stays with `hitlMode: Blocking`, is answered there, and is handed over once its action has run', async () => {
    const { asking, answer, actionId, drained, tool } = await draining('Blocking', 60_000);
    expect(asking.suspended).toBe(false);
    await expect(answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
    await drained;
    expect(asking.suspended).toBe(true);
    expect(tool.runs).toHaveLength(1);
  });

  // proves wire-10-95
  it('ends with `hitlMode: Blocking` once the grace is over, with its question cancelled', async () => {
    const { asking, actionId, kept } = await draining('Blocking', 300);
    expect(await asking.result).toMatchObject({ status: 'failed', code: 'server_draining' });
    expect(await kept.journal.find(actionId)).toMatchObject({ answer: 'cancelled' });
  });

  // proves wire-10-66
  it('is handed over at once with `hitlMode: Native`', async () => {
    const { asking, actionId, drained, kept } = await draining('Native', 60_000);
    await drained;
    expect(asking.suspended).toBe(true);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'requested' });
  });
});

describe('the turns of a replica that ends (contract/replicas.md#turns)', () => {
  /** How many of 100 turns have left a replica that drains, as far as this replica knows. */
  async function leaving(graceMs: number) {
    const kept = sharedMemoryStores(['other']);
    const never = new Promise<never>(() => undefined);
    const texts = Array.from({ length: 100 }, () => ({ text: 'Once', until: never }));
    const { assistant } = run(kept, { model: fakeModel(...texts), tapePolicy: 'always' });
    const turns = texts.map(() => assistant.openSession({ channel: 'hub' }).startNow({ text: 'a story' }));
    await Promise.all(turns.map((turn) => readTurn(turn).next('text-delta')));
    const drained = assistant.drain(graceMs);
    return { drained, left: () => turns.filter(({ suspended }) => suspended) };
  }

  // proves wire-10-98
  it('leave it 32 at a time, so that the readers of the others wait for nothing', async () => {
    const { drained, left } = await leaving(60_000);
    await vi.waitUntil(() => left().length > 0);
    expect(left()).toHaveLength(32);
    await drained;
    expect(left()).toHaveLength(100);
  });

  // proves wire-10-53
  it('leave it as others take them up, by no clock, 32 at a time', async () => {
    const kept = sharedMemoryStores(['other']);
    const never = new Promise<never>(() => undefined);
    const texts = Array.from({ length: 200 }, () => ({ text: 'Once', until: never }));
    const onWay: number[] = [];
    const onReleased = async ({ turnId }: ReleasedTurn): Promise<void> => {
      onWay.push(turns.filter(({ suspended }) => suspended).length - onWay.length);
      await kept.turns.claim(turnId);
    };
    const model = fakeModel(...texts);
    const { assistant } = run(kept, { model, tapePolicy: 'always', onReleased, now: () => 1_000_000 });
    const turns: readonly Turn[] = texts.map(() =>
      assistant.openSession({ channel: 'hub' }).startNow({ text: 'a story' }),
    );
    await vi.waitUntil(() => model.requests.length === texts.length);
    await assistant.drain(60_000);
    expect(onWay).toHaveLength(turns.length);
    expect(Math.max(...onWay)).toBe(32);
  });

  // proves wire-10-53
  it('are told to the others with whether somebody reads them', async () => {
    const kept = sharedMemoryStores(['other']);
    const never = new Promise<never>(() => undefined);
    const texts = Array.from({ length: 4 }, () => ({ text: 'Once', until: never }));
    const told = new Map<string, boolean>();
    const onReleased = ({ turnId, isRead }: ReleasedTurn): Promise<void> =>
      Promise.resolve(void told.set(turnId, isRead));
    const model = fakeModel(...texts);
    const { assistant } = run(kept, { model, tapePolicy: 'always', onReleased });
    const [read, detached, left, lost] = texts.map((_text, index) =>
      assistant.openSession({ channel: 'hub' }).startNow({ text: 'a story' }, index === 1 ? { detached: {} } : {}),
    );
    const reader = { onEvent: () => undefined, onEnd: () => undefined };
    read?.subscribe(reader, 0);
    left?.subscribe({ ...reader, isRead: false }, 0);
    await vi.waitUntil(() => model.requests.length === texts.length);
    await assistant.drain(60_000);
    // A client that has lost its turn comes back to it.
    expect([read, detached, left, lost].map((turn) => told.get(turn?.id ?? ''))).toEqual([true, false, false, true]);
  });

  // proves wire-10-98
  it('leave it in greater numbers where the grace would be over before', async () => {
    const { left } = await leaving(300);
    await vi.waitUntil(() => left().length > 0);
    expect(left()).toHaveLength(100);
  });
});
