import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../../src/core/ports/chat-model.ts';
import type { ArgumentCheck } from '../../../../src/core/tools/tool.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type ReadEvent } from '../../../support/test-assistant.ts';
import type { FakeModel } from '../../../support/fake-model.ts';
import type { Tool } from '../../../../src/core/tools/tool.ts';
import { anyone } from '../confirmations/native-process.ts';

const parameters = {
  type: 'object',
  properties: { order: { type: 'integer' }, note: { type: 'string' } },
  required: ['order'],
};

function check(value: unknown): ArgumentCheck {
  const { order, note = '' } = value as { readonly order?: unknown; readonly note?: unknown }; // an object
  const faults = [
    ...(Number.isInteger(order) ? [] : ['order: must be integer']),
    ...(typeof note === 'string' ? [] : ['note: must be string']),
  ];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: value as Readonly<Record<string, unknown>> }; // an object
}

const cancel = () => fakeTool({ name: 'cancel', parameters, checkArguments: check });
const look = () => fakeTool({ name: 'look', parameters, checkArguments: check, readOnly: true });

function results(messages: readonly ChatMessage[] = []): readonly string[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
}

/** Plays a turn whose questions are approved. */
async function play(
  model: FakeModel,
  tool: Tool,
): Promise<{ readonly events: readonly ReadEvent[]; readonly log: ReturnType<typeof testAssistant>['log'] }> {
  const { assistant, log } = testAssistant({ model, toolList: [tool] });
  const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'go' });
  const reader = readTurn(turn);
  const approving = (async () => {
    for (;;) {
      const { fields } = await reader.next('confirmation-requested');
      await assistant.answerConfirmation({ actionId: String(fields['actionId']), approved: true }, anyone);
    }
  })();
  approving.catch(() => undefined);
  await turn.result.catch(() => undefined);
  await reader.ended;
  return { events: reader.events, log };
}

function fieldsOf(events: readonly ReadEvent[], type: ReadEvent['type']): readonly ReadEvent['fields'][] {
  return events.filter((event) => event.type === type).map(({ fields }) => fields);
}

describe('a call whose arguments are nearly right (contract/plugins.md#arguments-that-are-nearly-right)', () => {
  // proves service-11-60, service-11-62
  it('is shown to its user as it will run, and is the same for the model and the log from then on', async () => {
    const tool = cancel();
    const model = fakeModel({ toolCalls: [call('cancel', { order: '1001', note: null })] }, { text: 'Done.' });
    const { events, log } = await play(model, tool);
    expect(fieldsOf(events, 'confirmation-requested')).toMatchObject([{ arguments: [{ name: 'order', value: 1001 }] }]);
    expect(tool.runs).toEqual([{ order: 1001 }]);
    expect(model.requests[1]?.messages).toContainEqual(
      expect.objectContaining({ toolCalls: [expect.objectContaining({ arguments: '{"order":1001}' })] }),
    );
    const told = log.lines.filter(({ message }) => message.includes('mended'));
    expect(told).toMatchObject([{ level: 'debug', fields: { tool: 'cancel', mended: ['order', 'note'] } }]);
    expect(JSON.stringify(told)).not.toContain('1001');
  });

  // proves service-11-62
  it('is the same call as one that was written right', async () => {
    const model = fakeModel(
      { toolCalls: [call('cancel', { order: 1 })] },
      { toolCalls: [call('cancel', { order: '1' })] },
      { text: 'Done.' },
    );
    const { events } = await play(model, cancel());
    const questions = fieldsOf(events, 'confirmation-requested');
    expect(questions).toHaveLength(2);
    expect(questions[1]).toHaveProperty('repeats');
  });
});

describe('a model that makes the same mistake again and again (contract/limits.md#repeated-calls)', () => {
  const wrong = { toolCalls: [call('look', { order: 'a' })] };

  // proves service-11-63
  it('is told to answer after the third, and is asked once more, without tools', async () => {
    const orders = ['a', 'b', 'c'].map((order) => ({ toolCalls: [call('look', { order })] }));
    const model = fakeModel(...orders, { text: 'I cannot find the order.' });
    const tool = look();
    const { events } = await play(model, tool);
    expect(fieldsOf(events, 'turn-completed')).toMatchObject([{ status: 'completed' }]);
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'auto', 'none']);
    expect(tool.runs).toEqual([]);
    const told = results(model.requests[3]?.messages);
    expect(told.map((text) => text.includes('Answer now, without tools'))).toEqual([false, false, true]);
  });

  // proves service-11-63
  it('ends the turn with tool_loop_limit where it calls a tool all the same', async () => {
    const model = fakeModel(wrong);
    const { events } = await play(model, look());
    expect(fieldsOf(events, 'turn-completed')).toMatchObject([{ status: 'failed', code: 'tool_loop_limit' }]);
    expect(model.requests).toHaveLength(4);
  });

  // proves service-11-63
  it('may make other mistakes, several in one round, and those of other tools', async () => {
    const tool = look();
    const three = ['a', 'b', 'c'].map((order) => call('look', { order }, order));
    const model = fakeModel(
      { toolCalls: three },
      wrong,
      { toolCalls: [call('look', { order: 1, note: 2 })] },
      { toolCalls: [call('lok', { order: 'a' })] },
      { toolCalls: [call('look', { order: 1 })] },
      { text: 'Found.' },
    );
    const { events } = await play(model, tool);
    expect(fieldsOf(events, 'turn-completed')).toMatchObject([{ status: 'completed' }]);
    expect(tool.runs).toEqual([{ order: 1 }]);
    expect(model.requests.every(({ toolChoice }) => toolChoice === 'auto')).toBe(true);
  });

  // proves service-11-63
  it('is asked no more than seven times where it repeats a call that runs', async () => {
    const model = fakeModel({ toolCalls: [call('look', { order: 1 })] });
    const tool = look();
    const { events } = await play(model, tool);
    expect(fieldsOf(events, 'turn-completed')).toMatchObject([{ status: 'failed', code: 'tool_loop_limit' }]);
    expect(tool.runs).toHaveLength(3);
    expect(model.requests).toHaveLength(7);
  });

  // proves service-11-63
  it('begins anew in the next turn', async () => {
    const model = fakeModel(wrong, wrong, { text: 'No.' }, wrong, wrong, { text: 'No.' });
    const { assistant } = testAssistant({ model, toolList: [look()] });
    const session = assistant.openSession({ channel: 'hub' });
    for (let turns = 0; turns < 2; turns += 1) await session.startNow({ text: 'look' }).result;
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(Array(6).fill('auto'));
  });
});
