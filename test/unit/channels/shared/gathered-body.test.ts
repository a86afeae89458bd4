import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatheredBody } from '../../../../src/channels/shared/gathered-body.ts';

async function piecesOf(sent: readonly Buffer[]): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of Readable.from(sent).pipe(new GatheredBody())) pieces.push(piece as Buffer); // no encoding is set
  return pieces;
}

describe('the body of a request (contract/limits.md#callers)', () => {
  // proves wire-8-82
  it('comes in few pieces, whatever it was cut into', async () => {
    const pieces = await piecesOf(Array.from({ length: 100_000 }, () => Buffer.from('x')));
    expect(pieces.length).toBeLessThan(10);
    expect(Buffer.concat(pieces).length).toBe(100_000);
  });

  it('is the same, in the same order', async () => {
    const cuts = fc.array(
      fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(cuts, async (sent) => {
        expect(Buffer.concat(await piecesOf(sent))).toEqual(Buffer.concat(sent));
      }),
    );
  });
});
