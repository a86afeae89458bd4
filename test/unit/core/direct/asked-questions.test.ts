import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DirectCall, DirectOutcome } from '../../../../src/core/direct/direct-call.ts';
import type { Tool } from '../../../../src/core/tools/tool.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { signedIn } from '../../../support/principals.ts';
import { testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const model = {
  ...{ model: 'none', provider: 'none', isDemo: false, close: () => Promise.resolve() },
  run: () => Promise.reject(new Error('no model is asked')),
};

/** A program of ann, and the page on which she answers. */
function asking(options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool();
  const principal = signedIn('ann', 'Clerk');
  const { assistant, log, metrics, journal } = testAssistant({
    model,
    toolList: [tool],
    confirmationTimeoutMs: 1000,
    ...options,
  });
  const call = (more: Partial<DirectCall> = {}, roles = ['Clerk']): Promise<DirectOutcome | undefined> => {
    const caller = signedIn('ann', ...roles);
    return assistant.direct.call(
      {
        name: 'close_case',
        argumentsValue: { caseId: 7 },
        signal: new AbortController().signal,
        progress: () => undefined,
        ...more,
      },
      { channel: 'mcp', principal: caller, counted: caller, canConfirm: true, credential: 'of the program' },
    );
  };
  const visitor = { principal, credential: 'of the browser' };
  const approve = async (actionId: string): Promise<void> => {
    const { proof = '' } = await assistant.direct.questions.read(actionId, visitor);
    await assistant.direct.questions.answer(
      { actionId, approved: true, proof, presenter: 'id:ann', requestId: 'r1' },
      visitor,
    );
  };
  const read = (actionId: string): ReturnType<typeof assistant.direct.questions.read> =>
    assistant.direct.questions.read(actionId, visitor);
  const ask = async (): Promise<string> => {
    const outcome = await call();
    if (outcome === undefined || !('question' in outcome)) throw new Error('nobody was asked');
    return outcome.question.actionId;
  };
  return { tool, ask, approve, read, call, log, metrics, journal };
}

describe('a question of a call without a turn (contract/mcp-server.md#confirmations)', () => {
  // proves wire-11-61
  it.each([false, true])(
    'stands though the store fails at it for a moment (the row is stored: %s)',
    async (isStored) => {
      const { ask, approve, call, journal, tool } = asking();
      const requested = journal.requested.bind(journal);
      vi.spyOn(journal, 'requested').mockImplementationOnce(async (...given) => {
        if (isStored) await requested(...given);
        throw new Error('the connection ended');
      });
      const actionId = await ask();
      expect(await journal.find(actionId)).toMatchObject({ state: 'requested' });
      await approve(actionId);
      expect(await call()).toMatchObject({ status: 'succeeded' });
      expect(tool.runs).toEqual([{ caseId: 7 }]);
    },
  );

  // proves wire-11-61
  it('is not put when the store does not answer in time, and is closed where the store has it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { call, journal, tool } = asking();
    const requested = journal.requested.bind(journal);
    const asked = vi.spyOn(journal, 'requested').mockImplementationOnce(async (...given) => {
      await requested(...given);
      return new Promise(() => undefined);
    });
    const outcome = call();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcome).toMatchObject({ status: 'failed' });
    const [entry] = asked.mock.calls[0] ?? [];
    expect(await journal.find(entry?.actionId ?? '')).toMatchObject({ state: 'done', outcome: 'cancelled' });
    expect(tool.runs).toEqual([]);
  });

  // proves service-4.3-94
  it.each(['one after the other', 'at once'])(
    'runs nothing twice where two processes have asked about one call, and the user has approved both, %s',
    async (how) => {
      const [tool, stores] = [fakeTool(), memoryStores()];
      const processes = [0, 1].map(() => asking({ toolList: [tool], ...stores }));
      // Neither hears of the question of the other.
      for (const process of processes) await process.approve(await process.ask());
      const [one, other] = processes.map((process) => () => process.call());
      const outcomes = how === 'at once' ? await Promise.all([one?.(), other?.()]) : [await one?.(), await other?.()];
      expect(tool.runs).toEqual([{ caseId: 7 }]);
      const told = outcomes.map((outcome) => JSON.stringify(outcome));
      expect(told.filter((text) => text.includes('This call was not run again'))).toHaveLength(1);
      expect(told.filter((text) => text.includes('"data":{"done":true}'))).toHaveLength(1);
    },
  );

  // proves service-4.3-94
  it.each([0, 1])(
    'runs nothing a second time while process %i of two runs it, though the other has begun',
    async (runner) => {
      const [begun, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const tool = fakeTool({
        execute: async () => {
          begun.resolve(undefined);
          await ended.promise;
          return { value: { done: true } };
        },
      });
      const stores = memoryStores();
      const processes = [0, 1].map(() => asking({ toolList: [tool], ...stores }));
      for (const process of processes) await process.approve(await process.ask());
      const first = processes[runner]?.call();
      await begun.promise;
      const second = processes[1 - runner]?.call();
      const answered = async (): Promise<number> =>
        (await stores.journal.unfinished()).filter(({ state }) => state === 'answered').length;
      await expect.poll(answered).toBe(0);
      ended.resolve(undefined);
      const outcomes = await Promise.all([first, second]);
      expect(tool.runs).toEqual([{ caseId: 7 }]);
      expect(JSON.stringify(outcomes[1])).toContain('This call was not run again');
    },
  );

  // proves service-4.3-47
  it('stands in the journal and in the security log as every other one', async () => {
    const { ask, approve, call, log, metrics, journal, tool } = asking();
    const actionId = await ask();
    expect(await journal.find(actionId)).toMatchObject({
      ...{ state: 'requested', owner: 'id:ann', action: 'close_case', arguments: '{"caseId":7}', agent: 'mcp' },
    });
    await approve(actionId);
    expect(await journal.find(actionId)).toMatchObject({
      state: 'answered',
      answer: 'approved',
      answeredWho: 'id:ann',
    });
    expect(await call()).toEqual({ status: 'succeeded', text: '{"done":true}', data: { done: true } });
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'succeeded' });
    expect(tool.runs).toEqual([{ caseId: 7 }]);
    const line = {
      security: true,
      what: 'approved',
      reason: 'user',
      who: 'id:ann',
      requestId: 'r1',
      actionId,
      action: 'close_case',
    };
    expect(log.lines.map(({ fields }) => fields)).toContainEqual(expect.objectContaining(line));
    const counted = metrics.counted.map(({ what }) => what);
    expect(counted).toEqual(
      expect.arrayContaining(['confirmationRequested', 'confirmationResolved', 'toolRan', 'toolCalled']),
    );
  });

  // proves wire-6-93
  it('is shown as it ended to whoever opens it while its answer is being stored', async () => {
    const { ask, approve, read, journal } = asking();
    const actionId = await ask();
    const held = Promise.withResolvers<undefined>();
    const answered = journal.answered.bind(journal);
    const storing = vi.spyOn(journal, 'answered').mockImplementation(async (...given) => {
      await held.promise;
      return answered(...given);
    });
    const approving = approve(actionId);
    await vi.waitFor(() => {
      expect(storing).toHaveBeenCalled();
    });
    const shown = read(actionId);
    held.resolve(undefined);
    expect(await shown).toMatchObject({ outcome: 'approved', isRunning: false });
    await approving;
  });

  // proves service-4.3-43
  it('lapses when nobody uses its approval', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { ask, approve, call, tool, journal } = asking();
    const actionId = await ask();
    await approve(actionId);
    await vi.advanceTimersByTimeAsync(1001);
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', answer: 'approved', outcome: 'cancelled' });
    expect(await call()).toMatchObject({ status: 'waiting' });
    expect(await call({ question: actionId })).toMatchObject({ status: 'cancelled' });
    expect(tool.runs).toEqual([]);
  });

  // proves service-4.3-48
  it('does not run what the user has lost the role for since the answer', async () => {
    const tool = fakeTool({ requiredRoles: ['Clerk'] });
    const { ask, approve, call } = asking({ toolList: [tool] });
    await approve(await ask());
    expect(await call({}, [])).toBeUndefined();
    expect(tool.runs).toEqual([]);
  });

  // proves service-4.3-48
  it('does not run what the kill switch has stopped since the answer, and keeps the approval', async () => {
    let isOff = false;
    const { ask, approve, call, tool } = asking({ isSwitchedOff: () => isOff });
    await approve(await ask());
    isOff = true;
    expect(await call()).toMatchObject({
      status: 'refused',
      told: expect.stringContaining('switched this action off'),
    });
    isOff = false;
    expect(await call()).toMatchObject({ status: 'succeeded' });
    expect(tool.runs).toHaveLength(1);
  });

  // proves service-4.3-48
  it('does not run an action that was declared anew since the question', async () => {
    const declared = (fingerprint: string): Tool => fakeTool({ fingerprint });
    let toolbox = new Toolbox([declared('old')], []);
    const { ask, approve, call } = asking({ toolboxOf: () => toolbox });
    await approve(await ask());
    toolbox = new Toolbox([declared('new')], []);
    expect(await call()).toMatchObject({ status: 'cancelled', told: expect.stringContaining('has changed since') });
  });

  // proves service-4.3-49
  it('gives its outcome to the next call when the one that ran it has gone', async () => {
    const held = Promise.withResolvers<undefined>();
    const tool = fakeTool({ execute: () => held.promise.then(() => ({ value: { done: true } })) });
    const { ask, approve, call } = asking({ toolList: [tool] });
    await approve(await ask());
    const gone = new AbortController();
    const first = call({ signal: gone.signal });
    await vi.waitFor(() => {
      expect(tool.runs).toHaveLength(1);
    });
    gone.abort(new Error('the client has gone'));
    expect(await first).toMatchObject({ status: 'unknown' });
    // A write that was stopped while it ran may have taken effect.
    expect(await call()).toMatchObject({ status: 'unknown' });
    expect(tool.runs).toHaveLength(1);
    held.resolve(undefined);
  });
});
