import { describe, expect, it } from 'vitest';
import type { ClientMessage } from '../../../../../../src/channels/hub/protocol/codec/client-message.ts';
import { ReceivedMessages } from '../../../../../../src/channels/hub/protocol/connection/received-messages.ts';
import { HubProtocolError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';

const cancel: ClientMessage = { kind: 'cancel-invocation', invocationId: '1' };
const call = { target: 'A', arguments: [], invocationId: '1', streamIds: [] };

function received(count: number): ReceivedMessages {
  const messages = new ReceivedMessages();
  for (let each = 0; each < count; each += 1) messages.admits(cancel);
  return messages;
}

describe('ReceivedMessages (contract/hub.md#when-the-line-breaks, stateful reconnect)', () => {
  it.each<[ClientMessage, boolean]>([
    [{ kind: 'invocation', ...call }, true],
    [{ kind: 'stream-invocation', ...call }, true],
    [{ kind: 'stream-item' }, true],
    [{ kind: 'completion', invocationId: '1', error: undefined, result: null }, true],
    [cancel, true],
    [{ kind: 'ping' }, false],
    [{ kind: 'close' }, false],
    [{ kind: 'ack', sequenceId: 1 }, false],
    [{ kind: 'sequence', sequenceId: 1 }, false],
    [{ kind: 'ignored' }, false],
  ])('counts message types 1 to 5 and no other: %j', (message, counts) => {
    const messages = new ReceivedMessages();
    expect(messages.admits(message)).toBe(true);
    expect(messages.acknowledgement()).toBe(counts ? 1 : undefined);
  });

  it('acknowledges each number once', () => {
    const messages = received(3);
    expect([messages.acknowledgement(), messages.acknowledgement()]).toEqual([3, undefined]);
    messages.admits(cancel);
    expect(messages.acknowledgement()).toBe(4);
  });

  it('takes what comes again once', () => {
    const messages = received(3);
    messages.awaitSequence();
    messages.startAt(2);
    expect([1, 2, 3].map(() => messages.admits(cancel))).toEqual([false, false, true]);
  });

  it('acknowledges again what comes again: the client was cut off from the first word of it', () => {
    const messages = received(3);
    messages.acknowledgement();
    messages.awaitSequence();
    messages.startAt(2);
    expect([messages.acknowledgement(), messages.acknowledgement()]).toEqual([3, undefined]);
  });

  it('lets a client go on that was cut off again before it had sent again what it was told to have come', () => {
    const messages = received(3);
    messages.awaitSequence();
    messages.startAt(2);
    expect(messages.acknowledgement()).toBe(3);
    messages.awaitSequence();
    messages.startAt(4);
    expect(messages.admits(cancel)).toBe(true);
    expect(messages.acknowledgement()).toBe(4);
  });

  it('takes nothing but a goodbye before the Sequence of a new socket', () => {
    const messages = received(1);
    messages.awaitSequence();
    expect([cancel, { kind: 'ping' } as const].map((message) => messages.admits(message))).toEqual([false, false]);
    expect(messages.admits({ kind: 'close' })).toBe(true);
    messages.startAt(2);
    expect(messages.admits(cancel)).toBe(true);
  });

  it('refuses to begin behind what it has, which a message would be missing of', () => {
    const messages = received(3);
    messages.startAt(4);
    expect(() => {
      messages.startAt(5);
    }).toThrow(new HubProtocolError("Sequence ID greater than amount of messages we've received."));
  });
});
