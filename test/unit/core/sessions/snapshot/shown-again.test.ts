import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../../../src/core/identity/principal.ts';
import { type ChatMessage, ModelError } from '../../../../../src/core/ports/chat-model.ts';
import { shownMessages } from '../../../../../src/core/sessions/snapshot/shown-messages.ts';
import { Conversation, type KeptMessage } from '../../../../../src/core/turn/conversation/conversation.ts';
import { call, fakeModel } from '../../../../support/fake-model.ts';
import { fakeTool } from '../../../../support/fake-tool.ts';
import { readTurn, testAssistant } from '../../../../support/test-assistant.ts';
import { testSealer } from '../../../../support/test-sealer.ts';

const card = { type: 'AdaptiveCard', version: '1.5', body: [{ type: 'TextBlock', text: 'Case 42' }] };
const rules = { enableGenerativeCards: true, cardHosts: { images: ['shop.example'], links: [] } };

/** A turn that says something, asks about a call that shows a card, and says how it went. */
async function played(approved = true) {
  const tool = fakeTool({ execute: () => ({ value: 'closed', card }) });
  const model = fakeModel(
    { text: 'One moment.', toolCalls: [call('close_case', { caseId: 42 })] },
    { text: 'It is closed.' },
    { text: 'Hello again.' },
  );
  const test = testAssistant({ toolList: [tool], model });
  const session = test.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'Close case 42' });
  const { fields } = await readTurn(turn).next('confirmation-requested');
  const answer = { actionId: String(fields['actionId']), approved };
  await test.assistant.answerConfirmation(answer, anonymousPrincipal('test'));
  await turn.result;
  return { ...test, session, actionId: answer.actionId };
}

async function putBack({ assistant, session, snapshots }: Awaited<ReturnType<typeof played>>) {
  const snapshot = await snapshots.save(session);
  return snapshots.restore(assistant.openSession({ channel: 'hub' }), snapshot);
}

describe('what was shown beside the text of a conversation that is put back (contract/sessions.md#snapshots)', () => {
  // proves wire-5-71
  it('comes back in the order in which it was shown: the question with its outcome, the action and its card', async () => {
    const test = await played();
    const { messages } = await putBack(test);
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Close case 42'],
      ['assistant', 'One moment.\n\nIt is closed.'],
    ]);
    expect(messages[0]?.answer).toMatchObject([
      { type: 'text', text: 'One moment.' },
      { type: 'confirmation-requested', actionId: test.actionId, title: 'Close a case', arguments: [{ value: 42 }] },
      { type: 'confirmation-resolved', actionId: test.actionId, outcome: 'approved', by: 'user' },
      { type: 'action-executing', title: 'Close a case' },
      { type: 'card-ready', card },
      { type: 'action-completed', status: 'succeeded' },
      { type: 'text', text: '\n\nIt is closed.' },
      {
        type: 'turn-completed',
        status: 'completed',
        text: 'One moment.\n\nIt is closed.',
        receipts: [{ action: 'close_case', title: 'Close a case', status: 'succeeded' }],
      },
    ]);
    expect(messages[0]?.answer?.some((part) => 'seq' in part || 'turnId' in part)).toBe(false);
    expect(messages[1]).not.toHaveProperty('answer');
  });

  // proves wire-5-71
  it('of a declined call says so', async () => {
    const { messages } = await putBack(await played(false));
    const types = messages[0]?.answer?.map((part) => ('status' in part ? part.status : part.type));
    expect(types).toEqual(['text', 'confirmation-requested', 'confirmation-resolved', 'declined', 'text', 'completed']);
    expect(messages[0]?.answer?.at(-1)).toMatchObject({ receipts: [{ status: 'declined' }] });
  });

  // proves wire-5-99
  it('of calls side by side comes back as it was told: what was refused at once before what was asked about', async () => {
    const tools = [fakeTool(), fakeTool({ name: 'pay', title: 'Pay', requiredRoles: ['Supervisor'] })];
    const model = fakeModel(
      { toolCalls: [call('close_case', { caseId: 42 }), call('pay', { caseId: 1 })] },
      { text: 'Done.' },
    );
    const test = testAssistant({ toolList: tools, model });
    const session = test.assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'Close and pay' });
    const reader = readTurn(turn);
    await reader.next('action-completed');
    const { fields } = await reader.next('confirmation-requested');
    const answer = { actionId: String(fields['actionId']), approved: true };
    await test.assistant.answerConfirmation(answer, anonymousPrincipal('test'));
    await turn.result;
    const { messages } = await putBack({ ...test, session, actionId: answer.actionId });
    const told = reader.events.map(({ type }) => type).filter((type) => !/text|turn/.test(type));
    expect(told.at(-1)).toBe('action-completed');
    expect(messages[0]?.answer?.map(({ type }) => type)).toEqual([...told, 'text', 'turn-completed']);
    expect(messages[0]?.answer?.some((part) => 'seq' in part)).toBe(false);
  });

  // proves wire-5-99
  it('says that an answer was stopped or broke off, behind all of it', async () => {
    const model = fakeModel(
      { text: 'Half', until: new Promise(() => undefined) },
      { toolCalls: [call('close_case', { caseId: 42 })] },
      { text: 'Quarter', fails: new ModelError('model_unavailable', 'down', { transient: false }) },
      { text: 'Whole.' },
    );
    const test = testAssistant({ toolList: [fakeTool({ readOnly: true })], model });
    const session = test.assistant.openSession({ channel: 'hub' });
    const stopped = session.startNow({ text: 'One' });
    await readTurn(stopped).next('text-delta');
    await stopped.stop('user');
    await stopped.result;
    const failed = session.startNow({ text: 'Two' });
    const reader = readTurn(failed);
    await failed.result;
    await session.startNow({ text: 'Three' }).result;
    const { messages } = await putBack({ ...test, session, actionId: '' });
    const [one, two, three] = messages.filter(({ role }) => role === 'user');
    expect(one?.answer).toEqual([
      { type: 'text', text: 'Half' },
      { type: 'turn-completed', status: 'stopped', text: 'Half' },
    ]);
    expect(two?.answer?.at(-2)).toEqual({ type: 'text', text: 'Quarter' });
    const { seq: _seq, turnId: _turn, ...told } = (await reader.next('error-occurred')).fields;
    expect(two?.answer?.at(-1)).toEqual({ type: 'error-occurred', ...told });
    expect(three).not.toHaveProperty('answer');
  });

  it('goes on from snapshot to snapshot, with what is said after it', async () => {
    const { assistant, session, snapshots } = await played();
    const other = assistant.openSession({ channel: 'hub' });
    await snapshots.restore(other, await snapshots.save(session));
    await (
      await other.send({ text: 'Hello' })
    ).result;
    const third = assistant.openSession({ channel: 'hub' });
    const { messages } = await snapshots.restore(third, await snapshots.save(other));
    expect(messages.map(({ text }) => text)).toEqual([
      'Close case 42',
      'One moment.\n\nIt is closed.',
      'Hello',
      'Hello again.',
    ]);
    expect(messages[0]?.answer?.map(({ type }) => type)).toContain('card-ready');
    expect(messages[2]).not.toHaveProperty('answer');
  });

  // proves wire-5-72
  it('is nothing of what the model reads', async () => {
    const { session } = await played();
    expect(JSON.stringify(session.transcript.map(({ message }) => message))).not.toContain('AdaptiveCard');
  });

  it('is not in a snapshot of a version before, which is read all the same; other events are left out', async () => {
    const { assistant, session, snapshots } = await played();
    const owner = 'anon:';
    const content = await testSealer().open(await snapshots.save(session), owner);
    const messages = (content as { messages: KeptMessage[] }).messages;
    const seal = (kept: readonly object[]): Promise<string> =>
      testSealer().seal({ ...(content as object), messages: kept }, owner);
    const older = await seal(messages.map(({ message, at }) => ({ message, at })));
    const restored = await snapshots.restore(assistant.openSession({ channel: 'hub' }), older);
    expect(restored.messages.map(({ answer }) => answer)).toEqual([undefined, undefined]);
    const newer = await seal(messages.map((kept) => ({ ...kept, shown: [{ type: 'hologram' }, 7, null] })));
    const other = await snapshots.restore(assistant.openSession({ channel: 'hub' }), newer);
    expect(other.messages.map(({ answer }) => answer)).toEqual([undefined, undefined]);
  });

  // proves wire-22-05
  it('is left out of a snapshot that it would make too long, which keeps ratings', async () => {
    const { assistant, session, snapshots } = await played();
    const { message } = session.transcript[2] ?? {};
    if (message === undefined) throw new Error('no tool message');
    const events = [{ type: 'card-ready', cardId: 'c', card: { text: 'x'.repeat(200_000) } }] as const;
    const user: ChatMessage = { role: 'user', text: 'y'.repeat(8 * 1024 * 1024 - 100_000) };
    const at = 0;
    session.replaceConversation([
      { message: user, at, turn: { turnId: 't', feedback: { rating: 'good' } } },
      { message, at, shown: events },
    ]);
    const { messages } = await snapshots.restore(
      assistant.openSession({ channel: 'hub' }),
      await snapshots.save(session),
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]).not.toHaveProperty('answer');
    expect(messages[0]).toMatchObject({ turnId: 't', feedback: { rating: 'good' } });
  });
});

describe('what a conversation keeps of what was shown', () => {
  // proves wire-5-73
  it('is bounded: of the oldest calls it goes first, and the messages stay', () => {
    const messages = Array.from({ length: 10 }, (_, index): KeptMessage => {
      const shown = [{ type: 'card-ready', cardId: String(index), card: { text: 'x'.repeat(60_000) } }] as const;
      return { message: { role: 'tool', callId: String(index), name: 'show', text: '' }, at: index, shown };
    });
    const { kept } = new Conversation({ messages });
    expect(kept).toHaveLength(10);
    expect(kept.flatMap(({ at, shown }) => (shown === undefined ? [] : [at]))).toEqual([6, 7, 8, 9]);
  });

  it('is checked again before it is shown: a card as cards are allowed today', () => {
    const image = { type: 'Image', url: 'https://old.example/a.png' };
    const messages: KeptMessage[] = [
      { message: { role: 'user', text: 'Show it' }, at: 1 },
      {
        message: { role: 'tool', callId: 'x', name: 'show', text: '' },
        at: 2,
        shown: [{ type: 'card-ready', cardId: 'c', card: { ...card, body: [...card.body, image] } }],
      },
    ];
    const reader = { roles: new Set<string>(), tenant: undefined };
    const shown = (today: typeof rules): unknown => shownMessages(messages, { ...today, reader })[0]?.answer;
    expect(shown(rules)).toEqual([{ type: 'card-ready', cardId: 'c', card }]);
    expect(shown({ ...rules, enableGenerativeCards: false })).toBeUndefined();
  });
});
