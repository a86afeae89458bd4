import { describe, expect, it } from 'vitest';
import { testConversation, type TestConversation } from './fake-hub.ts';

/** A conversation whose second message has begun its turn. */
async function running(): Promise<TestConversation> {
  const test = testConversation();
  void test.conversation.send({ text: 'Hi' });
  await test.settled();
  test.event('TurnStarted');
  test.event('TextDelta', { text: 'Before.' });
  test.event('TurnCompleted', { status: 'completed', text: 'Before.' });
  test.calls.splice(0).forEach(({ resolve }) => {
    resolve({ turnId: 't1', status: 'completed', text: 'Before.' });
  });
  await test.settled();
  void test.conversation.send({ text: 'Go on' });
  await test.settled();
  test.event('TurnStarted', { turnId: 't2' });
  return test;
}

const told = ['user: Hi', 'reply: Before.', 'user: Go on'];

function say(test: TestConversation, ...pieces: readonly string[]): void {
  for (const text of pieces) test.event('TextDelta', { turnId: 't2', text });
}

function replace(test: TestConversation, text: string): void {
  test.event('TextReplaced', { turnId: 't2', text });
}

describe('a reply that is replaced in the widget (contract/events.md, TextReplaced)', () => {
  // proves wire-2-71
  it('that was cut off is taken back, and said anew; what other turns said stays', async () => {
    const test = await running();
    say(test, 'Half a ', 'rep');
    replace(test, '');
    expect(test.entries()).toEqual(told);
    say(test, 'The whole reply.');
    test.event('TurnCompleted', { turnId: 't2', status: 'completed', text: 'The whole reply.' });
    expect(test.entries()).toEqual([...told, 'reply: The whole reply.']);
  });

  // proves wire-2-71
  it('behind an action keeps what was said before it', async () => {
    const test = await running();
    say(test, 'I look. ');
    test.event('ActionExecuting', { turnId: 't2', callId: 'x1', title: 'Look' });
    test.event('ActionCompleted', { turnId: 't2', callId: 'x1', status: 'succeeded' });
    say(test, 'I fou');
    replace(test, 'I look. ');
    expect(test.entries()).toEqual([...told, 'reply: I look. …', 'action: Look succeeded']);
    say(test, 'Nothing.');
    expect(test.entries()).toEqual([...told, 'reply: I look. …', 'action: Look succeeded', 'reply: Nothing.…']);
  });

  // proves wire-2-71
  it('in one piece is drawn anew where it is cut, and stays as it is where it is not', async () => {
    const test = await running();
    say(test, 'First.\n\nHalf');
    const before = test.conversation.state.entries.at(-1);
    replace(test, 'First.\n\nHalf');
    expect(test.conversation.state.entries.at(-1)).toBe(before);
    replace(test, 'First.\n\n');
    expect(test.entries()).toEqual([...told, 'reply: First.\n\n…']);
    expect(test.conversation.state.entries.at(-1)?.id).not.toBe(before?.id);
    const ids = test.conversation.state.entries.map(({ id }) => id);
    say(test, 'Whole.');
    test.event('ErrorOccurred', { turnId: 't2', message: 'oops' });
    expect(test.conversation.state.entries.slice(0, ids.length).map(({ id }) => id)).toEqual(ids);
    expect(new Set(test.conversation.state.entries.map(({ id }) => id)).size).toBe(ids.length + 1);
  });

  it('by more than was shown shows it all', async () => {
    const test = await running();
    say(test, 'One');
    replace(test, 'One and two');
    expect(test.entries()).toEqual([...told, 'reply: One and two…']);
  });

  // proves wire-9-87
  it('by other words is taken back from before the actions too, and said behind them', async () => {
    const test = await running();
    say(test, 'I close it. ');
    test.event('ActionExecuting', { turnId: 't2', callId: 'x1', title: 'Look' });
    test.event('ActionCompleted', { turnId: 't2', callId: 'x1', status: 'succeeded' });
    say(test, 'It is closed.');
    replace(test, 'Nothing was changed.');
    expect(test.entries()).toEqual([...told, 'action: Look succeeded', 'reply: Nothing was changed.…']);
  });

  it('is replaced once, however often the event is delivered', async () => {
    const test = await running();
    say(test, 'Half');
    test.event('TextReplaced', { turnId: 't2', text: '' }, 3);
    say(test, 'Whole');
    test.event('TextReplaced', { turnId: 't2', text: '' }, 3);
    expect(test.entries()).toEqual([...told, 'reply: Whole…']);
  });
});
