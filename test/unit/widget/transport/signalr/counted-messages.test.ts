import { describe, expect, it } from 'vitest';
import { CountedMessages } from '../../../../../src/widget/transport/signalr/counted-messages.ts';
import { type ServerMessage, writeRecord } from '../../../../../src/widget/transport/signalr/hub-messages.ts';

const event: ServerMessage = { type: 1, target: 'Raised', arguments: [{}] };
const sequence = (sequenceId: number): ServerMessage => ({ type: 9, sequenceId });
const acknowledged = (sequenceId: number): ServerMessage => ({ type: 8, sequenceId });

describe('messages that are counted for stateful reconnect (contract/hub.md#when-the-line-breaks)', () => {
  it('what is sent is kept until the server has it, and said again from there', () => {
    const counted = new CountedMessages();
    for (const text of ['a', 'b', 'c']) counted.keep(text);
    expect(counted.replay()).toBe(`${writeRecord({ type: 9, sequenceId: 1 })}abc`);
    expect(counted.admits(acknowledged(2), 1)).toBe(false);
    expect(counted.replay()).toBe(`${writeRecord({ type: 9, sequenceId: 3 })}c`);
    expect(counted.length).toBe(1);
    // These acknowledgements come late, or are for messages that were never sent.
    for (const id of [1, 0, -5, 99]) counted.admits(acknowledged(id), 1);
    expect(counted.replay()).toBe(writeRecord({ type: 9, sequenceId: 4 }));
    expect(counted.length).toBe(0);
  });

  it('what comes is acknowledged by its number; pings are not counted', () => {
    const counted = new CountedMessages();
    expect(counted.admits(event, 10)).toBe(true);
    expect(counted.admits({ type: 6 }, 10)).toBe(true);
    expect(counted.admits(event, 10)).toBe(true);
    expect(counted.unacknowledged).toBe(20);
    expect(counted.acknowledgement()).toBe(writeRecord({ type: 8, sequenceId: 2 }));
    expect(counted.unacknowledged).toBe(0);
  });

  it('what comes twice over the next line is taken once, and acknowledged again', () => {
    const counted = new CountedMessages();
    for (let count = 0; count < 3; count += 1) counted.admits(event, 10);
    counted.acknowledgement();
    counted.awaitSequence();
    expect(counted.admits(event, 10)).toBe(false);
    expect(counted.admits(sequence(2), 5)).toBe(false);
    expect([1, 2, 3].map(() => counted.admits(event, 10))).toEqual([false, false, true]);
    expect(counted.acknowledgement()).toBe(writeRecord({ type: 8, sequenceId: 4 }));
  });

  it('a gap is a fault: what is missing never comes', () => {
    const counted = new CountedMessages();
    counted.admits(event, 10);
    counted.awaitSequence();
    expect(() => counted.admits(sequence(3), 5)).toThrow('missing');
  });

  it('a goodbye counts wherever it stands', () => {
    const counted = new CountedMessages();
    counted.awaitSequence();
    expect(counted.admits({ type: 7 }, 5)).toBe(true);
  });
});
