import { describe, expect, it } from 'vitest';
import { AnswerRefusal } from '../../../../src/widget/transport/control-requests.ts';
import { HubRefusal } from '../../../../src/widget/transport/hub-port.ts';
import { TokenFault } from '../../../../src/widget/transport/page-token.ts';
import { testConversation, type TestConversation } from './fake-hub.ts';

const question = { actionId: 'a1', callId: 'x1', action: 'cancel_order', title: 'Cancel', arguments: [] };

/** The action of the page in these tests. `scrolled` records its calls. */
const scrolled: unknown[] = [];
const scroll = {
  description: 'Scrolls up.',
  parameters: { type: 'object' },
  handler: (values: unknown): void => void scrolled.push(values),
};

/** A conversation whose first message has begun its turn. */
async function running(text = 'Hello'): Promise<TestConversation & { sent: Promise<void> }> {
  const test = testConversation();
  const sent = test.conversation.send({ text });
  await test.settled();
  test.event('TurnStarted');
  return { ...test, sent };
}

describe('a turn in the widget (contract/events.md)', () => {
  // proves wire-21-20
  it('is sent with the page and its language, streams, and is complete at its end', async () => {
    const test = await running();
    const options = { page: { name: 'Orders' }, locale: 'de' };
    expect(test.calls[0]).toMatchObject({ method: 'SendMessage', values: ['Hello', options] });
    test.event('TextDelta', { text: 'Hi ' });
    test.event('TextDelta', { text: 'there' });
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi there…']);
    test.event('TurnCompleted', { status: 'completed', text: 'Hi there' });
    await test.sent;
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi there']);
    expect(test.conversation.state.turn).toBeNull();
  });

  it('shows actions, cards and questions in the order they come', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'First ' });
    test.event('ConfirmationRequested', question);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'approved' });
    test.event('ActionExecuting', { callId: 'x1', title: 'Cancel' });
    test.event('ActionProgress', { callId: 'x1', text: 'half' });
    expect(test.entries()).toContain('confirmation: a1 approved, running (half)');
    test.event('CardReady', { cardId: 'card1', card: {} });
    test.event('NavigationRequested', { url: '/orders', title: 'Orders' });
    test.event('ActionCompleted', { callId: 'x1', status: 'succeeded' });
    test.event('TextDelta', { text: 'then' });
    test.event('TurnCompleted', { status: 'completed', text: 'First then' });
    expect(test.entries()).toEqual([
      'user: Hello',
      'reply: First ',
      'confirmation: a1 approved, succeeded (half)',
      'card: card1',
      'navigation: /orders open',
      'reply: then',
    ]);
  });

  it('tells the server what the page can do, before each message and on each new connection (contract/hub.md)', async () => {
    const { handler: _handler, ...offer } = { ...scroll, readOnly: false };
    const test = testConversation();
    test.pageActions.register('scroll_up', scroll);
    void test.conversation.send({ text: 'Up' });
    await test.settled();
    const offered = { method: 'SetPage', values: [{ name: 'Orders', actions: [{ name: 'scroll_up', ...offer }] }] };
    expect(test.calls).toMatchObject([offered, { method: 'SendMessage' }]);
    test.event('TurnStarted');
    test.drop();
    test.restore();
    expect(test.calls).toMatchObject([offered, { method: 'Resume' }]);
    test.pageActions.register('scroll_up', null);
    test.restore();
    expect(test.calls.at(-2)).toMatchObject({ method: 'SetPage', values: [{ name: 'Orders', actions: [] }] });
  });

  it('tells the page why the server does not take what it offers (contract/hub.md)', async () => {
    const test = testConversation();
    test.pageActions.register('Scroll', scroll);
    void test.conversation.send({ text: 'Up' });
    await test.settled();
    test.calls[0]?.reject(new Error('HubException: page.actions[0].name must match'));
    await test.settled();
    expect(test.refused).toEqual(['Error: HubException: page.actions[0].name must match']);
  });

  it('runs what the page has registered and nothing else (contract/hub.md)', async () => {
    const { listener, pageActions } = testConversation();
    const ask = (name: string) => listener.onUiAction({ turnId: 't1', callId: 'x1', name, arguments: { by: 3 } });
    pageActions.register('scroll_up', scroll);
    pageActions.register('later', { ...scroll, handler: () => Promise.resolve({ done: true }) });
    await expect(ask('scroll_up')).resolves.toBeNull();
    expect(scrolled).toEqual([{ by: 3 }]);
    await expect(ask('later')).resolves.toEqual({ done: true });
    pageActions.register('later', null);
    await expect(ask('later')).rejects.toThrow('does not offer');
    await expect(ask('constructor')).rejects.toThrow('does not offer');
    expect(() => {
      pageActions.register('wrong', { description: 'No handler.', parameters: {} } as never);
    }).toThrow(TypeError);
  });

  it('a declined call has no line of its own beside its question', async () => {
    const test = await running();
    test.event('ConfirmationRequested', question);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'declined' });
    test.event('ActionCompleted', { callId: 'x1', action: 'cancel_order', status: 'declined' });
    expect(test.entries()).toEqual(['user: Hello', 'confirmation: a1 declined']);
  });

  it('a refused call is told although it never ran', async () => {
    const test = await running();
    test.event('ActionCompleted', { callId: 'x1', action: 'issue_refund', status: 'refused' });
    expect(test.entries()).toEqual(['user: Hello', 'action: issue refund refused']);
  });

  it('takes each event once and none of another turn', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'a' }, 2);
    test.event('TextDelta', { text: 'a' }, 2);
    test.event('TextDelta', { text: 'b', turnId: 'other' }, 3);
    expect(test.entries()).toEqual(['user: Hello', 'reply: a…']);
  });

  it('shows the text of a turn whose deltas never came', async () => {
    const test = await running();
    test.event('TurnCompleted', { status: 'completed', text: 'All of it' });
    expect(test.entries()).toEqual(['user: Hello', 'reply: All of it']);
  });

  it('shows the server’s words for an error, and Retry when it says that may help', async () => {
    const test = await running();
    test.event('ErrorOccurred', { code: 'model_unavailable', message: 'Not now.', retryable: true });
    test.event('TurnCompleted', { status: 'failed', text: '' });
    expect(test.entries()).toEqual(['user: Hello', 'notice: Not now. (retry)']);
  });

  it('gives a refused message back to the composer', async () => {
    const test = await running('far too long');
    test.event('ErrorOccurred', { code: 'message_too_long', message: 'Too long.', retryable: false });
    test.event('TurnCompleted', { status: 'refused', text: '' });
    test.calls[0]?.resolve({ turnId: 't1', status: 'refused', text: '', code: 'message_too_long' });
    await test.sent;
    await test.settled();
    expect(test.returned).toEqual(['far too long']);
  });

  it('a second message waits for the first', async () => {
    const test = await running();
    const second = test.conversation.send({ text: 'Second' });
    expect(test.entries()).toEqual(['user: Hello']);
    test.event('TurnCompleted', { status: 'completed', text: 'One' });
    test.calls[0]?.resolve({ turnId: 't1', status: 'completed', text: 'One' });
    await test.settled();
    expect(test.calls.map(({ values }) => values[0])).toEqual(['Hello', 'Second']);
    test.event('TurnStarted', { turnId: 't2' });
    test.event('TurnCompleted', { status: 'completed', text: 'Two', turnId: 't2' });
    await second;
    expect(test.entries().at(-1)).toBe('reply: Two');
  });

  it('says so when the server no longer knows what stands above', async () => {
    const test = await running();
    test.event('TurnCompleted', { status: 'completed', text: 'One' });
    test.calls[0]?.resolve({ turnId: 't1', status: 'completed', text: 'One' });
    void test.conversation.send({ text: 'Again' });
    await test.settled();
    test.event('TurnStarted', { turnId: 't2', conversationId: 'c2' });
    expect(test.entries()).toEqual(['user: Hello', 'reply: One', 'notice: forgotten', 'user: Again']);
  });
});

describe('answering (contract/confirmations.md#answering)', () => {
  it('sends the answer once and keeps the outcome', async () => {
    const test = await running();
    test.event('ConfirmationRequested', question);
    const answered = test.conversation.answer('a1', true);
    void test.conversation.answer('a1', false);
    expect(test.entries().at(-1)).toBe('confirmation: a1 approved');
    await answered;
    expect(test.answers).toEqual([{ actionId: 'a1', approved: true }]);
    await test.conversation.answer('a1', false);
    expect(test.answers).toHaveLength(1);
  });

  it('says when there was nothing left to answer', async () => {
    const test = await running();
    test.server.approve = 'gone';
    test.event('ConfirmationRequested', question);
    await test.conversation.answer('a1', true);
    expect(test.entries().at(-1)).toBe('confirmation: a1 gone');
  });

  it('can be repeated when the answer did not arrive', async () => {
    const test = await running();
    test.server.approve = new Error('offline');
    test.event('ConfirmationRequested', question);
    await test.conversation.answer('a1', true);
    expect(test.entries().at(-1)).toBe('confirmation: a1 failed');
    test.server.approve = 'approved';
    await test.conversation.answer('a1', true);
    expect(test.entries().at(-1)).toBe('confirmation: a1 approved');
  });

  it('goes with what the user changed and remembered, and with nothing else (contract/confirmations.md#rules-in-place-of-the-user)', async () => {
    const test = await running();
    test.event('ConfirmationRequested', question);
    await test.conversation.answer('a1', true, { remember: true, arguments: { n: 2 } });
    expect(test.answers).toEqual([{ actionId: 'a1', approved: true, remember: true, arguments: { n: 2 } }]);
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ outcome: 'approved', by: 'me', edited: { n: 2 } });
  });

  it.each([
    [
      'the server’s own words',
      new AnswerRefusal('amount must be >= 0'),
      { type: 'refused', detail: 'amount must be >= 0' },
    ],
    ['that nobody is signed in', new AnswerRefusal(null), { type: 'signed-out' }],
    ['that the page has no token', new TokenFault('late'), { type: 'signed-out' }],
    ['that it was not sent', new TypeError('offline'), { type: 'unsent' }],
  ])('that is refused leaves the question open and tells %s', async (_title, fault, failure) => {
    const test = await running();
    test.server.approve = fault;
    test.event('ConfirmationRequested', question);
    await test.conversation.answer('a1', true, { arguments: { n: -1 } });
    const unanswered = { outcome: null, answering: null, failure, edited: null };
    expect(test.conversation.state.entries.at(-1)).toMatchObject(unanswered);
    test.server.approve = 'approved';
    await test.conversation.answer('a1', true, { arguments: { n: 1 } });
    expect(test.conversation.state.entries.at(-1)).toMatchObject({
      outcome: 'approved',
      failure: null,
      edited: { n: 1 },
    });
  });

  it.each([
    ['approved', 'user'],
    ['declined', 'user'],
    ['approved', 'rule'],
    ['expired', 'system'],
  ] as const)('that was given elsewhere is not taken for one’s own: %s by %s', async (outcome, by) => {
    const test = await running();
    test.event('ConfirmationRequested', question);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome, by });
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ outcome, by });
    await test.conversation.answer('a1', true);
    expect(test.answers).toEqual([]);
  });

  it('is one’s own whether the event or the reply of the server comes first', async () => {
    const test = await running();
    test.event('ConfirmationRequested', question);
    const answered = test.conversation.answer('a1', false);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'declined', by: 'user' });
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ outcome: 'declined', by: 'me' });
    await answered;
    test.event('ConfirmationRequested', { ...question, actionId: 'a2' });
    await test.conversation.answer('a2', true);
    test.event('ConfirmationResolved', { actionId: 'a2', outcome: 'approved', by: 'user' });
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ outcome: 'approved', by: 'me' });
  });

  it.each([{}, { arguments: { n: 3 } }])('that lost elsewhere claims nothing but what runs: %o', async (told) => {
    const test = await running();
    test.server.approve = 'gone';
    test.event('ConfirmationRequested', question);
    const answered = test.conversation.answer('a1', true, { arguments: { n: 2 } });
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'approved', by: 'user', ...told });
    await answered;
    expect(test.conversation.state.entries.at(-1)).toMatchObject({
      outcome: 'approved',
      by: 'user',
      edited: told.arguments ?? null,
    });
  });

  it('an open question ends with its turn', async () => {
    const test = await running();
    test.event('ConfirmationRequested', question);
    test.event('TurnCompleted', { status: 'stopped', text: '' });
    expect(test.entries()).toEqual(['user: Hello', 'confirmation: a1 cancelled', 'notice: stopped']);
  });
});

describe('Stop (contract/confirmations.md#stop)', () => {
  it('names the connection, and the reply says that it was stopped', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'Half' });
    await test.conversation.stop();
    await test.conversation.stop();
    expect(test.cancelled).toEqual(['k1']);
    test.event('TurnCompleted', { status: 'stopped', text: 'Half' });
    expect(test.entries()).toEqual(['user: Hello', 'reply: Half (stopped)']);
  });

  it('can be repeated when it did not arrive', async () => {
    const test = await running();
    test.server.cancel = new Error('offline');
    await test.conversation.stop();
    expect(test.entries().at(-1)).toBe('notice: stop-failed');
    test.server.cancel = null;
    await test.conversation.stop();
    expect(test.cancelled).toEqual(['k1', 'k1']);
  });

  it('ends a message that was never sent', async () => {
    const test = testConversation();
    const sent = test.conversation.send({ text: 'Hello' });
    await test.conversation.stop();
    await sent;
    await test.settled();
    expect(test.calls).toEqual([]);
    expect(test.entries()).toEqual(['user: Hello', 'notice: stopped']);
  });
});

describe('a new conversation', () => {
  it('empties the transcript, and what the old turn still sends is not heard', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'Old' });
    const renewed = test.conversation.newConversation();
    test.calls[1]?.resolve({ conversationId: 'c2' });
    await renewed;
    const sent = test.conversation.send({ text: 'New' });
    await test.settled();
    test.event('TextDelta', { text: 'late' }, 3);
    test.event('TurnCompleted', { status: 'stopped', text: 'Old late' }, 4);
    test.calls[0]?.resolve({ turnId: 't1', status: 'stopped', text: '' });
    await test.settled();
    test.event('TurnStarted', { turnId: 't2', conversationId: 'c2' });
    test.event('TurnCompleted', { status: 'completed', text: 'Fresh', turnId: 't2' });
    await sent;
    expect(test.entries()).toEqual(['user: New', 'reply: Fresh']);
  });
});

describe('a lost connection (contract/hub.md)', () => {
  it('a running turn goes on where it was', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'One ' });
    test.drop();
    expect(test.conversation.state.connection).toBe('reconnecting');
    test.restore();
    expect(test.calls[0]).toMatchObject({ method: 'Resume', values: [{ turnId: 't1', afterSeq: 2 }] });
    test.calls[0]?.resolve({ turnId: 't1', lastSeq: 4, running: true });
    test.event('TextDelta', { text: 'One ' }, 2);
    test.event('TextDelta', { text: 'two' }, 3);
    test.event('TurnCompleted', { status: 'completed', text: 'One two' });
    await test.sent;
    expect(test.entries()).toEqual(['user: Hello', 'reply: One two']);
    expect(test.conversation.state.connection).toBe('connected');
  });

  it('between two turns takes the conversation along, by the turn that ended last', async () => {
    const test = await running();
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    await test.sent;
    test.drop();
    test.restore();
    expect(test.calls.at(-1)).toMatchObject({ method: 'Resume', values: [{ turnId: 't1', afterSeq: 2 }] });
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi.']);
  });

  it('after a new conversation takes nothing along', async () => {
    const test = await running();
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    await test.sent;
    const cleared = test.conversation.newConversation();
    test.calls.at(-1)?.resolve({ conversationId: 'c2' });
    await cleared;
    test.drop();
    test.restore();
    expect(test.calls.filter(({ method }) => method === 'Resume')).toEqual([]);
  });

  it('a question that is sent again stays one box', async () => {
    const test = await running();
    test.event('ConfirmationRequested', question, 2);
    test.drop();
    test.restore();
    test.calls[0]?.resolve({ turnId: 't1', lastSeq: 3, running: true });
    test.event('ConfirmationRequested', question, 3);
    expect(test.entries()).toEqual(['user: Hello', 'confirmation: a1 open']);
  });

  it('a turn that the server no longer has is interrupted and can be asked again', async () => {
    const test = await running();
    test.event('TextDelta', { text: 'Half' });
    test.event('ActionExecuting', { callId: 'x2', title: 'Refund' });
    test.event('ConfirmationRequested', question);
    test.drop();
    test.restore();
    test.calls[0]?.resolve(null);
    await test.sent;
    expect(test.entries()).toEqual([
      'user: Hello',
      'reply: Half (interrupted)',
      'action: Refund unknown',
      'confirmation: a1 gone',
      'notice: interrupted (retry)',
    ]);
  });

  it('a message of which nobody knows whether it arrived is never sent twice by itself', async () => {
    const test = testConversation();
    const sent = test.conversation.send({ text: 'Pay' });
    await test.settled();
    test.drop();
    test.restore();
    await sent;
    expect(test.calls).toEqual([]);
    expect(test.entries()).toEqual(['user: Pay', 'notice: interrupted (retry)']);
  });

  it('a Stop that was pressed meanwhile is carried out', async () => {
    const test = await running();
    test.drop();
    await test.conversation.stop();
    test.restore('k2');
    test.calls[0]?.resolve({ turnId: 't1', lastSeq: 1, running: true });
    await test.settled();
    expect(test.cancelled).toEqual(['k2']);
  });

  it('a connection that does not come back ends the turn', async () => {
    const test = await running();
    test.listener.onClosed(null);
    await test.sent;
    expect(test.conversation.state.connection).toBe('lost');
    expect(test.entries()).toEqual(['user: Hello', 'notice: interrupted (retry)']);
  });

  it('a server that cannot be reached leaves the question to be sent again', async () => {
    const test = testConversation();
    test.server.connect = new Error('no route');
    await test.conversation.send({ text: 'Hello' });
    expect(test.entries()).toEqual(['user: Hello', 'notice: unreachable (retry)']);
  });

  it('a server that refuses is not asked again', async () => {
    const test = testConversation();
    test.server.connect = new HubRefusal('forbidden', null);
    await test.conversation.send({ text: 'Hello' });
    expect(test.entries()).toEqual(['user: Hello', 'notice: forbidden']);
  });
});

describe('who is signed in (contract/widget.md#who-is-signed-in, contract/identity.md)', () => {
  it('a token that is not accepted is told, and the question can be asked again', async () => {
    const test = testConversation();
    test.server.connect = new HubRefusal('signed-out', null);
    await test.conversation.send({ text: 'Hello' });
    expect(test.entries()).toEqual(['user: Hello', 'notice: signed-out (retry)']);
  });

  it('a connection that ends because nobody is signed in any more says so', async () => {
    const test = await running();
    test.listener.onClosed('signed-out');
    await test.sent;
    expect(test.entries()).toEqual(['user: Hello', 'notice: interrupted (retry)', 'notice: signed-out']);
  });

  // proves wire-9-01
  it('another user begins with an empty conversation, in the middle of a turn too', async () => {
    const test = await running('My salary');
    test.event('TextDelta', { text: 'It is' });
    test.event('ConfirmationRequested', question);
    const waiting = test.conversation.send({ text: 'And my bonus' });
    test.drop();
    test.listener.onOtherUser();
    test.restore();
    await Promise.all([test.sent, waiting]);
    expect(test.entries()).toEqual([]);
    expect(test.calls.filter(({ method }) => method !== 'SendMessage')).toEqual([]);
    test.event('TextDelta', { text: ' late' }, 9);
    void test.conversation.send({ text: 'I am new' });
    await test.settled();
    expect(test.entries()).toEqual(['user: I am new']);
    expect(test.calls.map(({ values }) => values[0])).toEqual(['I am new']);
  });

  it('what the other user has asked already waits for that user’s connection', async () => {
    const test = await running('Old');
    test.event('TurnCompleted', { status: 'completed', text: 'Hi.' });
    await test.sent;
    test.listener.onClosed(null);
    const sent = test.conversation.send({ text: 'New' });
    test.listener.onConnecting();
    test.listener.onOtherUser();
    expect(test.entries()).toEqual(['user: New']);
    await test.settled();
    test.event('TurnStarted', { turnId: 't2' });
    test.event('TurnCompleted', { status: 'completed', text: 'Welcome', turnId: 't2' });
    await sent;
    expect(test.entries()).toEqual(['user: New', 'reply: Welcome']);
  });
});
