import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplayBuffer } from '../../../../../../src/channels/hub/protocol/connection/replay-buffer.ts';

function bufferOf(...records: readonly string[]): ReplayBuffer {
  const buffer = new ReplayBuffer();
  for (const record of records) buffer.add(record, record.length);
  return buffer;
}

describe('ReplayBuffer (contract/hub.md#when-the-line-breaks, stateful reconnect)', () => {
  it('hands each message out once, until it is rewound', () => {
    const buffer = bufferOf('a', 'b');
    expect([buffer.take(10), buffer.take(10)]).toEqual(['ab', '']);
    buffer.add('c', 1);
    expect(buffer.take(10)).toBe('c');
    buffer.rewind();
    expect(buffer.take(10)).toBe('abc');
  });

  it('forgets what was acknowledged, and knows the number of the first that was not', () => {
    const buffer = bufferOf('a', 'bb', 'c');
    expect([buffer.firstId, buffer.bytes]).toEqual([1, 4]);
    buffer.take(10);
    buffer.acknowledge(2);
    expect([buffer.firstId, buffer.bytes]).toEqual([3, 1]);
    buffer.rewind();
    expect(buffer.take(10)).toBe('c');
    buffer.acknowledge(3);
    expect([buffer.firstId, buffer.bytes]).toEqual([4, 0]);
  });

  it('stops behind the message that goes over the bound, and goes on when that is acknowledged', () => {
    const buffer = bufferOf('aa', 'bb', 'cc', 'dd');
    expect(buffer.take(3)).toBe('aabb');
    expect(buffer.take(3)).toBe('');
    buffer.acknowledge(1);
    expect(buffer.take(3)).toBe('cc');
    buffer.acknowledge(3);
    expect(buffer.take(3)).toBe('dd');
  });

  it.each([-1, 0, 1.5, 3, 1e15])('believes no acknowledgement of what was never sent: %d', (id) => {
    const buffer = bufferOf('a', 'b');
    expect(buffer.take(0)).toBe('a');
    buffer.acknowledge(id);
    buffer.rewind();
    expect(buffer.take(10)).toBe(id >= 1 ? 'b' : 'ab');
  });

  it('loses nothing and doubles nothing, whatever the order of sends, acknowledgements and cuts', () => {
    const step = fc.oneof(
      fc.constant('add' as const),
      fc.constant('take' as const),
      fc.constant('cut' as const),
      fc.nat({ max: 40 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (steps, bound) => {
        const buffer = new ReplayBuffer();
        let added = 0;
        // The state of the client: the number that it expects next, and the messages that it has taken.
        let next = 1;
        const taken: string[] = [];
        const read = (records: string): void => {
          for (const record of records) {
            if (next > taken.length) taken.push(record);
            next += 1;
          }
        };
        for (const each of steps) {
          if (each === 'add') {
            buffer.add(String.fromCodePoint(0x4e00 + added), 1);
            added += 1;
          } else if (each === 'take') {
            read(buffer.take(bound));
          } else if (each === 'cut') {
            buffer.rewind();
            next = buffer.firstId;
          } else {
            buffer.acknowledge(Math.min(each, taken.length));
          }
        }
        buffer.rewind();
        next = buffer.firstId;
        for (let records = buffer.take(bound); records !== ''; records = buffer.take(bound)) {
          read(records);
          buffer.acknowledge(taken.length);
        }
        expect(taken).toEqual(Array.from({ length: added }, (_entry, index) => String.fromCodePoint(0x4e00 + index)));
        expect(buffer.bytes).toBe(0);
      }),
    );
  });
});
