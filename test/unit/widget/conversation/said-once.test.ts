import { describe, expect, it } from 'vitest';
import { testConversation, type TestConversation } from './fake-hub.ts';

const refund = { actionId: 'a1', callId: 'x1', action: 'refund', title: 'Refund', arguments: [] };

/** A question stands in a turn that runs. */
async function asked(): Promise<TestConversation> {
  const test = testConversation();
  void test.conversation.send({ text: 'Refund it' });
  await test.settled();
  test.event('TurnStarted');
  test.event('ConfirmationRequested', refund);
  return test;
}

async function approved(): Promise<TestConversation> {
  const test = await asked();
  await test.conversation.answer('a1', true);
  test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'approved', by: 'user' });
  return test;
}

describe('an action that was asked about (contract/events.md)', () => {
  it('runs and ends in the line of its question', async () => {
    const test = await approved();
    const line = (): string | undefined => test.entries()[1];
    test.event('ActionExecuting', { callId: 'x1', title: 'Refund' });
    expect(line()).toBe('confirmation: a1 approved, running');
    test.event('ActionProgress', { callId: 'x1', text: 'Asking the bank' });
    expect(line()).toBe('confirmation: a1 approved, running (Asking the bank)');
    test.event('ActionCompleted', { callId: 'x1', action: 'refund', status: 'succeeded' });
    expect(line()).toBe('confirmation: a1 approved, succeeded (Asking the bank)');
    expect(test.entries()).toHaveLength(2);
  });

  it('has its failure there, in one message', async () => {
    const test = await approved();
    test.event('ActionExecuting', { callId: 'x1', title: 'Refund' });
    test.event('ErrorOccurred', { code: 'action_failed', message: 'No money.', retryable: false });
    test.event('ActionCompleted', { callId: 'x1', action: 'refund', status: 'failed' });
    expect(test.entries()).toEqual(['user: Refund it', 'confirmation: a1 approved, failed because: No money.']);
    test.event('TurnCompleted', { status: 'completed', text: 'That failed: No money.' });
    expect(test.entries().slice(1)).toEqual(['confirmation: a1 approved, failed', 'reply: That failed: No money.']);
  });

  it('is told apart by its call from others of the same action', async () => {
    const test = await approved();
    test.event('ConfirmationRequested', { ...refund, actionId: 'a2', callId: 'x2' });
    test.event('ActionExecuting', { callId: 'x1', title: 'Refund' });
    test.event('ConfirmationResolved', { actionId: 'a2', outcome: 'approved', by: 'user' });
    test.event('ActionExecuting', { callId: 'x2', title: 'Refund' });
    test.event('ActionExecuting', { callId: 'x3', title: 'Refund' });
    test.event('ActionCompleted', { callId: 'x2', action: 'refund', status: 'succeeded' });
    expect(test.entries().slice(1)).toEqual([
      'confirmation: a1 approved, running',
      'confirmation: a2 approved, succeeded',
      'action: Refund running',
    ]);
  });

  it('answered in another tab, runs in the line that stood here as well', async () => {
    const test = await asked();
    test.server.approve = 'gone';
    await test.conversation.answer('a1', true);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'approved', by: 'user' });
    test.event('ActionExecuting', { callId: 'x1', title: 'Refund' });
    test.event('ActionCompleted', { callId: 'x1', action: 'refund', status: 'succeeded' });
    expect(test.entries().slice(1)).toEqual(['confirmation: a1 approved, succeeded']);
  });

  it('declined, has no second line', async () => {
    const test = await asked();
    await test.conversation.answer('a1', false);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'declined', by: 'user' });
    test.event('ActionCompleted', { callId: 'x1', action: 'refund', status: 'declined' });
    expect(test.entries().slice(1)).toEqual(['confirmation: a1 declined']);
  });

  it.each([
    ['before it was told to run', false],
    ['while it ran', true],
  ])('is unclear when the server has lost its turn %s', async (_title, isRunning) => {
    const test = await approved();
    if (isRunning) test.event('ActionExecuting', { callId: 'x1', title: 'Refund' });
    test.drop();
    test.restore();
    await test.settled();
    test.calls.find(({ method }) => method === 'Resume')?.resolve(null);
    await test.settled();
    expect(test.entries()[1]).toBe('confirmation: a1 approved, unknown');
  });
});
