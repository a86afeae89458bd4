import { describe, expect, it } from 'vitest';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import type { ChatReducer } from '../../../../src/core/ports/chat-reducer.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';
import { anyone, idOf, run } from '../confirmations/native-process.ts';

const history = (reduce: ChatReducer['reduce']) => ({
  estimates: new TokenEstimates(tokenxCounter),
  reducer: { name: 'mine', timeoutMs: 5000, reduce },
});
/** Keeps the first turn, which has two messages. */
const firstTurn = () => Promise.resolve([0, 1]);

function open(reduce: ChatReducer['reduce'], maxSessionMessages = 50) {
  const model = fakeModel({ text: 'ok' });
  const test = testAssistant({ model, history: history(reduce), maxSessionMessages });
  const session = test.assistant.openSession({ channel: 'hub' });
  const say = async (...texts: readonly string[]) => {
    for (const text of texts) await session.startNow({ text }).result;
    return model.requests.at(-1)?.messages.map((message) => message.text);
  };
  return { ...test, session, say };
}

describe('a reducer (contract/sessions.md#a-reducer-of-your-own)', () => {
  // proves service-2.9-40
  it('decides what is kept and sent, in place of maxSessionMessages', async () => {
    const { say, session } = open((messages) => Promise.resolve(messages.length === 0 ? [] : [0, 1]), 2);
    expect(await say('one', 'two', 'three')).toEqual(['one', 'ok', 'three']);
    expect(session.transcript.map(({ message }) => message.text)).toEqual(['one', 'ok', 'three', 'ok']);
    expect(session.transcript.every(({ at }) => at > 0)).toBe(true);
  });

  it('is not asked about an empty conversation', async () => {
    let asked = 0;
    const { say } = open((messages) => {
      asked += 1;
      return Promise.resolve([...messages.keys()]);
    });
    expect(await say('one')).toEqual(['one']);
    expect(asked).toBe(0);
  });

  // proves service-2.9-43
  it('that cannot be followed leaves it to maxSessionMessages', async () => {
    const { say, log } = open(() => Promise.resolve([-1]), 2);
    expect(await say('one', 'two', 'three')).toEqual(['two', 'ok', 'three']);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });

  // proves service-2.9-44
  it('is asked once for a turn that goes on after a restart', async () => {
    const kept = memoryStores();
    const tool = fakeTool();
    const toolCalls = [call('close_case', { caseId: 42 })];
    const model = fakeModel({ text: 'ok' }, { text: 'ok' }, { toolCalls });
    const first = run(kept, { toolList: [tool], model, history: history(firstTurn) });
    await first.assistant.takeUpTurns();
    const session = first.assistant.openSession({ channel: 'hub' });
    for (const text of ['one', 'two']) await session.startNow({ text }).result;
    const turn = session.startNow({ text: 'close case 42' });
    const actionId = idOf(await readTurn(turn).next('confirmation-requested'));
    const after = fakeModel({ text: 'Closed.' });
    const next = run(kept, {
      toolList: [tool],
      model: after,
      history: history(() => Promise.reject(new Error('asked'))),
    });
    await next.assistant.takeUpTurns();
    const resumed = await next.assistant.findTurn(turn.id, anyone);
    await next.answer(actionId);
    await resumed?.result;
    expect(after.requests[0]?.messages.slice(0, 3).map(({ text }) => text)).toEqual(['one', 'ok', 'close case 42']);
    expect(next.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});
