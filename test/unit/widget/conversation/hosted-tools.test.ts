import { describe, expect, it } from 'vitest';
import { testConversation } from './fake-hub.ts';

describe('hosted tools (contract/widget.md#tools-of-the-provider)', () => {
  // proves wire-9-94
  it('shows the tools of the provider that the connection names', async () => {
    const test = testConversation();
    void test.conversation.send({ text: 'Hello' });
    await test.settled();
    test.listener.onStatus({ tools: ['WebSearch'] });
    expect(test.conversation.state.status.tools ?? []).toEqual(['WebSearch']);
    void test.conversation.newConversation();
    expect(test.conversation.state.status.tools ?? []).toEqual(['WebSearch']);
    test.drop();
    test.restore();
    expect(test.conversation.state.status.tools ?? []).toEqual([]);
  });
});
