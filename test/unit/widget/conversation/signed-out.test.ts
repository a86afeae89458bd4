import { describe, expect, it } from 'vitest';
import { HubRefusal } from '../../../../src/widget/transport/hub-port.ts';
import { testConversation } from './fake-hub.ts';

describe('a user whom the server does not accept (contract/widget.md#who-is-signed-in)', () => {
  // proves wire-21-23
  it('a connection that ends because its token is not accepted is no lost one', async () => {
    const test = testConversation();
    const sent = test.conversation.send({ text: 'Hello' });
    await test.settled();
    test.event('TurnStarted');
    test.listener.onClosed('signed-out');
    await sent;
    expect(test.conversation.state.connection).toBe('signed-out');
  });

  // proves wire-21-23
  it('nor is one that never was, and it is forgotten once the user is accepted', async () => {
    const test = testConversation();
    test.server.connect = new HubRefusal('signed-out', null);
    await test.conversation.send({ text: 'Hello' });
    expect(test.conversation.state.connection).toBe('signed-out');
    test.server.connect = null;
    void test.conversation.send({ text: 'Hello' });
    await test.settled();
    expect(test.conversation.state.connection).toBe('connected');
  });
});
