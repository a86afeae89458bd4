import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryConversationStore } from '../../../../src/adapters/stores/in-memory/in-memory-conversation-store.ts';
import { KeptConversations } from '../../../../src/core/conversations/kept-conversations.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testAssistant } from '../../../support/test-assistant.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

const ann: Principal = { kind: 'signed-in', userKey: 'id:ann', id: 'ann', name: 'Ann', roles: new Set(), claims: {} };

/** A store that refuses every write while `isAway` is true. */
class AwayStore extends InMemoryConversationStore {
  isAway = false;

  override add(...given: Parameters<InMemoryConversationStore['add']>): Promise<void> {
    return this.isAway ? Promise.reject(new Error('the disk is full')) : super.add(...given);
  }
}

function openSession(replies: number) {
  const store = new AwayStore();
  const kept = new KeptConversations({ store, sealer: testRecordSealer(), log: recordingLogger() });
  const model = fakeModel(...Array.from({ length: replies }, (_, index) => ({ text: `Reply ${String(index + 1)}.` })));
  const { assistant } = testAssistant({ model, conversations: kept, maxSessionMessages: 2 });
  const session = assistant.openSession({ channel: 'hub', principal: ann });
  const say = async (text: string) => (await session.send({ text })).result;
  const said = async () => {
    const [{ id } = { id: '' }] = (await kept.page('id:ann', undefined, 9)).conversations;
    return (await kept.open('id:ann', id))?.messages.map(({ message }) => message.text);
  };
  return { store, kept, session, say, said, assistant };
}

describe('a turn of a kept conversation (contract/sessions.md#kept-conversations)', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  // proves service-2.9-77
  it('fails as overloaded when its words cannot be stored in time, and the next turn stores them first', async () => {
    const { store, say, said } = openSession(3);
    store.isAway = true;
    const first = say('one');
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await first).toMatchObject({ status: 'failed', code: 'overloaded' });
    expect(await say('two')).toMatchObject({ status: 'refused', code: 'overloaded' });
    store.isAway = false;
    expect(await say('three')).toMatchObject({ status: 'completed' });
    expect(await said()).toEqual(['one', 'Reply 1.', 'three', 'Reply 2.']);
  });

  // proves service-2.9-81
  it('keeps more messages than maxSessionMessages', async () => {
    const { say, said, session } = openSession(3);
    for (const text of ['one', 'two', 'three']) await say(text);
    expect(await said()).toHaveLength(6);
    expect(session.transcript).toHaveLength(6);
  });

  // proves service-2.9-79
  it('is stored with what was said before the conversation was kept', async () => {
    const { say, said, session } = openSession(1);
    session.replaceConversation([
      { message: { role: 'user', text: 'earlier' }, at: 1 },
      { message: { role: 'assistant', text: 'Yes.', toolCalls: [] }, at: 2 },
    ]);
    await say('and now?');
    expect(await said()).toEqual(['earlier', 'Yes.', 'and now?', 'Reply 1.']);
  });

  // proves service-2.9-70
  it('is not stored over server-sent events, where each request is a conversation of its own', async () => {
    const { assistant, kept } = openSession(1);
    const session = assistant.openSession({ channel: 'sse', principal: ann });
    await (
      await session.send({ text: 'one' })
    ).result;
    expect((await kept.page('id:ann', undefined, 9)).conversations).toEqual([]);
  });
});
