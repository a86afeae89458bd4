import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { anyone, run, waiting } from '../confirmations/native-process.ts';

describe('the end of a turn that is kept (contract/restarts.md: nothing is told that is not durable)', () => {
  it('gives no number of the half reply to anything else where the process dies before the end is told', async () => {
    const kept = memoryStores();
    kept.journal.ofTurn = () => new Promise(() => undefined);
    const model = fakeModel({
      text: 'Half a re',
      until: new Promise((resolve) => setImmediate(resolve)),
      fails: new Error('x'),
    });
    const first = run(kept, { model, tapePolicy: 'always' });
    await first.assistant.takeUpTurns();
    const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    const reader = readTurn(turn);
    const half = await reader.next('text-delta');
    await expect.poll(async () => (await kept.turns.read(turn.id))?.batches.length).toBeGreaterThan(1);
    Reflect.deleteProperty(kept.journal, 'ofTurn');
    const next = run(kept, { model: fakeModel({ text: 'y' }), tapePolicy: 'always' });
    await next.assistant.takeUpTurns();
    const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    const rest = readTurn(resumed, half.seq);
    await resumed.result;
    expect(rest.events.map(({ type }) => type)).toEqual(['error-occurred', 'turn-completed']);
    expect(rest.events.at(-1)?.fields['text']).toBe('Half a re');
  });

  it('that is not stored yet is no reason to answer a Stop with "nothing was running"', async () => {
    const { kept, first, turn, actionId } = await waiting();
    const end = kept.turns.end.bind(kept.turns);
    const isBack = Promise.withResolvers<undefined>();
    const isAway = (): Promise<never> => Promise.reject(new Error('disk full'));
    let isFailing = false;
    const append = kept.turns.append.bind(kept.turns);
    kept.turns.append = (...given) => (isFailing ? isAway() : append(...given));
    kept.turns.end = (...given) => (isFailing ? isAway() : end(...given));
    kept.journal.ofTurn = async () => {
      isFailing = true;
      await isBack.promise;
      return [];
    };
    await first.answer(actionId);
    await expect.poll(() => isFailing).toBe(true);
    await expect(turn.stop('user')).rejects.toMatchObject({ code: 'storage_unavailable' });
    isFailing = false;
    isBack.resolve(undefined);
    await expect(turn.result).resolves.toMatchObject({ status: 'completed' });
    await expect(turn.stop('user')).resolves.toBe(false);
  });

  it('is "stopped" once a Stop was told, though the reply came to its end while the Stop was stored', async () => {
    const kept = memoryStores();
    const reply = Promise.withResolvers<undefined>();
    const model = fakeModel({ text: 'Done.', until: reply.promise });
    const test = run(kept, { model, tapePolicy: 'always' });
    const turn = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    await readTurn(turn).next('text-delta');
    const append = kept.turns.append.bind(kept.turns);
    const mayStore = Promise.withResolvers<undefined>();
    const end = kept.turns.end.bind(kept.turns);
    kept.turns.append = (...given) => mayStore.promise.then(() => append(...given));
    kept.turns.end = (...given) => mayStore.promise.then(() => end(...given));
    const stopped = turn.stop('user');
    reply.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    mayStore.resolve(undefined);
    await expect(stopped).resolves.toBe(true);
    await expect(turn.result).resolves.toMatchObject({ status: 'stopped', text: 'Done.' });
  });
});

describe('a process that ends (contract/restarts.md#stopping)', () => {
  it('while it takes up a turn leaves the question of that turn open', async () => {
    const { kept, actionId } = await waiting();
    const claim = kept.turns.claim.bind(kept.turns);
    const isClaiming = Promise.withResolvers<undefined>();
    const mayClaim = Promise.withResolvers<undefined>();
    kept.turns.claim = async (turnId) => {
      isClaiming.resolve(undefined);
      await mayClaim.promise;
      return claim(turnId);
    };
    const second = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    const takenUp = second.assistant.takeUpTurns();
    await isClaiming.promise;
    const drained = second.assistant.drain(50);
    mayClaim.resolve(undefined);
    await Promise.all([takenUp, drained]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'requested' });
    const tool = fakeTool();
    const third = run(kept, { toolList: [tool], model: fakeModel({ text: 'Done.' }) });
    await third.assistant.takeUpTurns();
    await expect(third.answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
    await expect.poll(() => tool.runs).toHaveLength(1);
  });

  it('leaves a question open that is being stored when the time of running turns is over', async () => {
    const kept = memoryStores();
    const requested = kept.journal.requested.bind(kept.journal);
    const isStoring = Promise.withResolvers<string>();
    const mayStore = Promise.withResolvers<undefined>();
    kept.journal.requested = async (entry, hold) => {
      isStoring.resolve(entry.actionId);
      await mayStore.promise;
      return requested(entry, hold);
    };
    const create = kept.turns.create.bind(kept.turns);
    kept.turns.create = (...given) => mayStore.promise.then(() => create(...given));
    const append = kept.turns.append.bind(kept.turns);
    kept.turns.append = (...given) => mayStore.promise.then(() => append(...given));
    const model = fakeModel({ toolCalls: [call('close_case', {})] });
    const test = run(kept, { toolList: [fakeTool()], model });
    await test.assistant.takeUpTurns();
    test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    const actionId = await isStoring.promise;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const drained = test.assistant.drain(0);
    // The time is over before the store answers.
    await vi.advanceTimersByTimeAsync(1);
    mayStore.resolve(undefined);
    await drained;
    vi.useRealTimers();
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'requested' });
    const tool = fakeTool();
    const next = run(kept, { toolList: [tool], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    await expect(next.answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
    await expect.poll(() => tool.runs).toHaveLength(1);
  });

  it('leaves a question open whose row was stored while its answer was lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const kept = memoryStores();
    const requested = kept.journal.requested.bind(kept.journal);
    const isStored = Promise.withResolvers<string>();
    const isBroken = Promise.withResolvers<undefined>();
    kept.journal.requested = async (entry, hold) => {
      await requested(entry, hold);
      isStored.resolve(entry.actionId);
      await isBroken.promise;
      throw new Error('the connection is broken');
    };
    const model = fakeModel({ toolCalls: [call('close_case', {})] });
    const test = run(kept, { toolList: [fakeTool()], model, tapePolicy: 'always' });
    await test.assistant.takeUpTurns();
    test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    const actionId = await isStored.promise;
    const drained = test.assistant.drain(0);
    // The connection breaks only when the time of running turns has long been over.
    await vi.advanceTimersByTimeAsync(2_500);
    isBroken.resolve(undefined);
    await vi.advanceTimersByTimeAsync(500);
    await drained;
    vi.useRealTimers();
    kept.journal.requested = requested;
    const tool = fakeTool();
    const next = run(kept, { toolList: [tool], model: fakeModel({ text: 'Done.' }), tapePolicy: 'always' });
    await next.assistant.takeUpTurns();
    await expect(next.answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
    await expect.poll(() => tool.runs).toHaveLength(1);
  });

  it('waits no longer than for what runs, though a turn asks its user meanwhile', async () => {
    const asks = Promise.withResolvers<undefined>();
    const model = fakeModel({ toolCalls: [call('close_case', {})], until: asks.promise });
    const test = run(memoryStores(), { toolList: [fakeTool()], model });
    await test.assistant.takeUpTurns();
    const turn = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    await expect.poll(() => model.requests).toHaveLength(1);
    const drained = test.assistant.drain(60_000);
    asks.resolve(undefined);
    await drained;
    await expect(test.assistant.stopTurn(turn.id, anyone)).rejects.toMatchObject({ code: 'server_draining' });
  });

  it('does not wait for a store that is away: what cannot end is suspended, and the next process tells its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { kept, first, turn, actionId } = await waiting();
    kept.turns.end = () => Promise.reject(new Error('disk full'));
    await first.answer(actionId);
    await vi.advanceTimersByTimeAsync(1000);
    expect(turn.running).toBe(true);
    const drained = first.assistant.drain(1000);
    await vi.advanceTimersByTimeAsync(10_000);
    await drained;
    Reflect.deleteProperty(kept.turns, 'end');
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'Done.' }) });
    await next.assistant.takeUpTurns();
    const resumed = await next.assistant.findTurn(turn.id, anyone);
    await expect(resumed?.result).resolves.toMatchObject({ status: 'completed', text: 'One moment. \n\nDone.' });
  });
});
