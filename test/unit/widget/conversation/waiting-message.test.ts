import { describe, expect, it } from 'vitest';
import { waitsForConnection } from '../../../../src/widget/conversation/conversation-state.ts';
import { testConversation, type TestConversation } from './fake-hub.ts';

/** A conversation whose first message has begun its turn. */
async function running(): Promise<TestConversation & { sent: Promise<void> }> {
  const test = testConversation();
  const sent = test.conversation.send({ text: 'Hello' });
  await test.settled();
  test.event('TurnStarted');
  return { ...test, sent };
}

describe('a message while the connection is away (contract/hub.md#side-by-side)', () => {
  /** A conversation that has had its first answer. */
  async function answered(): Promise<TestConversation> {
    const test = await running();
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    test.calls[0]?.resolve({ turnId: 't1', status: 'completed', text: 'Hi.' });
    await test.sent;
    return test;
  }

  it('waits, says so, and is sent as soon as the connection is back', async () => {
    const test = await answered();
    test.drop();
    void test.conversation.send({ text: 'And now?' });
    await test.settled();
    expect(waitsForConnection(test.conversation.state)).toBe(true);
    expect(test.calls).toEqual([]);
    test.restore();
    // First the server is told which conversation continues.
    await test.settled();
    expect(test.calls.map(({ method }) => method)).toEqual(['Resume']);
    test.calls[0]?.resolve(null);
    await test.settled();
    expect(test.calls.at(-1)).toMatchObject({
      method: 'SendMessage',
      values: ['And now?', { page: { name: 'Orders' } }],
    });
    expect(waitsForConnection(test.conversation.state)).toBe(false);
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi.', 'user: And now?']);
  });

  it('waits on when the connection is lost again before it was sent', async () => {
    const test = await answered();
    test.drop();
    void test.conversation.send({ text: 'And now?' });
    await test.settled();
    test.restore();
    test.drop();
    await test.settled();
    expect(test.calls).toEqual([]);
    test.restore('k3');
    test.calls[0]?.resolve(null);
    await test.settled();
    expect(test.calls.map(({ method }) => method)).toEqual(['Resume', 'SendMessage']);
    expect(test.entries().at(-1)).toBe('user: And now?');
  });

  it('is not sent after Stop', async () => {
    const test = await answered();
    test.drop();
    const sent = test.conversation.send({ text: 'And now?' });
    await test.settled();
    await test.conversation.stop();
    await sent;
    test.restore();
    test.calls[0]?.resolve(null);
    await test.settled();
    expect(test.calls.map(({ method }) => method)).toEqual(['Resume']);
    expect(test.entries().at(-1)).toBe('notice: stopped');
  });

  it('a line that comes back to its connection says so, and stops what was to stop meanwhile', async () => {
    const test = await running();
    test.interrupt();
    expect(test.conversation.state.connection).toBe('reconnecting');
    await test.conversation.stop();
    expect(test.cancelled).toEqual([]);
    test.bridge();
    await test.settled();
    expect(test.conversation.state.connection).toBe('connected');
    expect(test.cancelled).toEqual(['k1']);
    expect(test.calls.map(({ method }) => method)).toEqual(['SendMessage']);
  });

  it('a new conversation that begins while the line is away begins on the server, too', async () => {
    const test = await answered();
    test.interrupt();
    void test.conversation.newConversation();
    expect(test.calls.at(-1)?.method).toBe('NewConversation');
  });
});

describe('a message behind a running turn', () => {
  it('is kept for the next page until it is said', async () => {
    const test = await running();
    void test.conversation.send({ text: 'First' });
    void test.conversation.send({ text: 'Second' });
    expect(Array.from(test.conversation.waiting, ({ text }) => text)).toEqual(['First', 'Second']);
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    await test.settled();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi.', 'user: First']);
    expect(Array.from(test.conversation.waiting, ({ text }) => text)).toEqual(['Second']);
  });

  it('is not said in a new conversation', async () => {
    const test = await running();
    const waiting = test.conversation.send({ text: 'And then?' });
    void test.conversation.newConversation();
    await Promise.all([test.sent, waiting]);
    expect(Array.from(test.conversation.waiting, ({ text }) => text)).toEqual([]);
    expect(test.entries()).toEqual([]);
    expect(test.calls.map(({ method }) => method)).toEqual(['SendMessage', 'NewConversation']);
  });

  it('is not said in one that was put aside', async () => {
    const test = await running();
    const waiting = test.conversation.send({ text: 'And then?' });
    test.conversation.aside.begin();
    expect(Array.from(test.conversation.waiting, ({ text }) => text)).toEqual([]);
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    await waiting;
    test.conversation.aside.takeBack();
    await test.settled();
    test.conversation.aside.end();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi.']);
  });
});

describe('a connection that is lost (contract/replicas.md#deploying)', () => {
  // proves wire-10-89
  it('is hurried back while a reply is awaited, and only then', async () => {
    const test = testConversation();
    expect(test.listener.isAwaiting()).toBe(false);
    const sent = test.conversation.send({ text: 'Hello' });
    expect(test.listener.isAwaiting()).toBe(true);
    await test.settled();
    test.event('TurnStarted');
    test.drop();
    expect(test.listener.isAwaiting()).toBe(true);
    test.restore();
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    await sent;
    expect(test.listener.isAwaiting()).toBe(false);
  });
});
