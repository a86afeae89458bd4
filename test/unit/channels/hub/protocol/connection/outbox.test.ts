import { describe, expect, it } from 'vitest';
import { inMicrotask, Outbox } from '../../../../../../src/channels/hub/protocol/connection/outbox.ts';
import { fakeTransport } from '../../../../../support/hub-fake-transport.ts';

function outboxOn(transport: ReturnType<typeof fakeTransport>): { outbox: Outbox; slow: number[] } {
  const slow: number[] = [];
  const outbox = new Outbox({
    transport,
    maxBufferedBytes: 100,
    now: () => 0,
    onSlow: () => slow.push(1),
    schedule: inMicrotask,
  });
  return { outbox, slow };
}

describe('Outbox', () => {
  it('sends 200 records of one read as one frame, in order (docs/architecture.md)', async () => {
    const transport = fakeTransport();
    const { outbox } = outboxOn(transport);
    const records = Array.from({ length: 200 }, (_entry, index) => `${String(index)}\u001e`);
    for (const record of records) outbox.push(record);
    expect(transport.sent).toEqual([]);
    await Promise.resolve();
    expect(transport.sent).toEqual([records.join('')]);
  });

  it('sends nothing after it was told to discard', async () => {
    const transport = fakeTransport();
    const { outbox } = outboxOn(transport);
    outbox.push('a\u001e');
    outbox.discard();
    await Promise.resolve();
    expect(transport.sent).toEqual([]);
  });

  // proves wire-2-35
  it('notices a client that leaves more than the limit unread (contract/events.md#slow-readers)', () => {
    const transport = fakeTransport();
    const { outbox, slow } = outboxOn(transport);
    transport.bufferedBytes = 100;
    outbox.push('a\u001e');
    outbox.flush();
    expect(slow).toEqual([]);
    transport.bufferedBytes = 101;
    outbox.push('b\u001e');
    outbox.flush();
    expect(slow).toEqual([1]);
    expect(transport.sent).toEqual(['a\u001e']);
  });

  it('does not take one large send, such as a replayed turn, for a slow client', () => {
    const transport = fakeTransport();
    const { outbox, slow } = outboxOn(transport);
    const send = transport.send.bind(transport);
    transport.send = (records) => {
      transport.bufferedBytes += records.length;
      send(records);
    };
    outbox.push('x'.repeat(500));
    outbox.flush();
    outbox.push('y'.repeat(100));
    outbox.flush();
    expect(slow).toEqual([]);
    outbox.push('z');
    outbox.flush();
    outbox.push('z');
    outbox.flush();
    expect(slow).toEqual([1]);
  });
});
