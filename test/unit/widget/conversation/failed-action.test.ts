import { describe, expect, it } from 'vitest';
import { testConversation, type TestConversation } from './fake-hub.ts';

async function running(): Promise<TestConversation> {
  const test = testConversation();
  void test.conversation.send({ text: 'Print it' });
  await test.settled();
  test.event('TurnStarted');
  return test;
}

/** An action begins, and the server says why it did not work. */
async function failing(status: 'failed' | 'unknown'): Promise<TestConversation> {
  const test = await running();
  test.event('ActionExecuting', { callId: 'x1', title: 'Print' });
  test.event('ErrorOccurred', { code: 'action_failed', message: 'No paper.', retryable: false });
  test.event('ActionCompleted', { callId: 'x1', action: 'print', status });
  return test;
}

describe('an action that did not work (contract/events.md)', () => {
  it('has its reason on its line, not in a message of its own', async () => {
    const test = await failing('failed');
    expect(test.entries()).toEqual(['user: Print it', 'action: Print failed because: No paper.']);
  });

  it('leaves the reason to the reply where that says the same', async () => {
    const test = await failing('failed');
    test.event('TextDelta', { text: 'That did not work: No paper.' });
    test.event('TurnCompleted', { status: 'completed', text: 'That did not work: No paper.' });
    expect(test.entries()).toEqual(['user: Print it', 'action: Print failed', 'reply: That did not work: No paper.']);
  });

  it('keeps the reason where the reply says something else, in a later turn too', async () => {
    const test = await failing('failed');
    test.event('TurnCompleted', { status: 'completed', text: 'Sorry.' });
    test.calls[0]?.resolve({ turnId: 't1', status: 'completed', text: 'Sorry.' });
    await test.settled();
    void test.conversation.send({ text: 'Why?' });
    await test.settled();
    test.event('TurnStarted', { turnId: 't2' });
    test.event('TurnCompleted', { turnId: 't2', status: 'completed', text: 'No paper.' });
    expect(test.entries()[1]).toBe('action: Print failed because: No paper.');
  });

  it('says once that it is unclear what happened', async () => {
    const test = await failing('unknown');
    expect(test.entries()).toEqual(['user: Print it', 'action: Print unknown']);
  });

  it('without feedback lines has its reason as a message, unless the reply says it', async () => {
    const test = await running();
    test.event('ErrorOccurred', { code: 'action_failed', message: 'No paper.', retryable: false });
    expect(test.entries()).toEqual(['user: Print it', 'notice: No paper.']);
    test.event('TurnCompleted', { status: 'completed', text: 'No paper.' });
    expect(test.entries()).toEqual(['user: Print it', 'reply: No paper.']);
  });

  // proves wire-11-71
  it('that nobody could be asked about is told once, also where that is told before its place', async () => {
    const test = await running();
    const unstored = { code: 'question_not_stored', message: 'You could not be asked.', retryable: true };
    test.event('TextDelta', { text: 'One moment.' });
    test.event('ErrorOccurred', { ...unstored, seq: 2 });
    expect(test.entries()).toEqual(['user: Print it', 'reply: One moment.…', 'notice: You could not be asked.']);
    test.event('ErrorOccurred', { ...unstored, seq: 2 });
    test.event('ErrorOccurred', { ...unstored, seq: 3 });
    test.event('TextDelta', { text: 'Sorry.', seq: 4 });
    test.event('TextDelta', { text: 'Sorry.', seq: 4 });
    expect(test.entries().slice(2)).toEqual(['notice: You could not be asked.', 'reply: Sorry.…']);
  });

  it('a refused one is told with its title and its reason (contract/identity.md#roles)', async () => {
    const test = await running();
    const told = { title: 'Close the books', message: 'This needs the role Accountant.' };
    test.event('ActionCompleted', { callId: 'x1', action: 'close_books', status: 'refused', ...told });
    expect(test.entries()).toEqual([
      'user: Print it',
      'action: Close the books refused because: This needs the role Accountant.',
    ]);
  });
});
