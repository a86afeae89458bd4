import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testConversation, type TestConversation } from './fake-hub.ts';

/** A conversation with a reply that grows. */
async function running(): Promise<TestConversation> {
  const test = testConversation();
  void test.conversation.send({ text: 'Hello' });
  await test.settled();
  test.event('TurnStarted');
  test.event('TextDelta', { text: 'One' });
  return test;
}

const swept = (test: TestConversation): number =>
  test.calls.filter(({ method }) => method === 'NewConversation').length;

describe('a conversation that was put aside', () => {
  // `settled` waits for the real next turn of the event loop.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('goes on out of sight and comes back with all that happened in it', async () => {
    const test = await running();
    test.conversation.aside.begin();
    expect(test.conversation.state.isAside).toBe(true);
    vi.advanceTimersByTime(9_999);
    test.event('TextDelta', { text: ' two' });
    test.event('TurnCompleted', { status: 'completed', text: 'One two' });
    test.conversation.aside.takeBack();
    vi.advanceTimersByTime(60_000);
    expect(test.conversation.state.isAside).toBe(false);
    expect(test.entries()).toEqual(['user: Hello', 'reply: One two']);
    expect(swept(test)).toBe(0);
  });

  it('is swept after ten seconds, here and on the server', async () => {
    const test = await running();
    test.conversation.aside.begin();
    expect(swept(test)).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(swept(test)).toBe(1);
    expect(test.conversation.state).toMatchObject({ isAside: false, entries: [], turn: null });
  });

  it('is swept before the next message is sent, and once', async () => {
    const test = await running();
    test.conversation.aside.begin();
    void test.conversation.send({ text: 'New' });
    test.calls[0]?.resolve({ turnId: 't1', status: 'stopped', text: '' });
    await test.settled();
    vi.advanceTimersByTime(60_000);
    expect(test.calls.map(({ method }) => method)).toEqual(['SendMessage', 'NewConversation', 'SendMessage']);
    expect(test.entries()).toEqual(['user: New']);
  });

  it('is not swept a second time when its user changed meanwhile', async () => {
    const test = await running();
    test.conversation.aside.begin();
    test.listener.onOtherUser();
    void test.conversation.send({ text: 'Mine' });
    vi.advanceTimersByTime(60_000);
    expect(test.entries()).toEqual(['user: Mine']);
    expect(test.conversation.state.isAside).toBe(false);
  });

  it('is nothing to put aside while it is empty', () => {
    const test = testConversation();
    test.conversation.aside.begin();
    expect(test.conversation.state.isAside).toBe(false);
  });
});
