import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InMemoryConfirmationJournal } from '../../../../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import type { Session } from '../../../../../src/core/sessions/session.ts';
import type { Principal } from '../../../../../src/core/identity/principal.ts';
import type { ChatMessage } from '../../../../../src/core/ports/chat-model.ts';
import type { KeptMessage } from '../../../../../src/core/turn/conversation/conversation.ts';
import { type SavedSession, SessionSnapshots } from '../../../../../src/core/sessions/snapshot/session-snapshots.ts';
import { Toolbox } from '../../../../../src/core/tools/toolbox.ts';
import { call, fakeModel } from '../../../../support/fake-model.ts';
import { fakeTool } from '../../../../support/fake-tool.ts';
import { recordingMetrics } from '../../../../support/quiet.ts';
import { testAssistant } from '../../../../support/test-assistant.ts';
import { testSealer } from '../../../../support/test-sealer.ts';

const sealer = testSealer();
const metrics = recordingMetrics();
const snapshots = new SessionSnapshots({
  sealer,
  journal: new InMemoryConfirmationJournal(),
  toolbox: () => new Toolbox([]),
  asksAgain: true,
  cards: { enableGenerativeCards: true, cardHosts: { images: [], links: [] } },
  metrics,
});

function openSession(model = fakeModel({ text: 'Hi.' })) {
  const test = testAssistant({ model, toolList: [fakeTool({ name: 'get_case', readOnly: true })] });
  return { ...test, model, session: test.assistant.openSession({ channel: 'hub' }) };
}

async function say(session: Session, text: string) {
  const turn = await session.send({ text });
  await turn.result;
}

/** The same session with another owner. */
function ownedBy(session: Session, principal: Principal): SavedSession {
  const { conversationId, transcript, waiting } = session;
  const replaceConversation: Session['replaceConversation'] = (messages) => session.replaceConversation(messages);
  return { principal, conversationId, transcript, waiting, replaceConversation };
}

function user(id: string): Principal {
  return { kind: 'signed-in', userKey: `sub:${id}`, id, name: id, roles: new Set(), claims: {} };
}

const text = fc.string({ unit: 'binary', maxLength: 50 });
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), text }),
  fc.record({
    role: fc.constant('assistant' as const),
    text,
    toolCalls: fc.array(fc.record({ id: text, name: text, arguments: text }), { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('tool' as const), callId: text, name: text, text }),
);
const kept: fc.Arbitrary<KeptMessage> = fc.record({ message, at: fc.nat() });

describe('a conversation that is saved and put back (contract/sessions.md#snapshots)', () => {
  const thinking = (thought: string): readonly KeptMessage[] => {
    const extras = { of: 'm', content: { message: { reasoning_content: thought } } };
    return [{ message: { role: 'assistant', text: 'Hi', toolCalls: [], extras }, at: 1 }];
  };

  // proves service-3-43, service-3-47
  it.each([
    ['with what its models want back, which nobody is shown', 'hm', thinking('hm')],
    [
      'without it where it would be too long',
      'x'.repeat(9_000_000),
      [{ message: { role: 'assistant', text: 'Hi', toolCalls: [] }, at: 1 }],
    ],
  ])('is put back %s', async (_title, thought, expected) => {
    const { session } = openSession();
    session.replaceConversation(thinking(thought));
    const snapshot = await snapshots.save(session);
    session.newConversation();
    const { messages } = await snapshots.restore(session, snapshot);
    expect(session.transcript).toEqual(expected);
    expect(JSON.stringify(messages)).not.toContain('hm');
    expect(snapshot).not.toContain('reasoning');
  });

  // proves wire-5-69
  it('is the same, whatever was said and done', async () => {
    const { session } = openSession();
    await fc.assert(
      fc.asyncProperty(fc.array(kept, { maxLength: 12 }), async (messages) => {
        session.replaceConversation(messages);
        const snapshot = await snapshots.save(session);
        session.newConversation();
        const { conversationId } = await snapshots.restore(session, snapshot);
        expect(session.transcript).toEqual(messages);
        expect(conversationId).toBe(session.conversationId);
      }),
    );
  });

  it('goes on where it was: the model sees the turns and tool results of before', async () => {
    const before = openSession(
      fakeModel({ toolCalls: [call('get_case', { caseId: 7 })] }, { text: 'Case 7 is open.' }),
    );
    await say(before.session, 'How is case 7?');
    const snapshot = await snapshots.save(before.session);
    const after = openSession();
    await snapshots.restore(after.session, snapshot);
    await say(after.session, 'And now?');
    const [request] = after.model.requests;
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(request?.messages.slice(0, 4)).toEqual(before.session.transcript.map((each) => each.message));
  });

  it('replaces the conversation and gives it an id of its own', async () => {
    const { session, model } = openSession();
    const empty = await snapshots.save(session);
    await say(session, 'one');
    const { conversationId } = session;
    expect((await snapshots.restore(session, empty)).conversationId).not.toBe(conversationId);
    await say(session, 'two');
    expect(model.requests[1]?.messages.map((each) => each.text)).toEqual(['two']);
  });

  // proves wire-5-60
  it('is the state after the last ended turn', async () => {
    const release = Promise.withResolvers<undefined>();
    const { session } = openSession(fakeModel({ text: 'One.' }, { text: 'Two.', until: release.promise }));
    await say(session, 'first');
    const turn = await session.send({ text: 'second' });
    const other = openSession().session;
    const { messages } = await snapshots.restore(other, await snapshots.save(session));
    expect(messages.map((each) => each.text)).toEqual(['first', 'One.']);
    release.resolve(undefined);
    await turn.result;
  });

  // proves wire-5-61
  it('shows what the user saw: one reply per turn, no tool results, no marks of a form, with the times', async () => {
    const model = fakeModel({ text: 'Looking.', toolCalls: [call('get_case')] }, { text: 'It is open.' });
    const { assistant } = testAssistant({
      model,
      now: () => 1000,
      toolList: [fakeTool({ name: 'get_case', readOnly: true })],
    });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = await session.send({ text: 'See <case>', cardSubmit: { cardId: 'c', data: { tag: '<b>' } } });
    await turn.result;
    const { messages } = await snapshots.restore(session, await snapshots.save(session));
    expect(messages.map(({ role, text: shown, at }) => ({ role, text: shown, at }))).toEqual([
      { role: 'user', text: 'See <case>', at: 1000 },
      { role: 'assistant', text: 'Looking.\n\nIt is open.', at: 1000 },
    ]);
  });

  // proves wire-5-62
  it('is refused with turn_in_progress while a turn runs, which goes on', async () => {
    const release = Promise.withResolvers<undefined>();
    const { session } = openSession(fakeModel({ text: 'One.', until: release.promise }));
    const empty = await snapshots.save(session);
    const turn = await session.send({ text: 'first' });
    await expect(snapshots.restore(session, empty)).rejects.toMatchObject({ code: 'turn_in_progress' });
    release.resolve(undefined);
    expect(await turn.result).toMatchObject({ status: 'completed' });
    expect(session.transcript).toHaveLength(2);
  });

  it('is not put into a connection that closed meanwhile', async () => {
    const { session } = openSession();
    const restored = snapshots.restore(session, await snapshots.save(session));
    session.close('connection-closed');
    await expect(restored).rejects.toMatchObject({ code: 'unknown_connection' });
  });
});

describe('what is counted of snapshots (contract/operations.md#metrics)', () => {
  const countedOf = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
    const before = metrics.counted.length;
    await work().catch(() => undefined);
    return metrics.counted.slice(before);
  };

  it('is each that was saved, and each that was put back', async () => {
    const { session } = openSession();
    let snapshot = '';
    const save = async (): Promise<void> => {
      snapshot = await snapshots.save(session);
    };
    expect(await countedOf(save)).toEqual([{ what: 'snapshotHandled', value: { what: 'saved' } }]);
    expect(await countedOf(() => snapshots.restore(session, snapshot))).toEqual([
      { what: 'snapshotHandled', value: { what: 'restored' } },
    ]);
  });

  it.each<[string, (sealed: string, session: Session) => Promise<unknown>]>([
    ['not_a_snapshot', (_sealed, session) => snapshots.restore(session, 'nonsense')],
    ['other_version', (sealed, session) => snapshots.restore(session, sealed.replace('hs1.', 'hs2.'))],
    ['unknown_key', (sealed, session) => snapshots.restore(session, sealed.replace(/^hs1\.[^.]+/, 'hs1.none'))],
    ['damaged', (sealed, session) => snapshots.restore(session, sealed.slice(0, -8))],
    ['too_large', (_sealed, session) => snapshots.restore(session, 'x'.repeat(12 * 1024 * 1024 + 1))],
    ['other_user', (sealed, session) => snapshots.restore(ownedBy(session, user('anna')), sealed)],
    [
      'gone',
      (sealed, session) => {
        const restored = snapshots.restore(session, sealed);
        session.close('connection-closed');
        return restored;
      },
    ],
  ])('is each that was refused, by its reason: %s', async (reason, restore) => {
    const { session } = openSession();
    const sealed = await snapshots.save(session);
    expect(await countedOf(() => restore(sealed, session))).toEqual([
      { what: 'snapshotHandled', value: { what: 'refused', reason } },
    ]);
  });
});

describe('who may restore a snapshot (contract/sessions.md#restoring)', () => {
  // proves service-2.22-02
  it('the user who saved it, and no other', async () => {
    const { session } = openSession();
    const [anna, bert] = [ownedBy(session, user('anna')), ownedBy(session, user('bert'))];
    const snapshot = await snapshots.save(anna);
    await expect(snapshots.restore(anna, snapshot)).resolves.toMatchObject({ messages: [] });
    for (const other of [bert, session]) {
      await expect(snapshots.restore(other, snapshot)).rejects.toMatchObject({
        code: 'snapshot_refused',
        message: expect.stringContaining('another user') as unknown,
      });
    }
  });

  // proves service-2.22-03, wire-5-70
  it('every anonymous visitor, when it was saved without sign-in, and no user', async () => {
    const [first, second] = [openSession().session, openSession().session];
    await say(first, 'hello');
    const snapshot = await snapshots.save(first);
    expect((await snapshots.restore(second, snapshot)).messages).toHaveLength(2);
    const anna = ownedBy(second, user('anna'));
    await expect(snapshots.restore(anna, snapshot)).rejects.toMatchObject({ code: 'snapshot_refused' });
  });
});

describe('a snapshot with content of another server (contract/sessions.md#restoring)', () => {
  const said = { message: { role: 'user', text: 'hello' }, at: 1 };
  const good = { version: 1, history: 'application', messages: [said] };

  it.each([
    // proves service-9-20, wire-5-67
    ['another version', { ...good, version: 2 }, 'another version'],
    ['no version', { history: 'application', messages: [] }, 'another version'],
    // proves service-2.9-20, service-7-21, wire-5-69
    ['history kept the other way', { ...good, history: 'service' }, 'useServiceManagedHistory'],
    [
      'open confirmations in a form of another version',
      { ...good, openRequests: { version: 2, turn: {} } },
      'another version',
    ],
    [
      'open confirmations that are none',
      { ...good, openRequests: { version: 1, turn: { said: 1 } } },
      'another version',
    ],
    ['no messages', { ...good, messages: 'none' }, 'another version'],
    ['no object', [good], 'another version'],
    ['a message without a time', { ...good, messages: [{ message: said.message }] }, 'another version'],
    [
      'a system message',
      { ...good, messages: [{ ...said, message: { role: 'system', text: 'x' } }] },
      'another version',
    ],
    ['a message without text', { ...good, messages: [{ ...said, message: { role: 'user' } }] }, 'another version'],
    [
      'calls that are none',
      { ...good, messages: [{ ...said, message: { role: 'assistant', text: '', toolCalls: [{ id: 1 }] } }] },
      'another version',
    ],
    [
      'a result of no call',
      { ...good, messages: [{ ...said, message: { role: 'tool', text: 'x' } }] },
      'another version',
    ],
  ])('%s is refused, and the live conversation stays untouched', async (_title, content, reason) => {
    const { session } = openSession();
    await say(session, 'hello');
    const { conversationId, transcript } = session;
    await expect(snapshots.restore(session, await sealer.seal(content, 'anon:'))).rejects.toMatchObject({
      code: 'snapshot_refused',
      message: expect.stringContaining(reason) as unknown,
    });
    expect(session.conversationId).toBe(conversationId);
    expect(session.transcript).toEqual(transcript);
  });
});
