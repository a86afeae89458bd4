import { describe, expect, it } from 'vitest';
import type { SavedConversation } from '../../../../src/widget/conversation/saved-conversation.ts';
import type { RestoredSession } from '../../../../src/wire/session-bodies.ts';
import { testConversation, type TestConversation } from './fake-hub.ts';

const anonymous = 'false  ';
const said: RestoredSession['messages'] = [
  { role: 'user', text: 'Hello', at: '2026-01-01T00:00:00.000Z' },
  { role: 'assistant', text: 'Hi', at: '2026-01-01T00:00:01.000Z' },
];
const restored: RestoredSession = { conversationId: 'c9', messages: said, openConfirmations: [] };
const turn = { turnId: 't1', lastSeq: 2, isRunning: true, text: 'And then?' };
const saved: SavedConversation = { user: anonymous, snapshot: 'sealed 0', snapshotTurn: 't0', turn };

/** The next page of the tab. Its server accepts the snapshot. */
async function nextPage(left: SavedConversation, change?: (test: TestConversation) => void): Promise<TestConversation> {
  const test = testConversation();
  test.server.restore = restored;
  change?.(test);
  test.conversation.restore(left);
  await test.settled();
  return test;
}

describe('what a page of a tab leaves for the next (contract/hub.md#when-the-line-breaks and contract/confirmations.md)', () => {
  it('is nothing before anything was said', () => {
    expect(testConversation().conversation.kept.saved).toBeNull();
  });

  it('is the sealed conversation and the turn that ended last', async () => {
    const test = testConversation();
    const sent = test.conversation.send({ text: 'Hello' });
    await test.settled();
    test.event('TurnStarted');
    expect(test.conversation.kept.saved).toMatchObject({
      snapshot: null,
      turn: { turnId: 't1', lastSeq: 1, isRunning: true },
    });
    test.event('TurnCompleted', { status: 'completed', text: 'Hi' });
    await sent;
    await test.settled();
    expect(test.saved).toEqual(['k1']);
    expect(test.conversation.kept.saved).toEqual({
      user: anonymous,
      snapshot: 'sealed 1',
      snapshotTurn: 't1',
      turn: { turnId: 't1', lastSeq: 2, isRunning: false, text: '' },
    });
  });

  it('is nothing after a new conversation has begun', async () => {
    const test = await nextPage({ ...saved, turn: null });
    void test.conversation.newConversation();
    expect(test.conversation.kept.saved).toBeNull();
  });

  it('stays what it was while the server is away', async () => {
    const test = await nextPage(saved, ({ server }) => (server.connect = new Error('away')));
    expect(test.conversation.state.connection).toBe('lost');
    expect(test.conversation.kept.saved).toEqual(saved);
  });
});

describe('an answer that was more than text, on a later page (contract/confirmations.md#answering)', () => {
  const question = { actionId: 'a1', callId: 'x1', action: 'refund', title: 'Refund', arguments: [] };
  const call = { callId: 'x1', action: 'refund', durationMs: 1 };
  const parts = [
    { event: 'TextDelta', text: 'One moment.' },
    { event: 'ConfirmationRequested', ...question },
    { event: 'ConfirmationResolved', actionId: 'a1', outcome: 'approved', by: 'user' },
    { event: 'ActionExecuting', ...call, title: 'Refund' },
    { event: 'CardReady', cardId: 'k1', card: {} },
    { event: 'NavigationRequested', page: 'orders', url: '/orders', title: 'Orders' },
    { event: 'ActionCompleted', ...call, status: 'succeeded' },
    { event: 'TextDelta', text: '\n\nDone.' },
  ];
  const answered = [
    { role: 'user', text: 'Refund it', at: '2026-01-01T00:00:00.000Z', answer: parts },
    { role: 'assistant', text: 'One moment.\n\nDone.', at: '2026-01-01T00:00:01.000Z' },
  ] as RestoredSession['messages'];

  it('is there with all of its parts, told to nobody again, and followed by what was said later', async () => {
    const test = await nextPage({ ...saved, turn: null }, ({ server }) => {
      server.restore = { ...restored, messages: [...answered, ...said] };
    });
    expect(test.entries()).toEqual([
      'user: Refund it',
      'reply: One moment.',
      'confirmation: a1 approved, succeeded',
      'card: k1',
      'navigation: /orders handled',
      'reply: \n\nDone.',
      'user: Hello',
      'reply: Hi',
    ]);
    expect(test.told).toEqual(['put back']);
    const { entries } = test.conversation.state;
    // This user has answered the question on the page before.
    expect(entries[2]).toMatchObject({ by: 'me' });
    const times = ['00:00', '00:01', '00:01'].map((time) => Date.parse(`2026-01-01T00:${time}.000Z`));
    expect([0, 1, 5].map((index) => entries[index]).map((entry) => entry && 'at' in entry && entry.at)).toEqual(times);
  });

  it('that ended at its open question, was stopped there', async () => {
    const open = [{ ...answered[0], answer: parts.slice(0, 2) }] as RestoredSession['messages'];
    const test = await nextPage({ ...saved, turn: null }, ({ server }) => {
      server.restore = { ...restored, messages: open };
    });
    expect(test.entries().slice(1)).toEqual(['reply: One moment. (stopped)', 'confirmation: a1 cancelled']);
  });

  it('says that it was stopped, or why it broke off, and offers no message again', async () => {
    const stopped = { event: 'TurnCompleted', status: 'stopped', text: 'Half' };
    const fault = { event: 'ErrorOccurred', code: 'model_unavailable', message: 'No answer.', retryable: true };
    const told = [
      { ...answered[0], answer: [{ event: 'TextDelta', text: 'Half' }, stopped] },
      { ...answered[1], text: 'Half' },
      { ...answered[0], answer: [...parts.slice(1, 2), { ...stopped, text: '' }] },
      { ...answered[0], answer: [{ event: 'TextDelta', text: 'Half' }, fault] },
      { ...answered[1], text: 'Half' },
    ] as RestoredSession['messages'];
    const test = await nextPage({ ...saved, turn: null }, ({ server }) => {
      server.restore = { ...restored, messages: told };
    });
    expect(test.entries()).toEqual([
      'user: Refund it',
      'reply: Half (stopped)',
      'user: Refund it',
      'confirmation: a1 cancelled',
      'notice: stopped',
      'user: Refund it',
      'reply: Half',
      'notice: No answer.',
    ]);
    expect(test.conversation.state).toMatchObject({ turn: null });
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ retry: null });
  });

  it('is the user’s own also where the last turn is told again', async () => {
    const test = await nextPage({ ...saved, turn: { ...turn, lastSeq: 9 } });
    test.calls[0]?.resolve({ turnId: 't1', lastSeq: 3, running: true });
    await test.settled();
    test.event('TurnStarted');
    test.event('ConfirmationRequested', question);
    test.event('ConfirmationResolved', { actionId: 'a1', outcome: 'declined', by: 'user' });
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ outcome: 'declined', by: 'me' });
  });
});

describe('a conversation on the next page of its tab (contract/hub.md#when-the-line-breaks and contract/confirmations.md)', () => {
  it('shows what was said, and the running turn from its beginning', async () => {
    const test = await nextPage(saved);
    expect(test.putBack).toEqual(['sealed 0']);
    expect(test.calls).toMatchObject([{ method: 'Resume', values: [{ turnId: 't1', afterSeq: 0 }] }]);
    test.calls[0]?.resolve({ turnId: 't1', lastSeq: 3, running: true });
    await test.settled();
    test.event('TurnStarted');
    test.event('TextDelta', { text: 'Half' });
    test.event('TextDelta', { text: ' and half' });
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi', 'user: And then?', 'reply: Half and half…']);
    // The page before has announced the first two events.
    expect(test.told).toEqual(['put back', 'TextDelta']);
  });

  it('takes the last turn of the snapshot from its events, once', async () => {
    const test = await nextPage({ ...saved, snapshotTurn: 't1', turn: { ...turn, isRunning: false, text: '' } });
    test.event('TurnStarted');
    test.event('CardReady', { cardId: 'card1', card: {} });
    test.event('TurnCompleted', { status: 'completed', text: 'Hi' });
    expect(test.entries()).toEqual(['user: Hello', 'card: card1', 'reply: Hi']);
    await test.settled();
    expect(test.saved).toEqual([]);
  });

  it('is complete without the turn, when its events are gone', async () => {
    const test = await nextPage({ ...saved, snapshotTurn: 't1', turn: { ...turn, isRunning: false, text: '' } });
    test.calls[0]?.resolve(null);
    await test.settled();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi']);
    expect(test.conversation.state).toMatchObject({ turn: null, conversationId: 'c9' });
  });

  it('offers the message of a turn that is gone again', async () => {
    const test = await nextPage(saved);
    test.calls[0]?.resolve(null);
    await test.settled();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi', 'user: And then?', 'notice: interrupted (retry)']);
    expect(test.conversation.state.entries.at(-1)).toMatchObject({ retry: { text: 'And then?' } });
  });

  it.each([
    [
      'that the server gave up meanwhile is broken off, and offered again',
      {},
      ['reply: Half (interrupted)', 'notice: interrupted (retry)'],
    ],
    ['that the user was stopping is stopped', { isRunning: false }, ['reply: Half (stopped)']],
  ])('a turn %s', async (_title, change, ending) => {
    const test = await nextPage({ ...saved, turn: { ...turn, ...change } });
    test.event('TurnStarted');
    test.event('TextDelta', { text: 'Half' });
    test.event('TurnCompleted', { status: 'stopped', text: 'Half' });
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi', 'user: And then?', ...ending]);
  });

  it('a turn that runs on and is stopped there is stopped', async () => {
    const test = await nextPage(saved);
    test.event('TurnStarted');
    test.event('TextDelta', { text: 'Half' });
    await test.conversation.stop();
    expect(test.conversation.kept.saved?.turn).toMatchObject({ isRunning: false });
    test.event('TurnCompleted', { status: 'stopped', text: 'Half' });
    expect(test.entries().at(-1)).toBe('reply: Half (stopped)');
  });

  it('does not go again to a page that it went to', async () => {
    const test = await nextPage({ ...saved, turn: { ...turn, lastSeq: 3 } });
    test.event('TurnStarted');
    test.event('NavigationRequested', { url: '/orders', title: 'Orders' });
    expect(test.told).not.toContain('NavigationRequested');
    expect(test.entries().at(-1)).toBe('navigation: /orders handled');
  });

  it('begins anew when the server does not take the snapshot', async () => {
    const test = await nextPage(saved, ({ server }) => (server.restore = null));
    expect(test.entries()).toEqual([]);
    expect(test.told).toEqual([]);
    expect(test.conversation.kept.saved).toBeNull();
  });

  it('is put back by the next connection when the server did not answer', async () => {
    const test = await nextPage({ ...saved, turn: null }, ({ server }) => (server.restore = new Error('503')));
    expect(test.entries()).toEqual([]);
    test.server.restore = restored;
    test.drop();
    test.restore();
    await test.settled();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi']);
  });

  it('lets a message that is sent meanwhile wait', async () => {
    const test = testConversation();
    test.server.restore = restored;
    test.conversation.restore({ ...saved, turn: null });
    void test.conversation.send({ text: 'Next' });
    await test.settled();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi', 'user: Next']);
    expect(test.calls.map(({ method }) => method)).toEqual(['SendMessage']);
  });

  it('is put back before a message that was written while the server had not named the connection', async () => {
    const test = testConversation();
    test.server.restore = restored;
    test.server.isSilent = true;
    test.conversation.restore({ ...saved, turn: null });
    void test.conversation.send({ text: 'Next' });
    await expect.poll(() => test.entries()).toEqual(['user: Next']);
    expect(test.calls).toEqual([]);
    test.name();
    await test.settled();
    expect(test.entries()).toEqual(['user: Hello', 'reply: Hi', 'user: Next']);
    expect(test.calls.map(({ method }) => method)).toEqual(['SendMessage']);
  });

  it('takes a message back that was stopped while the conversation was put back', async () => {
    const test = testConversation();
    test.server.isSilent = true;
    test.conversation.restore({ ...saved, turn: null });
    void test.conversation.send({ text: 'Next' });
    await expect.poll(() => test.entries()).toEqual(['user: Next']);
    await test.conversation.stop();
    test.name();
    await test.settled();
    expect(test.calls).toEqual([]);
    expect(test.conversation.state.turn).toBeNull();
  });

  it('does not put a question again that the user has stopped', async () => {
    const asked = { turnId: 'copy', actionId: 'a1' } as unknown as RestoredSession['openConfirmations'][number];
    const test = await nextPage(saved, ({ server }) => (server.restore = { ...restored, openConfirmations: [asked] }));
    expect(test.cancelled).toEqual(['k1']);
    expect(test.calls).toMatchObject([{ method: 'Resume', values: [{ turnId: 't1', afterSeq: 0 }] }]);
  });

  it('does not give a turn up whose connection broke while it was asked for', async () => {
    const test = await nextPage(saved);
    test.drop();
    await test.settled();
    expect(test.conversation.state.turn?.turnId).toBe('t1');
    test.restore();
    await test.settled();
    expect(test.calls).toMatchObject([{ method: 'Resume', values: [{ turnId: 't1', afterSeq: 0 }] }]);
  });

  it('is given back to a server that has lost it', async () => {
    const test = await nextPage({ ...saved, turn: null });
    const sent = test.conversation.send({ text: 'Next' });
    await test.settled();
    test.event('TurnStarted');
    test.event('TurnCompleted', { status: 'completed', text: 'Yes' });
    await sent;
    await test.settled();
    test.drop();
    test.restore();
    test.calls[0]?.resolve(null);
    await test.settled();
    expect(test.putBack).toEqual(['sealed 0', 'sealed 1']);
  });

  it('is not shown to another user of the same name', async () => {
    const left = { ...saved, user: 'true Ann ann', snapshot: null, snapshotTurn: null };
    const test = await nextPage(left, ({ server }) => {
      server.user = { isAuthenticated: true, name: 'Ann' };
      server.subject = 'another';
    });
    expect(test.entries()).toEqual([]);
    expect(test.told).toEqual([]);
    expect(test.conversation.kept.saved).toBeNull();
  });

  it('is not shown to another user', async () => {
    const bob = { isAuthenticated: true, name: 'Bob' };
    const test = await nextPage({ ...saved, user: 'true Ann ann' }, ({ server }) => (server.user = bob));
    expect(test.putBack).toEqual([]);
    expect(test.conversation.kept.saved).toBeNull();
  });

  it('waits until the page says who its user is, unless somebody else talks', async () => {
    const test = await nextPage({ ...saved, user: 'true Ann ann' });
    expect(test.conversation.kept.saved).toMatchObject({ user: 'true Ann ann' });
    void test.conversation.send({ text: 'Who is there?' });
    await test.settled();
    await test.settled();
    expect(test.entries()).toEqual(['user: Who is there?']);
    expect(test.putBack).toEqual([]);
    expect(test.conversation.kept.saved).toBeNull();
  });
});
