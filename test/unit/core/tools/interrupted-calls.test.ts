import { describe, expect, it } from 'vitest';
import { InMemoryConfirmationJournal } from '../../../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { recoverJournal } from '../../../../src/core/confirmations/recover-journal.ts';
import { ToolInterrupted, ToolUnanswered, ToolUnavailable } from '../../../../src/core/tools/tool-faults.ts';
import type { Tool, ToolContext } from '../../../../src/core/tools/tool.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
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

type Execute = NonNullable<NonNullable<Parameters<typeof fakeTool>[0]>['execute']>;

/** What determines the body of a callback. */
function seenBy({ user, callId, turnId, conversationId, channel, page }: ToolContext) {
  return { user, callId, turnId, conversationId, channel, page };
}

/** An approved call that runs when its process dies; what it was called with. */
async function interrupted(tool: Partial<Tool> = { repeatable: true }) {
  const journal = new InMemoryConfirmationJournal();
  const first = Promise.withResolvers<ReturnType<typeof seenBy>>();
  const { assistant } = testAssistant({
    journal,
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
  return { journal, actionId, first: await first.promise };
}

/** The next process. */
async function restart(journal: InMemoryConfirmationJournal, execute: Execute, options: Partial<Tool> = {}) {
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
  const log = recordingLogger();
  const left = await recoverJournal(journal, log, { now: Date.now(), retentionMs: 60_000, kept: new Set() });
  const test = testAssistant({
    journal,
    interrupted: left,
    model: fakeModel(),
    toolboxOf: () => new Toolbox(tools),
  });
  const come = async (): Promise<void> => {
    tools.push(tool);
    await test.assistant.resumeSuspended();
  };
  return { ...test, tool, seen, come };
}

describe('a callback that was interrupted by a crash, with its turn (wire.md 5)', () => {
  it('is called once more as it was: same id, user, channel, page and arguments', async () => {
    const { journal, actionId, first } = await interrupted();
    const next = await restart(journal, () => ({ value: 'done' }));
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
    const { journal, actionId } = await interrupted();
    const next = await restart(journal, execute, { timeoutMs: 20 });
    await next.come();
    await next.assistant.drain(1000);
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome });
  });

  it('waits until its callback answers again, and is called once', async () => {
    const { journal, actionId } = await interrupted();
    const next = await restart(journal, () => ({ value: 1 }));
    await next.assistant.resumeSuspended();
    expect((await journal.find(actionId))?.state).toBe('executing');
    await Promise.all([next.come(), next.assistant.resumeSuspended()]);
    await next.assistant.drain(1000);
    expect(next.tool.runs).toHaveLength(1);
  });

  it('is given up after two more attempts, each counted before it is made', async () => {
    const { journal, actionId } = await interrupted();
    const hangs: Execute = () => new Promise(() => undefined);
    for (const retries of [1, 2]) {
      const next = await restart(journal, hangs);
      await next.come();
      await next.assistant.drain(0);
      expect(next.tool.runs).toHaveLength(1);
      expect(await journal.find(actionId)).toMatchObject({ state: 'executing', retries });
    }
    const last = await restart(journal, hangs);
    await last.come();
    expect(last.tool.runs).toHaveLength(0);
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
  });

  it.each<[string, Partial<Tool>, Partial<Tool>]>([
    ['was no callback', {}, { repeatable: true }],
    ['is none any more', { repeatable: true }, { repeatable: false }],
  ])('is never called again when its action %s', async (_title, before, after) => {
    const { journal, actionId } = await interrupted(before);
    const next = await restart(journal, () => ({ value: 1 }), after);
    await next.come();
    await next.assistant.drain(1000);
    expect(next.tool.runs).toHaveLength(0);
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'unknown' });
  });

  it('is not waited for longer than the grace of a SIGTERM: the next process calls it', async () => {
    const { journal, actionId } = await interrupted();
    const next = await restart(journal, () => new Promise(() => undefined));
    await next.come();
    await next.assistant.drain(20);
    expect((await journal.find(actionId))?.state).toBe('executing');
    const last = await restart(journal, () => ({ value: 1 }));
    await last.come();
    await last.assistant.drain(1000);
    expect((await journal.find(actionId))?.outcome).toBe('succeeded');
  });

  it('is not run by the process that runs it already', async () => {
    const { journal, actionId } = await interrupted();
    const next = await restart(journal, () => ({ value: 1 }));
    await next.come();
    await next.come();
    await next.assistant.drain(1000);
    expect(next.tool.runs).toHaveLength(1);
    expect((await journal.find(actionId))?.retries).toBe(1);
  });
});
