import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../../../src/wire/hub-events.ts';
import { testConversation, type TestConversation } from './fake-hub.ts';

const receipt = (callId: string, title: string, status: Receipt['status']): Receipt => ({
  callId,
  action: 'x',
  title,
  status,
  at: '2026-11-24T09:30:00Z',
});

async function running(): Promise<TestConversation> {
  const test = testConversation();
  void test.conversation.send({ text: 'Do it' });
  await test.settled();
  test.event('TurnStarted');
  return test;
}

const end = (test: TestConversation, receipts: readonly Receipt[]): void => {
  test.event('TurnCompleted', { status: 'completed', text: '', receipts });
};

describe('receipts in the conversation (contract/widget.md#receipts)', () => {
  // proves wire-9-84
  it('of calls without a line are listed below the reply, in their order', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'All done.' });
    end(test, [receipt('x1', 'Close', 'failed'), receipt('x2', 'Pay', 'unknown')]);
    expect(test.entries()).toEqual(['user: Do it', 'reply: All done.', 'receipts: Close failed, Pay unknown']);
  });

  // proves wire-9-85
  it('that the line of the call says already are not listed', async () => {
    const test = await running();
    test.event('ActionExecuting', { callId: 'x1', title: 'Close' });
    test.event('ActionCompleted', { callId: 'x1', status: 'failed' });
    test.event('TextDelta', { text: 'Closed.' });
    end(test, [receipt('x1', 'Close', 'failed'), receipt('x2', 'Pay', 'succeeded')]);
    expect(test.entries()).toEqual([
      'user: Do it',
      'action: Close failed',
      'reply: Closed.',
      'receipts: Pay succeeded',
    ]);
  });

  // proves wire-9-85
  it('correct the line of a call that says otherwise, or nothing', async () => {
    const test = await running();
    test.event('ActionExecuting', { callId: 'x1', title: 'Close' });
    test.event('ActionExecuting', { callId: 'x2', title: 'Pay' });
    test.event('ActionCompleted', { callId: 'x2', status: 'succeeded' });
    end(test, [receipt('x1', 'Close', 'succeeded'), receipt('x2', 'Pay', 'unknown')]);
    expect(test.entries()).toEqual(['user: Do it', 'action: Close succeeded', 'action: Pay unknown']);
  });

  // proves wire-9-85
  it('say in the box of an approved question what became of it, also without events of actions', async () => {
    const test = await running();
    test.event('ConfirmationRequested', { actionId: 'a1', callId: 'x1', title: 'Pay', arguments: [] });
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'approved', by: 'user' });
    test.event('ConfirmationRequested', { actionId: 'a2', callId: 'x2', title: 'Ship', arguments: [] });
    test.event('ConfirmationResolved', { actionId: 'a2', outcome: 'declined', by: 'user' });
    end(test, [receipt('x1', 'Pay', 'failed'), receipt('x2', 'Ship', 'declined')]);
    expect(test.entries()).toEqual(['user: Do it', 'confirmation: a1 approved, failed', 'confirmation: a2 declined']);
  });
});
