import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { ToolResult } from '../../../../src/core/tools/tool.ts';
import { ToolInterrupted, ToolUnavailable } from '../../../../src/core/tools/tool-faults.ts';
import { ToolPolicy } from '../../../../src/core/tools/tool-policy.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const never = new Promise<never>(() => undefined);
const readOnly = { name: 'get_case', title: 'Look up a case', readOnly: true } as const;
const pageList = [{ name: 'order', title: 'Order', url: '/orders/{id}', description: 'One.', requiredRoles: [] }];

function start(options: Partial<TestAssistantOptions>, ...toolCalls: ReturnType<typeof call>[]) {
  const model = fakeModel({ toolCalls }, { text: 'Done.' });
  const test = testAssistant({ model, ...options });
  const session = test.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'go' });
  const reader = readTurn(turn);
  const approve = async (): Promise<string> => {
    const actionId = String((await reader.next('confirmation-requested')).fields['actionId']);
    await test.assistant.answerConfirmation({ actionId, approved: true }, anonymousPrincipal('test'));
    return actionId;
  };
  const told = (): string[] =>
    (model.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool').map(({ text }) => text);
  const statuses = (): unknown[] =>
    reader.events.filter(({ type }) => type === 'action-completed').map(({ fields }) => fields['status']);
  return { ...test, model, session, turn, reader, approve, told, statuses };
}

describe('an action that ran (contract/confirmations.md)', () => {
  it.each<[string, ToolResult]>([
    ['sends the user to a page that does not exist', { value: 'closed', navigate: { page: 'nowhere', params: {} } }],
    ['sends the user to a page without its parameter', { value: 'closed', navigate: { page: 'order', params: {} } }],
    [
      'fills an address with text that cannot be encoded',
      { value: 'closed', navigate: { page: 'order', params: { id: '\ud800' } } },
    ],
  ])('has succeeded although it %s: the model is never told that it failed', async (_title, result) => {
    const tool = fakeTool({ execute: () => result });
    const { approve, turn, told, statuses, journal } = start({ toolList: [tool], pageList }, call('close_case'));
    const actionId = await approve();
    await turn.result;
    expect(statuses()).toEqual(['succeeded']);
    expect(told()[0]).toMatch(/^\[succeeded\] closed\n.*not sent/s);
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'succeeded' });
  });

  it('leaves no open row in the journal, whatever it throws', async () => {
    const tool = fakeTool({
      execute: () => {
        throw Object.create(null);
      },
    });
    const { approve, turn, statuses, journal } = start({ toolList: [tool] }, call('close_case'));
    await approve();
    await turn.result;
    expect(statuses()).toEqual(['failed']);
    expect(await journal.unfinished()).toEqual([]);
  });

  it('shows and tells no more than a bounded part of a huge exception message (contract/errors.md#faults-of-actions)', async () => {
    const tool = fakeTool({ ...readOnly, execute: () => Promise.reject(new Error('x'.repeat(1_000_000))) });
    const { turn, told, reader } = start({ toolList: [tool] }, call('get_case'));
    await turn.result;
    const shown = reader.events.find(({ type }) => type === 'error-occurred')?.fields['message'];
    expect(String(shown).length).toBeLessThan(3000);
    expect(told()[0]?.length).toBeLessThan(270_000);
  });
});

describe('Stop (contract/confirmations.md#stop)', () => {
  it.each<[string, Partial<TestAssistantOptions>, string]>([
    ['onToolResult', { transformResult: () => never }, 'succeeded'],
    ['onException', { exceptionTexts: () => never }, 'failed'],
  ])('does not wait for a hook %s that never answers', async (hook, options, status) => {
    const ran = Promise.withResolvers<undefined>();
    const tool = fakeTool({
      ...readOnly,
      execute: () => {
        ran.resolve(undefined);
        if (hook === 'onException') throw new Error('broken');
        return { value: 1 };
      },
    });
    const { turn, statuses } = start({ toolList: [tool], ...options }, call('get_case'));
    await ran.promise;
    await Promise.resolve();
    expect(await turn.stop('user')).toBe(true);
    expect((await turn.result).status).toBe('stopped');
    expect(statuses()).toEqual([status]);
  });

  it('does not wait for a policy hook that never answers, and then nothing runs', async () => {
    const asked = Promise.withResolvers<undefined>();
    const requiresApproval = (): Promise<boolean> => {
      asked.resolve(undefined);
      return never;
    };
    const tool = fakeTool(readOnly);
    const policy = new ToolPolicy({
      requireConfirmation: true,
      requireConfirmationForWrites: true,
      requiresApproval: [requiresApproval],
      isReadOnlyAction: [],
    });
    const { turn, statuses } = start({ toolList: [tool], policy }, call('get_case'));
    await asked.promise;
    await turn.stop('user');
    expect((await turn.result).status).toBe('stopped');
    expect(statuses()).toEqual(['cancelled']);
    expect(tool.runs).toHaveLength(0);
  });

  it('asks nobody when it comes just before the model hands over its calls', async () => {
    const base = fakeModel({ toolCalls: [call('close_case')] });
    const { assistant } = testAssistant({
      toolList: [fakeTool()],
      model: {
        ...base,
        run: async (request, sink) => {
          const reply = await base.run(request, sink);
          await session.stop('user');
          return reply;
        },
      },
    });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'go' });
    const reader = readTurn(turn);
    expect((await turn.result).status).toBe('stopped');
    expect(reader.events.map(({ type }) => type)).not.toContain('confirmation-requested');
  });
});

describe('arguments from the model (contract/plugins.md#actions)', () => {
  it('that break the check itself are told to the model, while the other calls go on to their end', async () => {
    const broken = fakeTool({
      name: 'broken',
      checkArguments: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    });
    const tool = fakeTool();
    const { approve, turn, told } = start({ toolList: [broken, tool] }, call('broken'), call('close_case'));
    await approve();
    expect((await turn.result).status).toBe('completed');
    expect(told()).toEqual([expect.stringMatching(/^\[failed\]/), expect.stringMatching(/^\[succeeded\]/)]);
    expect(broken.runs).toHaveLength(0);
    expect(tool.runs).toHaveLength(1);
  });

  it.each(['{"caseId":{"__proto__":{"admin":true}}}', '{"\\u005f_proto__":{"admin":true}}'])(
    'that name __proto__ run nothing: %s',
    async (written) => {
      const tool = fakeTool(readOnly);
      const { turn, told } = start({ toolList: [tool] }, call('get_case', written));
      await turn.result;
      expect(tool.runs).toHaveLength(0);
      expect(told()[0]).toMatch(/^\[failed\]/);
    },
  );
});

describe('a tool whose system is away (contract/plugins.md#callbacks)', () => {
  // proves wire-8-07
  it('ends as failed with action_unavailable, and onException is not asked', async () => {
    const tool = fakeTool({ ...readOnly, execute: () => Promise.reject(new ToolUnavailable('ECONNREFUSED 10.0.0.1')) });
    const { turn, reader, told, statuses } = start({ toolList: [tool], mappers: [() => 'mapped'] }, call('get_case'));
    await turn.result;
    expect(statuses()).toEqual(['failed']);
    const failure = reader.events.find(({ type }) => type === 'error-occurred')?.fields;
    expect(failure).toMatchObject({ code: 'action_unavailable', retryable: false });
    expect(JSON.stringify([failure, told()])).not.toMatch(/10\.0\.0\.1|mapped/);
    expect(told()[0]).toContain('cannot be reached right now');
  });

  it('ends as unknown when a write was interrupted, and as an exception when it only reads (contract/confirmations.md#the-journal)', async () => {
    const execute = () => Promise.reject(new ToolInterrupted('the connection broke'));
    const writes = fakeTool({ requiresConfirmation: false, execute });
    const { turn, told, statuses } = start(
      { toolList: [writes, fakeTool({ ...readOnly, execute })] },
      call('close_case'),
      call('get_case'),
    );
    await turn.result;
    expect(statuses()).toEqual(['unknown', 'failed']);
    expect(told()).toEqual([
      expect.stringContaining('It is not known whether'),
      '[failed] The action failed: the connection broke',
    ]);
  });
});
