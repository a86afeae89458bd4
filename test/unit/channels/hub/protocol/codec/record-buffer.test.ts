import { describe, expect, it } from 'vitest';
import { MessageTooLarge } from '../../../../../../src/channels/hub/protocol/codec/message-reader.ts';
import { RecordBuffer } from '../../../../../../src/channels/hub/protocol/codec/record-buffer.ts';

function take(buffer: RecordBuffer, chunk: string | Buffer): string[] {
  return [...buffer.take(Buffer.from(chunk))].map((record) => record.toString());
}

describe('RecordBuffer (contract/hub.md#protocol)', () => {
  it('cuts several records out of one frame', () => {
    expect(take(new RecordBuffer(100), 'a\u001ebc\u001e')).toEqual(['a', 'bc']);
  });

  it('puts a record together that comes in single bytes', () => {
    const buffer = new RecordBuffer(2000);
    const text = `${'x'.repeat(1500)}é\u001e`;
    const records = [...Buffer.from(text)].flatMap((byte) => take(buffer, Buffer.from([byte])));
    expect(records).toEqual([text.slice(0, -1)]);
  });

  it('keeps the rest of a frame for the next one', () => {
    const buffer = new RecordBuffer(100);
    expect(take(buffer, 'a\u001eb')).toEqual(['a']);
    expect(take(buffer, 'c\u001ed\u001e')).toEqual(['bc', 'd']);
  });

  it('passes exactly the limit, in bytes', () => {
    expect(take(new RecordBuffer(4), 'éé\u001e')).toEqual(['éé']);
  });

  it.each([
    ['in one piece', ['abcde\u001e']],
    ['before its end is seen', ['abc', 'de']],
  ])('refuses a record over the limit %s, after the ones before it', (_title, frames) => {
    const buffer = new RecordBuffer(4);
    expect(take(buffer, 'ok\u001e')).toEqual(['ok']);
    expect(() => {
      for (const frame of frames) take(buffer, frame);
    }).toThrow(MessageTooLarge);
  });
});
