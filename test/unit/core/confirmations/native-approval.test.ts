import { describe, expect, it } from 'vitest';
import { approvalRule, type ApprovalRuleDefinition } from '../../../../src/core/confirmations/approval-rule.ts';
import { AutoApproval, type AutoApprovalRule } from '../../../../src/core/confirmations/auto-approval.ts';
import type { ConfirmationAnswer } from '../../../../src/core/confirmations/edited-arguments.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { ToolUser } from '../../../../src/core/tools/tool.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const anyone = anonymousPrincipal('test');
const nobody: ToolUser = { id: '', name: '', roles: [], claims: {}, isAuthenticated: false };
const native = (rules: readonly AutoApprovalRule[] = [], maxRounds: number | null = 5) => ({
  autoApproval: new AutoApproval({ rules, maxRounds }),
});

/** An action with trusted results. After trusted results, rules and earlier choices of the user still approve calls. */
const trustedTool = () => fakeTool({ trusted: true });

function start(options: Partial<TestAssistantOptions> = {}, tool = fakeTool()) {
  const model =
    options.model ??
    fakeModel(
      { toolCalls: [call('close_case', { caseId: 42 })] },
      { text: 'Done.' },
      { toolCalls: [call('close_case', { caseId: 43 })] },
      { text: 'Done.' },
    );
  const test = testAssistant({ toolList: [tool], ...options, model });
  const session = test.assistant.openSession({ channel: 'hub' });
  const say = (text: string) => {
    const turn = session.startNow({ text });
    return { turn, reader: readTurn(turn) };
  };
  const answer = (given: ConfirmationAnswer) => test.assistant.answerConfirmation(given, anyone);
  return { ...test, tool, session, say, answer };
}

const idOf = (event: { readonly fields: Readonly<Record<string, unknown>> }): string =>
  String(event.fields['actionId']);

describe('edited arguments (contract/confirmations.md#answering)', () => {
  const editable = () =>
    fakeTool({
      editable: true,
      checkArguments: (value) => {
        const entries = typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
        return typeof entries['caseId'] === 'number'
          ? { ok: true, value: entries }
          : { ok: false, faults: ['caseId: must be a number'] };
      },
    });

  // proves service-1-02, wire-5-40, wire-5-98
  it('run in place of those that were shown, are journalled beside them, and the model is told', async () => {
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
    const { say, answer, tool, journal } = start({ model }, editable());
    const { reader, turn } = say('close case 42');
    const requested = await reader.next('confirmation-requested');
    expect(requested.fields['editable']).toBe(true);
    const actionId = idOf(requested);
    await answer({ actionId, approved: true, arguments: { caseId: 7 } });
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 7 }]);
    expect(model.requests[1]?.messages.at(-1)?.text).toContain(
      'The user approved this action with other arguments than yours: {"caseId":7}.',
    );
    const { fields } = await reader.next('confirmation-resolved');
    expect(fields).toMatchObject({ actionId, outcome: 'approved', by: 'user', arguments: { caseId: 7 } });
    expect(await journal.find(actionId)).toMatchObject({
      arguments: '{"caseId":42}',
      editedArguments: '{"caseId":7}',
      outcome: 'succeeded',
    });
  });

  // proves wire-5-40
  it('that do not fit the schema answer nothing: the question stays open', async () => {
    const { say, answer, tool } = start({}, editable());
    const { reader, turn } = say('close case 42');
    const actionId = idOf(await reader.next('confirmation-requested'));
    await expect(answer({ actionId, approved: true, arguments: { caseId: 'x' } })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'caseId: must be a number',
    });
    await expect(answer({ actionId, approved: false, arguments: { caseId: 1 } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await answer({ actionId, approved: true });
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 42 }]);
  });

  // proves wire-5-98
  it('that are the same as those shown are no edit', async () => {
    const { say, answer, journal } = start({}, editable());
    const { reader, turn } = say('close case 42');
    const actionId = idOf(await reader.next('confirmation-requested'));
    await answer({ actionId, approved: true, arguments: { caseId: 42 } });
    await turn.result;
    expect((await journal.find(actionId))?.editedArguments).toBeNull();
    expect((await reader.next('confirmation-resolved')).fields).not.toHaveProperty('arguments');
  });

  // proves wire-5-40
  it('are refused for an action that does not declare editable', async () => {
    const { say, answer } = start();
    const { reader, turn } = say('close case 42');
    const actionId = idOf(await reader.next('confirmation-requested'));
    await expect(answer({ actionId, approved: true, arguments: { caseId: 7 } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await turn.stop('user');
    await turn.result;
  });
});

describe('hitlMode Native (contract/confirmations.md#blocking-and-native)', () => {
  // proves service-2.6-21
  it('approves by the first rule that holds: no box, and the same rows in the journal', async () => {
    const { say, tool, metrics } = start(native([() => false, () => true]));
    const { reader, turn } = say('close case 42');
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 42 }]);
    const types = reader.events.map(({ type }) => type);
    expect(types).not.toContain('confirmation-requested');
    expect(reader.events.find(({ type }) => type === 'confirmation-resolved')?.fields).toMatchObject({
      outcome: 'approved',
      by: 'rule',
    });
    expect(metrics.counted.map(({ what }) => what)).toContain('confirmationResolved');
  });

  // proves service-2.6-21
  it('asks when a rule throws, and in the mode Blocking whatever the rules', async () => {
    const throwing: AutoApprovalRule = () => {
      throw new Error('broken');
    };
    for (const options of [native([throwing]), {}]) {
      const { say, tool } = start(options);
      const { reader, turn } = say('close case 42');
      await reader.next('confirmation-requested');
      await turn.stop('user');
      await turn.result;
      expect(tool.runs).toHaveLength(0);
    }
  });

  // proves service-2.6-23
  it('still refuses by role before any rule', async () => {
    const tool = fakeTool({ requiredRoles: ['Supervisor'] });
    const { say } = start(native([() => true]), tool);
    const { turn } = say('close case 42');
    await turn.result;
    expect(tool.runs).toHaveLength(0);
  });

  // proves service-2.6-24
  it('caps the rounds of one turn that rules approve (maxAutoApprovalIterations)', async () => {
    const closing = [1, 2, 3].map((caseId) => ({ toolCalls: [call('close_case', { caseId })] }));
    const model = fakeModel(...closing, { text: 'Done.' });
    const { say, tool } = start({ ...native([() => true], 2), model }, trustedTool());
    const { reader, turn } = say('close all');
    await reader.next('confirmation-requested');
    expect(tool.runs).toHaveLength(2);
    await turn.stop('user');
    await turn.result;
  });

  // proves service-2.6-22
  it('asks no more about a tool the user chose to remember, until a new conversation', async () => {
    const calls = Array.from({ length: 3 }, () => [{ toolCalls: [call('close_case', {})] }, { text: 'Done.' }]).flat();
    const { say, answer, tool, session } = start({ ...native(), model: fakeModel(...calls) }, trustedTool());
    const first = say('close');
    const requested = await first.reader.next('confirmation-requested');
    expect(requested.fields['canRemember']).toBe(true);
    await answer({ actionId: idOf(requested), approved: true, remember: true });
    await first.turn.result;
    const second = say('close');
    await second.turn.result;
    expect(second.reader.events.map(({ type }) => type)).not.toContain('confirmation-requested');
    expect(tool.runs).toHaveLength(2);
    session.newConversation();
    const third = say('close');
    await third.reader.next('confirmation-requested');
    await third.turn.stop('user');
    await third.turn.result;
  });

  // proves service-2.6-22
  it('offers nothing where no round may go unasked', async () => {
    const { say } = start(
      { ...native([() => true], 0), model: fakeModel({ toolCalls: [call('close_case', {})] }) },
      trustedTool(),
    );
    const { reader, turn } = say('close');
    expect((await reader.next('confirmation-requested')).fields['canRemember']).toBe(false);
    await turn.stop('user');
    await turn.result;
  });

  // proves service-2.6-22
  it('remembers nothing that was declined, and offers it over the hub only, with a rule or a limit', async () => {
    const asking = { toolCalls: [call('close_case', {})] };
    const model = fakeModel(asking, { text: 'As you wish.' }, asking, { text: 'x' });
    const declined = start({ ...native(), model }, trustedTool());
    const first = declined.say('close');
    await declined.answer({
      actionId: idOf(await first.reader.next('confirmation-requested')),
      approved: false,
      remember: true,
    });
    await first.turn.result;
    const second = declined.say('close');
    await second.reader.next('confirmation-requested');
    await second.turn.stop('user');
    await second.turn.result;
    const without = start(native([], null), trustedTool());
    const asked = without.say('close');
    const { fields } = await asked.reader.next('confirmation-requested');
    expect(fields['canRemember']).toBe(false);
    await expect(
      without.answer({ actionId: String(fields['actionId']), approved: true, remember: true }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await asked.turn.stop('user');
    await asked.turn.result;
    const overSse = start(native(), trustedTool());
    const turn = overSse.assistant.openSession({ channel: 'sse' }).startNow({ text: 'close' });
    const reader = readTurn(turn);
    expect((await reader.next('confirmation-requested')).fields['canRemember']).toBe(false);
    await turn.stop('user');
    await turn.result;
  });
});

describe('a rule of the YAML file (contract/confirmations.md#rules-in-place-of-the-user)', () => {
  const holds = (
    definition: Omit<ApprovalRuleDefinition, 'tool'>,
    argumentsValue: Readonly<Record<string, unknown>>,
    user = nobody,
  ) => approvalRule({ tool: 'pay_*', ...definition })({ tool: 'pay_bill', arguments: argumentsValue, user });

  it.each([
    [{ amount: { lessThan: 50 } }, { amount: 49.9 }, true],
    [{ amount: { lessThan: 50 } }, { amount: 50 }, false],
    [{ amount: { lessThan: 50 } }, { amount: '9' }, false],
    [{ amount: { lessThan: 50 } }, {}, false],
    [{ amount: { greaterThan: 5, lessThan: 9 } }, { amount: 7 }, true],
    [{ amount: { greaterThan: 5, lessThan: 9 } }, { amount: 9 }, false],
    [{ to: { equals: { b: 1, a: [2] } } }, { to: { a: [2], b: 1 } }, true],
    [{ to: { equals: null } }, { to: null }, true],
    [{ to: { equals: null } }, {}, false],
    [{ to: { in: ['x', 'y'] } }, { to: 'y' }, true],
    [{ to: { in: ['x', 'y'] } }, { to: 'z' }, false],
    [{ to: { matches: '^DE\\d+$' } }, { to: 'DE12' }, true],
    [{ to: { matches: '^DE\\d+$' } }, { to: 12 }, false],
    [{ to: { equals: 'x' }, amount: { lessThan: 2 } }, { to: 'x', amount: 3 }, false],
    [{ toString: { matches: '.' } }, {}, false],
  ])('%j of %j is %s', (when, argumentsValue, expected) => {
    expect(holds({ when }, argumentsValue)).toBe(expected);
  });

  it('holds for the tools and roles it names', () => {
    expect(approvalRule({ tool: 'pay_*' })({ tool: 'refund', arguments: {}, user: nobody })).toBe(false);
    expect(holds({ roles: ['Clerk'] }, {})).toBe(false);
    expect(holds({ roles: ['Clerk', 'Boss'] }, {}, { ...nobody, roles: ['Boss'] })).toBe(true);
  });
});
