import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

type Calls = readonly ReturnType<typeof call>[];

/** Plays rounds of calls of one turn, then an answer. */
async function play(rounds: readonly Calls[], options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool({ name: 'get_case', readOnly: true });
  const model = fakeModel(...rounds.map((toolCalls) => ({ toolCalls })), { text: 'Done.' });
  const { assistant } = testAssistant({ model, toolList: [tool], ...options });
  const session = assistant.openSession({ channel: 'hub' });
  const say = async () => {
    const turn = session.startNow({ text: 'go' });
    const reader = readTurn(turn);
    await turn.result;
    await reader.ended;
    return reader.events;
  };
  const events = await say();
  const statuses = events.filter(({ type }) => type === 'action-completed').map(({ fields }) => fields['status']);
  const told =
    model.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ text }) => text) ?? [];
  return { tool, model, events, statuses, told, say };
}

const same: Calls = [call('get_case', { id: 7, tags: ['a'] })];
const done = 'succeeded';

describe('a call that is repeated in a turn (contract/limits.md#repeated-calls)', () => {
  // proves configuration-6-70
  it('runs three times, and the model is told in place of the fourth', async () => {
    const { tool, statuses, told } = await play([same, same, same, same]);
    expect(tool.runs).toHaveLength(3);
    expect(statuses).toEqual([done, done, done, 'refused']);
    expect(told[3]).toContain('[refused] This call was not run. You have already made it 3 times in this turn');
  });

  // proves configuration-6-73
  it.each([
    [1, [done, 'refused', 'refused', 'refused']],
    [2, [done, done, 'refused', 'refused']],
    [0, [done, done, done, done]],
  ])('is not made with loopGuard: %j from that repetition on', async (loopGuard, expected) => {
    expect((await play([same, same, same, same], { loopGuard })).statuses).toEqual(expected);
  });

  // proves configuration-6-71
  it('is the same whatever the order of its arguments, and their spelling', async () => {
    const spelled = [call('get_case', '{"tags": ["a"],\n "id": 7.0}')];
    expect((await play([same, spelled], { loopGuard: 1 })).statuses).toEqual([done, 'refused']);
  });

  it.each([
    ['other arguments', [call('get_case', { id: 8, tags: ['a'] })]],
    ['fewer arguments', [call('get_case', { id: 7 })]],
    ['lists in another order', [call('get_case', { id: 7, tags: ['a', 'b'] })]],
  ])('is none with %s', async (_what, other) => {
    expect((await play([same, other], { loopGuard: 1 })).statuses).toEqual([done, done]);
  });

  it('is counted among calls side by side, in their order', async () => {
    const one = call('get_case', { id: 7 });
    const { tool, statuses } = await play([[one, { ...one, id: 'call_2' }, { ...one, id: 'call_3' }]], {
      loopGuard: 2,
    });
    expect(tool.runs).toHaveLength(2);
    expect(statuses.filter((status) => status === 'refused')).toHaveLength(1);
  });

  // proves configuration-6-71
  it('does not count in the next turn', async () => {
    const tool = fakeTool({ name: 'get_case', readOnly: true });
    const step = { toolCalls: [...same] };
    const model = fakeModel(step, { text: 'Done.' }, step, { text: 'Done.' });
    const { say } = await play([], { model, toolList: [tool], loopGuard: 1 });
    await say();
    expect(tool.runs).toHaveLength(2);
  });

  // proves configuration-6-72
  it('asks nobody where it would', async () => {
    const tool = fakeTool({ name: 'get_case' });
    const model = fakeModel({ toolCalls: [...same] }, { toolCalls: [...same] }, { text: 'Done.' });
    const { assistant } = testAssistant({ model, toolList: [tool], loopGuard: 1 });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'go' });
    const reader = readTurn(turn);
    const { actionId } = (await reader.next('confirmation-requested')).fields;
    await assistant.answerConfirmation({ actionId: String(actionId), approved: true }, anonymousPrincipal('test'));
    await turn.result;
    await reader.ended;
    expect(reader.events.filter(({ type }) => type === 'confirmation-requested')).toHaveLength(1);
    expect(tool.runs).toHaveLength(1);
  });
});
