import { encode } from '@msgpack/msgpack';
import { assert, constantFrom, integer, property, tuple, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LengthPrefixedBuffer } from '../../../../../../src/channels/hub/protocol/codec/length-prefixed-buffer.ts';
import { messagePackCodec } from '../../../../../../src/channels/hub/protocol/codec/message-pack-codec.ts';
import { MessageTooLarge } from '../../../../../../src/channels/hub/protocol/codec/message-reader.ts';
import { HubProtocolError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';

/** Runs code that a hostile client can reach. The code may throw only the two faults that close the connection. */
function survives(attack: () => unknown): boolean {
  try {
    attack();
  } catch (error) {
    return error instanceof HubProtocolError || error instanceof MessageTooLarge;
  }
  return true;
}

const messages = [
  [1, {}, '1', 'Echo', [{ a: [1, 'x', null] }], []],
  [3, {}, 's1', 3, { a: -1.5 }],
  [5, {}, '1'],
].map((message) => encode(message));

describe('MessagePack from hostile clients (contract/hub.md#protocol)', () => {
  it('is read or refused, whatever the bytes are', () => {
    assert(
      property(uint8Array({ maxLength: 60 }), (bytes) => survives(() => messagePackCodec.read(Buffer.from(bytes)))),
      { numRuns: 2000 },
    );
  });

  it('is read or refused when a good message is damaged', () => {
    const damage = tuple(constantFrom(...messages), integer({ min: 0, max: 60 }), integer({ min: 0, max: 255 }));
    assert(
      property(damage, ([message, at, byte]) => {
        const bytes = Buffer.from(message);
        bytes[at % bytes.length] = byte;
        return survives(() => messagePackCodec.read(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('is cut into messages or refused, whatever the lengths are', () => {
    assert(
      property(uint8Array({ maxLength: 200 }), (bytes) =>
        survives(() => {
          const reader = new LengthPrefixedBuffer(100);
          for (const message of reader.take(Buffer.from(bytes))) expect(message.length).toBeLessThanOrEqual(100);
        }),
      ),
      { numRuns: 2000 },
    );
  });
});
