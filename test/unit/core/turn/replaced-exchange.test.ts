import { describe, expect, it } from 'vitest';
import { Conversation } from '../../../../src/core/turn/conversation/conversation.ts';

const times = { askedAt: 1, answeredAt: 2 };

function say(conversation: Conversation, turnId: string, replaces?: string): void {
  const messages = [
    { role: 'user', text: `asked ${turnId}` },
    { role: 'assistant', text: `said ${turnId}`, toolCalls: [] },
  ] as const;
  conversation.record({ turn: { turnId }, replaces, messages, shown: new Map(), below: [] }, 100, times);
}

describe('an exchange whose place another one takes (contract/hub.md#sending-again)', () => {
  // proves wire-22-20
  it('gives no words to a search any more', () => {
    const conversation = new Conversation();
    for (const turnId of ['a', 'b']) say(conversation, turnId);
    expect(conversation.recentWords('b')).toEqual(['asked a', 'said a']);
    expect(conversation.recentWords('a')).toEqual(['asked a', 'said a', 'asked b', 'said b']);
    say(conversation, 'c', 'b');
    expect(conversation.recentWords()).toEqual(['asked a', 'said a', 'asked c', 'said c']);
  });

  // proves wire-22-27
  it('stays where it holds the summary of what came before it', () => {
    const messages = [
      { message: { role: 'user', text: 'asked a' }, at: 1, turn: { turnId: 'a' } },
      { message: { role: 'assistant', text: 'said a', toolCalls: [] }, at: 2 },
    ] as const;
    expect(new Conversation({ messages }).canReplace('a')).toBe(true);
    const [asked, said] = messages;
    const before = { text: 'They spoke of orders.', origins: [] };
    expect(new Conversation({ messages: [{ ...asked, before }, said] }).canReplace('a')).toBe(false);
  });
});
