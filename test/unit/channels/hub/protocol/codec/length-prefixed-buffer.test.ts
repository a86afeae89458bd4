import { describe, expect, it } from 'vitest';
import {
  LengthPrefixedBuffer,
  withLength,
} from '../../../../../../src/channels/hub/protocol/codec/length-prefixed-buffer.ts';
import { MessageTooLarge } from '../../../../../../src/channels/hub/protocol/codec/message-reader.ts';
import { HubProtocolError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';

function take(reader: LengthPrefixedBuffer, chunk: Buffer): string[] {
  return [...reader.take(chunk)].map((message) => message.toString());
}

describe('LengthPrefixedBuffer (contract/hub.md#protocol)', () => {
  it.each([0, 1, 127, 128, 16_383, 16_384, 70_000])('reads back a message of %i bytes with its length', (length) => {
    const text = 'x'.repeat(length);
    expect(take(new LengthPrefixedBuffer(100_000), withLength(Buffer.from(text)))).toEqual([text]);
  });

  it('cuts several messages out of one frame, and joins one that comes in single bytes', () => {
    const reader = new LengthPrefixedBuffer(1000);
    const bytes = Buffer.concat(['a', '', 'y'.repeat(300)].map((text) => withLength(Buffer.from(text))));
    expect(take(reader, bytes)).toEqual(['a', '', 'y'.repeat(300)]);
    expect([...bytes].flatMap((byte) => take(reader, Buffer.from([byte])))).toEqual(['a', '', 'y'.repeat(300)]);
  });

  it('passes exactly the limit, and refuses more as soon as the length is read', () => {
    expect(take(new LengthPrefixedBuffer(4), withLength(Buffer.from('four')))).toEqual(['four']);
    expect(() => take(new LengthPrefixedBuffer(4), Buffer.from([5]))).toThrow(MessageTooLarge);
  });

  it('refuses a length that does not end', () => {
    const endless = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]);
    expect(() => take(new LengthPrefixedBuffer(1000), endless)).toThrow(HubProtocolError);
  });
});
