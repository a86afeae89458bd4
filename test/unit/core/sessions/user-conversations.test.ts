import { describe, expect, it, vi } from 'vitest';
import { InMemoryConversationStore } from '../../../../src/adapters/stores/in-memory/in-memory-conversation-store.ts';
import { KeptConversations } from '../../../../src/core/conversations/kept-conversations.ts';
import { LiveConversation } from '../../../../src/core/sessions/live-conversation.ts';
import { UserConversations } from '../../../../src/core/sessions/user-conversations.ts';
import { LiveTurn } from '../../../../src/core/turn/live/live-turn.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { signedIn } from '../../../support/principals.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';
import { uncaughtFaults } from '../../../support/uncaught-faults.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

const cards = { enableGenerativeCards: false, cardHosts: { images: [], links: [] } };
const clock = { now: () => 1_000 };

describe('a conversation that is deleted somewhere else (contract/sessions.md#kept-conversations)', () => {
  it('is not opened, although it was still there when it was read', async () => {
    const store = new InMemoryConversationStore();
    const kept = new KeptConversations({ store, sealer: testRecordSealer(), log: recordingLogger() });
    const ann = signedIn('ann');
    const message = { message: { role: 'user', text: 'Secret.' }, at: 1 } as const;
    await kept.add({
      ...{ conversationId: 'c1', owner: ann.userKey, turnId: 't1', before: [], messages: [message] },
    });
    const { assistant } = testAssistant({ model: fakeModel({ text: 'ok' }) });
    const session = assistant.openSession({ channel: 'hub', principal: ann });
    const forget = assistant.forgetConversations.bind(assistant);
    const users = new UserConversations({ kept, forget, clock, cards });
    const opening = users.open(session, 'c1');
    await kept.delete(ann.userKey, 'c1', 2_000);
    await expect(opening).rejects.toMatchObject({ code: 'not_found' });
    expect([session.conversationId === 'c1', session.transcript]).toEqual([false, []]);
  });

  // proves wire-11-56
  it('is deleted although another replica cannot be asked to forget it, and nobody waits for that in vain', async () => {
    const faults = uncaughtFaults();
    const store = new InMemoryConversationStore();
    const kept = new KeptConversations({ store, sealer: testRecordSealer(), log: recordingLogger() });
    const message = { message: { role: 'user', text: 'Secret.' }, at: 1 } as const;
    await kept.add({
      ...{ conversationId: 'c1', owner: 'sub:ann', turnId: 't1', before: [], messages: [message] },
    });
    const forget = vi.fn(() => Promise.reject(new Error('that replica does not answer')));
    const users = new UserConversations({ kept, forget, clock, cards });
    await users.delete('sub:ann', 'c1');
    await new Promise((resolve) => setImmediate(resolve));
    expect([forget.mock.calls.length, await kept.isDeleted('c1'), faults]).toEqual([1, true, []]);
  });

  it('is followed by a new one where it is open', async () => {
    const model = fakeModel({ text: 'ok' });
    const { assistant } = testAssistant({ model });
    const session = assistant.openSession({ channel: 'hub', principal: signedIn('ann') });
    const turn = session.startNow({ text: 'Secret.' });
    await readTurn(turn).ended;
    await turn.result;
    const { conversationId } = session;
    if (turn instanceof LiveTurn && turn.owner instanceof LiveConversation) turn.owner.transcript.forget();
    await readTurn(session.startNow({ text: 'Hello.' })).ended;
    expect(model.requests[1]?.messages).toHaveLength(1);
    expect(session.conversationId).not.toBe(conversationId);
    expect(session.transcript).toHaveLength(2);
  });
});
