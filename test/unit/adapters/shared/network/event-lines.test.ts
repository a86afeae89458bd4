import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLines } from '../../../../../src/adapters/shared/network/event-lines.ts';

/** What is left of a stream that comes in these pieces, and what each of them has ended. */
function taken(pieces: readonly string[]): readonly string[] {
  const lines = new EventLines();
  const given = pieces.map((piece) => Buffer.from(lines.take(Buffer.from(piece))).toString());
  return [...given, Buffer.from(lines.rest()).toString()];
}

describe('the lines of a stranger’s event stream (contract/mcp-servers.md#limits)', () => {
  // proves service-2.16-91
  it('end with a line feed, whatever ended them, and come whole', () => {
    expect(taken(['data: 1\r\nda', 'ta: 2\r', '\n\r\revent: x\n', 'data: 3'])).toEqual([
      'data: 1\n',
      'data: 2\n',
      '\n\nevent: x\n',
      '',
      'data: 3\n',
    ]);
  });

  // proves service-2.16-91
  it('are those alone that say something: no comments, no unknown fields, no number that is none', () => {
    const stream = ': beat\nx\ndatax: 1\nretry: 1s\nretry: 15\nid: 7\nid\nevent:message\ndata\ndata: {"a":1}\n\n';
    expect(taken([stream])).toEqual(['retry: 15\nid: 7\nid\nevent:message\ndata\ndata: {"a":1}\n\n', '']);
    expect(taken([`\uFEFFdata: 1\n\uFEFFdata: 2\n`])).toEqual(['data: 1\n', '']);
  });

  // proves service-2.16-91
  it('are the same, however the stream was cut', () => {
    const bit = fc.constantFrom('data: é', 'event: a', ': c', '\n', '\r', '\r\n', 'x');
    fc.assert(
      fc.property(
        fc.array(bit, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        (bits, sizes) => {
          const stream = Buffer.from(bits.join(''));
          const lines = new EventLines();
          const given: Uint8Array[] = [];
          for (let start = 0, cut = 0; start < stream.length; cut += 1) {
            const end = start + (sizes[cut % sizes.length] ?? 1);
            given.push(lines.take(stream.subarray(start, end)));
            start = end;
          }
          given.push(lines.rest());
          expect(Buffer.concat(given).toString()).toBe(taken([stream.toString()]).join(''));
        },
      ),
    );
  });
});
