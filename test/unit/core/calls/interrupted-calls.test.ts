import { describe, expect, it } from 'vitest';
import { recoverJournal } from '../../../../src/core/confirmations/recover-journal.ts';
import { ToolInterrupted, ToolUnanswered, ToolUnavailable } from '../../../../src/core/tools/tool-faults.ts';
import type { Tool, ToolContext } from '../../../../src/core/tools/tool.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const anna: Principal = {
  kind: 'signed-in',
  userKey: 'sub:anna',
  id: 'anna',
  name: 'Anna',
  roles: new Set(['Clerk']),
  claims: { tenant: 't1' },
};

type HitlMode = 'Native' | 'Blocking';
type Execute = NonNullable<NonNullable<Parameters<typeof fakeTool>[0]>['execute']>;

/** The members of the context that determine the body of a callback. */
function seenBy({ user, callId, turnId, conversationId, channel, page }: ToolContext) {
  return { user, callId, turnId, conversationId, channel, page };
}

/** Begins an approved call that never ends, as if its process died. `first` is what the call was given. */
async function interrupted(hitlMode: HitlMode, tool: Partial<Tool> = { repeatable: true }) {
  const kept = memoryStores();
  const first = Promise.withResolvers<ReturnType<typeof seenBy>>();
  const { assistant } = testAssistant({
    ...kept,
    hitlMode,
    toolList: [
      fakeTool({
        ...tool,
        execute: (_arguments, context) => {
          first.resolve(seenBy(context));
          return new Promise(() => undefined);
        },
      }),
    ],
    model: fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }),
  });
  const session = assistant.openSession({ channel: 'hub', principal: anna });
  const turn = session.startNow({ text: 'close' }, { page: { name: 'case', data: { id: 42 } } });
  const asked = await readTurn(turn).next('confirmation-requested');
  const actionId = String(asked.fields['actionId']);
  await assistant.answerConfirmation({ actionId, approved: true }, anna);
  return { kept: { ...kept, hitlMode }, journal: kept.journal, turnId: turn.id, actionId, first: await first.promise };
}

/** The next process, whose callback does not answer yet. */
async function restart(
  kept: Awaited<ReturnType<typeof interrupted>>['kept'],
  execute: Execute,
  options: Partial<Tool> = {},
) {
  const seen: ReturnType<typeof seenBy>[] = [];
  const tools: Tool[] = [];
  const tool = fakeTool({
    repeatable: true,
    ...options,
    execute: (argumentsValue, context) => {
      seen.push(seenBy(context));
      return execute(argumentsValue, context);
    },
  });
  const ids = new Set(await kept.turns.ids());
  await recoverJournal(kept.journal, recordingLogger(), { now: Date.now(), retentionMs: 60_000, kept: ids });
  const model = fakeModel({ text: 'As it is.' });
  const test = testAssistant({
    ...kept,
    model,
    toolboxOf: () => new Toolbox(tools),
  });
  const come = async (): Promise<void> => {
    tools.push(tool);
    await test.assistant.takeUpTurns();
  };
  return { ...test, model, tool, seen, come };
}

describe.each<HitlMode>(['Native', 'Blocking'])(
  'a callback that was interrupted by a crash (%s, contract/confirmations.md#the-journal)',
  (mode) => {
    // proves wire-5-24
    it('is called once more as it was: same id, user, channel, page and arguments', async () => {
      const { kept, journal, actionId, first } = await interrupted(mode);
      const next = await restart(kept, () => ({ value: 'done' }));
      await next.come();
      await next.assistant.drain(1000);
      expect(next.tool.runs).toEqual([{ caseId: 42 }]);
      expect(next.seen).toEqual([first]);
      expect(JSON.stringify(next.seen[0])).toBe(JSON.stringify(first));
      expect(first.user).toMatchObject({ id: 'anna', roles: ['Clerk'], claims: { tenant: 't1' } });
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'succeeded', retries: 1 });
    });

    it.each<[string, Execute, string]>([
      ['says that it could not do it', () => Promise.reject(new Error('no')), 'failed'],
      ['cannot be reached', () => Promise.reject(new ToolUnavailable('away')), 'unknown'],
      ['answers with a status', () => Promise.reject(new ToolUnanswered('erp answered with status 503')), 'unknown'],
      ['breaks off', () => Promise.reject(new ToolInterrupted('cut')), 'unknown'],
      ['says nothing in time', () => new Promise(() => undefined), 'unknown'],
    ])('that then %s ends as %3$s', async (_title, execute, outcome) => {
      const { kept, journal, actionId } = await interrupted(mode);
      const next = await restart(kept, execute, { timeoutMs: 20 });
      await next.come();
      await next.assistant.drain(1000);
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome });
    });

    it('waits until its callback answers again, and is called once', async () => {
      const { kept, journal, actionId } = await interrupted(mode);
      const next = await restart(kept, () => ({ value: 1 }));
      await next.assistant.takeUpTurns();
      expect((await journal.find(actionId))?.state).toBe('executing');
      await Promise.all([next.come(), next.assistant.takeUpTurns()]);
      await next.assistant.drain(1000);
      expect(next.tool.runs).toHaveLength(1);
    });

    // proves wire-5-24
    it('is given up after two more attempts, each counted before it is made', async () => {
      const { kept, journal, actionId } = await interrupted(mode);
      const hangs: Execute = () => new Promise(() => undefined);
      for (const retries of [1, 2]) {
        const next = await restart(kept, hangs);
        await next.come();
        await expect.poll(() => next.tool.runs).toHaveLength(1);
        // This process dies like the one before it.
        expect(await journal.find(actionId)).toMatchObject({ state: 'executing', retries });
      }
      const last = await restart(kept, hangs);
      await last.come();
      expect(last.tool.runs).toHaveLength(0);
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
    });

    it.each<[string, Partial<Tool>, Partial<Tool>]>([
      // proves wire-5-24
      ['was no callback', {}, { repeatable: true }],
      ['is none any more', { repeatable: true }, { repeatable: false }],
    ])('is never called again when its action %s', async (_title, before, after) => {
      const { kept, journal, actionId } = await interrupted(mode, before);
      const next = await restart(kept, () => ({ value: 1 }), after);
      await next.come();
      await next.assistant.drain(1000);
      expect(next.tool.runs).toHaveLength(0);
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
    });

    it('is waited for as long as the grace of a SIGTERM, like any action that runs, and is then unknown', async () => {
      const { kept, journal, actionId } = await interrupted(mode);
      const next = await restart(kept, () => new Promise(() => undefined));
      await next.come();
      await expect.poll(() => next.tool.runs).toHaveLength(1);
      await next.assistant.drain(20);
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown', retries: 1 });
    });

    it('is given up as unknown when its callback has not come back for longer than dataProtection.maxAge', async () => {
      const { kept, journal, actionId } = await interrupted(mode);
      const late = testAssistant({
        ...kept,
        model: fakeModel({ text: 'Please check.' }),
        maxSuspendedMs: 60_000,
        now: () => Date.now() + 61_000,
      });
      await late.assistant.takeUpTurns();
      await expect.poll(() => late.assistant.runningTurns).toBe(0);
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
    });

    it('is not run by the process that runs it already', async () => {
      const { kept, journal, actionId } = await interrupted(mode);
      const next = await restart(kept, () => ({ value: 1 }));
      await next.come();
      await next.come();
      await next.assistant.drain(1000);
      expect(next.tool.runs).toHaveLength(1);
      expect((await journal.find(actionId))?.retries).toBe(1);
    });

    it('is told to the user, whose turn then ends', async () => {
      const { kept, turnId } = await interrupted(mode);
      const next = await restart(kept, () => ({ value: 'closed' }));
      await next.come();
      const resumed = await next.assistant.findTurn(turnId, anna);
      await resumed?.result;
      const ended = await next.assistant.findTurn(turnId, anna);
      if (ended === undefined) throw new Error('the turn cannot be read any more');
      const { events } = readTurn(ended);
      expect(events.filter(({ type }) => type === 'action-completed')).toMatchObject([
        { fields: { status: 'succeeded' } },
      ]);
      const [last, wasAsked] = mode === 'Native' ? (['completed', 1] as const) : (['failed', 0] as const);
      expect(events.at(-1)).toMatchObject({ type: 'turn-completed', fields: { status: last } });
      expect(next.model.requests).toHaveLength(wasAsked);
      if (wasAsked === 1) expect(next.model.requests[0]?.messages.at(-1)?.text).toBe('[succeeded] closed');
      expect(await unended(kept)).toEqual([]);
    });
  },
);
