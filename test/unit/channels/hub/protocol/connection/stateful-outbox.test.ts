import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../../../../src/channels/hub/protocol/codec/json-codec.ts';
import { inMicrotask } from '../../../../../../src/channels/hub/protocol/connection/outbox.ts';
import { StatefulOutbox } from '../../../../../../src/channels/hub/protocol/connection/stateful-outbox.ts';
import { fakeTransport } from '../../../../../support/hub-fake-transport.ts';

function open() {
  const transport = fakeTransport();
  const slow: number[] = [];
  const outbox = new StatefulOutbox({
    transport,
    codec: jsonCodec,
    maxBufferedBytes: 100,
    maxUnacknowledgedBytes: 50,
    now: () => 0,
    onSlow: () => slow.push(1),
    schedule: inMicrotask,
  });
  return { transport, outbox, slow };
}

function opened(): ReturnType<typeof open> {
  const test = open();
  test.outbox.release();
  return test;
}

const sequence = (id: number): string => `{"type":9,"sequenceId":${String(id)}}\u001e`;

describe('StatefulOutbox (contract/hub.md#when-the-line-breaks, stateful reconnect)', () => {
  it('sends no message before the client counts them, but lets the line be kept alive', async () => {
    const { transport, outbox } = open();
    outbox.push('a');
    outbox.pushControl('!');
    await Promise.resolve();
    expect(transport.sent).toEqual(['!']);
    outbox.release();
    await Promise.resolve();
    expect(transport.sent).toEqual(['!', 'a']);
  });

  it('sends the messages of one read as one frame, and all of them again over the next socket', async () => {
    const { transport, outbox } = opened();
    for (const record of ['a', 'b', 'c']) outbox.push(record);
    await Promise.resolve();
    expect(transport.sent).toEqual(['abc']);
    outbox.acknowledge(1);
    outbox.detach();
    outbox.push('d');
    outbox.pushControl('!');
    await Promise.resolve();
    const next = fakeTransport();
    outbox.attach(next);
    expect(next.sent).toEqual([`${sequence(2)}bcd`]);
    expect(transport.sent).toEqual(['abc']);
  });

  it('says which message comes next when there is nothing to send again', async () => {
    const { outbox } = opened();
    outbox.push('a');
    await Promise.resolve();
    outbox.acknowledge(1);
    outbox.detach();
    const next = fakeTransport();
    outbox.attach(next);
    expect(next.sent).toEqual([sequence(2)]);
  });

  it('counts bytes, not characters', async () => {
    const { transport, outbox } = opened();
    outbox.push('é'.repeat(30));
    outbox.push('b');
    await Promise.resolve();
    expect(transport.sent).toEqual(['é'.repeat(30)]);
  });

  it('notices a client that leaves more than the limit unacknowledged, there or away', async () => {
    const { outbox, slow } = opened();
    outbox.push('x'.repeat(60));
    await Promise.resolve();
    outbox.detach();
    for (const _time of [1, 2]) {
      outbox.push('x'.repeat(60));
      await Promise.resolve();
    }
    expect(slow).toEqual([]);
    outbox.push('x');
    await Promise.resolve();
    expect(slow).toEqual([1]);
  });

  it('does not take one large flush, such as a replayed turn, for a slow client', async () => {
    const { outbox, slow } = opened();
    for (let each = 0; each < 50; each += 1) outbox.push('x'.repeat(100));
    await Promise.resolve();
    outbox.push('y');
    await Promise.resolve();
    expect(slow).toEqual([]);
  });

  it('sends and keeps nothing once the connection has ended', async () => {
    const { transport, outbox } = opened();
    outbox.push('a');
    outbox.discard();
    await Promise.resolve();
    expect(transport.sent).toEqual([]);
    const next = fakeTransport();
    outbox.attach(next);
    expect(next.sent).toEqual([sequence(1)]);
  });
});
