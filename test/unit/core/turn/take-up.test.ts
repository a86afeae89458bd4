import { describe, expect, it, type Mock, onTestFinished, vi } from 'vitest';
import { LocalAssistant } from '../../../../src/core/create-assistant.ts';
import type { SharedTurns, TurnStore } from '../../../../src/core/ports/turn-store.ts';
import type { Tool } from '../../../../src/core/tools/tool.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';
import { anyone, run, waiting } from '../confirmations/native-process.ts';

describe('a Native confirmation whose turn is taken up where something is wrong (contract/restarts.md)', () => {
  it('is taken up as soon as the journal can be read again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { kept, turn, actionId } = await waiting();
    kept.journal.ofTurn = () => Promise.reject(new Error('busy'));
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    await next.assistant.takeUpTurns();
    expect(next.log.lines).toMatchObject([{ level: 'error', fields: { turnId: turn.id } }]);
    expect(await unended(kept)).toHaveLength(1);
    const early = next.assistant.findTurn(turn.id, anyone);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await early).toBeUndefined();
    Reflect.deleteProperty(kept.journal, 'ofTurn');
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(next.answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
  });

  it('is taken up though the store could not say at first which turns there are', async () => {
    const { kept, turn } = await waiting();
    const ids = kept.turns.ids.bind(kept.turns);
    kept.turns.ids = () => Promise.reject(new Error('busy'));
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    await expect(next.assistant.takeUpTurns()).rejects.toThrow('busy');
    kept.turns.ids = ids;
    await next.assistant.takeUpTurns();
    expect(await next.assistant.findTurn(turn.id, anyone)).toBeDefined();
  });

  // proves wire-10-65
  it('is taken up by a replica whose store failed twice: when the turn was found, and when free turns were looked for again', async () => {
    const { kept, turn, actionId } = await waiting();
    const free = sharedTurns(kept.turns);
    kept.journal.ofTurn = () => Promise.reject(new Error('busy'));
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    await next.assistant.takeUpTurns();
    free.mockRejectedValueOnce(new Error('busy'));
    await expect(next.assistant.takeUpTurns()).rejects.toThrow('busy');
    Reflect.deleteProperty(kept.journal, 'ofTurn');
    await next.assistant.takeUpTurns();
    expect(await next.assistant.findTurn(turn.id, anyone)).toBeDefined();
    await expect(next.answer(actionId)).resolves.toMatchObject({ outcome: 'approved' });
  });

  // proves wire-10-65
  it('is taken up by a replica that a client asked for it before, while the store did not answer', async () => {
    const { kept, turn } = await waiting();
    sharedTurns(kept.turns);
    kept.journal.ofTurn = () => Promise.reject(new Error('busy'));
    const { assistant } = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    if (!(assistant instanceof LocalAssistant)) expect.fail('this process has an assistant of its own');
    await assistant.lookForTurn(turn.id);
    Reflect.deleteProperty(kept.journal, 'ofTurn');
    await assistant.takeUpTurns();
    expect(await assistant.findTurn(turn.id, anyone)).toBeDefined();
  });

  // proves wire-10-99
  it('is taken up by a replica before others that wait there, for whom asks for it (contract/replicas.md#turns)', async () => {
    const { kept, turn } = await waiting();
    const others = Array.from({ length: 100 }, (_, index) => `other-${String(index)}`);
    sharedTurns(kept.turns).mockResolvedValue([...others, turn.id]);
    const ofTurn = kept.journal.ofTurn.bind(kept.journal);
    // Whatever comes first takes its time.
    const looked = vi.fn((turnId: string) =>
      turnId === turn.id ? ofTurn(turnId) : new Promise<never>(() => undefined),
    );
    kept.journal.ofTurn = looked;
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    void next.assistant.takeUpTurns();
    await vi.waitUntil(() => looked.mock.calls.length > 0);
    expect(await next.assistant.findTurn(turn.id, anyone)).toBeDefined();
  });

  it('waits for an action that is not there yet, as one of a callback that does not answer, and is taken up once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { kept, turn, actionId } = await waiting();
    const tool = fakeTool();
    const tools: Tool[] = [];
    const next = run(kept, { model: fakeModel({ text: 'Closed.' }), toolboxOf: () => new Toolbox(tools) });
    await next.assistant.takeUpTurns();
    const early = next.assistant.findTurn(turn.id, anyone);
    const refused = expect(next.answer(actionId)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await early).toBeUndefined();
    await refused;
    expect((await kept.journal.find(actionId))?.state).toBe('requested');
    tools.push(tool);
    await Promise.all([next.assistant.takeUpTurns(), next.assistant.takeUpTurns()]);
    expect(next.metrics.counted.filter(({ what }) => what === 'confirmationRequested')).toHaveLength(1);
    const resumed = await next.assistant.findTurn(turn.id, anyone);
    await next.answer(actionId);
    await resumed?.result;
    await next.assistant.takeUpTurns();
    expect(tool.runs).toHaveLength(1);
  });

  // proves wire-5-57
  it('that cannot be opened is given up with a line in the log, its question is closed, and the server starts', async () => {
    const { kept, turn, actionId } = await waiting();
    const claim = kept.turns.claim.bind(kept.turns);
    kept.turns.claim = async (turnId) => {
      const claimed = await claim(turnId);
      return claimed && { ...claimed, header: `x${claimed.header}` };
    };
    const next = run(kept, { toolList: [fakeTool()], model: fakeModel({ text: 'x' }) });
    await next.assistant.takeUpTurns();
    expect(next.log.lines).toMatchObject([{ level: 'error', fields: { turnId: turn.id } }]);
    expect(await unended(kept)).toEqual([]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', answer: 'cancelled' });
  });

  it('is not put while the store does not take the turn: nothing runs, nobody can answer, and the model is told', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const kept = memoryStores();
    const isBack = Promise.withResolvers<undefined>();
    const isTriedAgain = Promise.withResolvers<undefined>();
    const create = kept.turns.create.bind(kept.turns);
    kept.turns.create = () => {
      kept.turns.create = (...given) => {
        isTriedAgain.resolve(undefined);
        return isBack.promise.then(() => create(...given));
      };
      return Promise.reject(new Error('disk full'));
    };
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', {})] }, { text: 'Sorry.' });
    const test = run(kept, { toolList: [tool], model });
    const turn = test.assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' });
    const reader = readTurn(turn);
    await vi.advanceTimersByTimeAsync(5_000);
    await isTriedAgain.promise;
    await turn.result;
    const told = reader.events.map(({ type }) => type);
    expect(told).toEqual(['turn-started', 'error-occurred', 'action-completed', 'text-delta', 'turn-completed']);
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('[failed]');
    isBack.resolve(undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(tool.runs).toHaveLength(0);
    expect(await kept.turns.ids()).toEqual([]);
    const rows = await kept.journal.ofTurn(turn.id);
    expect(rows).toMatchObject([{ state: 'done', answer: 'cancelled' }]);
    await expect(test.answer(rows[0]?.actionId ?? '')).rejects.toMatchObject({ code: 'nothing_to_answer' });
  });

  // proves wire-5-22
  it('that was approved and not begun does not run when its beginning cannot be stored', async () => {
    const { kept, turn, actionId } = await waiting();
    await kept.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
    kept.journal.executing = () => Promise.reject(new Error('disk full'));
    const tool = fakeTool();
    const model = fakeModel({ text: 'Sorry.' });
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(tool.runs).toHaveLength(0);
    expect(model.requests[0]?.messages.at(-1)?.text).toContain('[failed]');
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'failed' });
  });
});

/** Makes the store one that replicas share: nobody holds what was never claimed. Returns what looks for free turns. */
function sharedTurns(turns: TurnStore): Mock<SharedTurns['free']> {
  const claimed = new Set<string>();
  const claim = turns.claim.bind(turns);
  const free = vi.fn(async () => (await turns.ids()).filter((turnId) => !claimed.has(turnId)));
  const shared: SharedTurns = {
    free,
    stateOf: () => Promise.resolve(undefined),
    lost: () => Promise.resolve([]),
    onHeardAgain: () => undefined,
    others: () => Promise.resolve([]),
    release: () => Promise.resolve(),
  };
  Object.assign(turns, {
    shared,
    claim: (turnId: string) => {
      claimed.add(turnId);
      return claim(turnId);
    },
  });
  return free;
}

describe('a record of another version of the server (contract/restarts.md)', () => {
  it('is only concluded: its question is closed, no model is asked, and its reader is told of one end', async () => {
    const { kept, turn, actionId } = await waiting();
    const sealer = testRecordSealer();
    const claim = kept.turns.claim.bind(kept.turns);
    kept.turns.claim = async (turnId) => {
      const claimed = await claim(turnId);
      if (claimed === undefined) return undefined;
      const header: unknown = JSON.parse(sealer.open(claimed.header, turnId));
      return { ...claimed, header: sealer.seal(JSON.stringify(Object.assign({}, header, { version: 99 })), turnId) };
    };
    const model = fakeModel({ text: 'x' });
    const tool = fakeTool();
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    const concluded = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    await expect(concluded.result).resolves.toMatchObject({ status: 'failed', code: 'interrupted' });
    expect(model.requests).toEqual([]);
    expect(tool.runs).toEqual([]);
    expect(await kept.journal.find(actionId)).toMatchObject({ state: 'done', answer: 'cancelled' });
    const { events } = readTurn((await next.assistant.findTurn(turn.id, anyone)) ?? turn);
    expect(events.filter(({ type }) => type === 'turn-completed')).toHaveLength(1);
  });
});
