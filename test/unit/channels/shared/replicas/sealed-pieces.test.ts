import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openPieces, type SealingKey, sealPieces } from '../../../../../src/channels/shared/replicas/sealed-pieces.ts';

function key(id: string): SealingKey {
  return { id, bytes: randomBytes(32) };
}

describe('sealed pieces (contract/replicas.md#connections)', () => {
  it('come back in their order, whatever they hold', () => {
    const keys = [key('one')] as const;
    const pieces = [Buffer.from('first'), Buffer.alloc(0), randomBytes(40_000)];
    const [sealer, opener] = [sealPieces(keys, 'request'), openPieces(keys, 'request')];
    const opened = pieces.map((piece) => opener.open(sealer.seal(piece)));
    expect(opened.map((piece) => piece.toString('hex'))).toEqual(pieces.map((piece) => piece.toString('hex')));
  });

  it('show nothing of what they hold, and are never the same twice', () => {
    const keys = [key('one')] as const;
    const text = 'Authorization: Bearer secret';
    const sealed = [1, 2].map(() => sealPieces(keys, 'request').seal(Buffer.from(text)));
    expect(new Set(sealed).size).toBe(2);
    for (const each of sealed)
      expect(Buffer.from(each.split('.')[3] ?? '', 'base64').toString()).not.toContain('secret');
  });

  it('are opened with an earlier key, and with no other', () => {
    const [old, fresh] = [key('old'), key('fresh')];
    const sealed = sealPieces([old], 'request').seal(Buffer.from('text'));
    expect(openPieces([fresh, old], 'request').open(sealed).toString()).toBe('text');
    expect(() => openPieces([fresh], 'request').open(sealed)).toThrow('not known here');
    expect(() => openPieces([{ ...fresh, id: 'old' }], 'request').open(sealed)).toThrow();
  });

  it('are refused when they are changed, left out, moved, or meant for something else', () => {
    const keys = [key('one')] as const;
    const sealer = sealPieces(keys, 'request');
    const [first, second, third] = ['a', 'b', 'c'].map((text) => sealer.seal(Buffer.from(text)));
    const opener = openPieces(keys, 'request');
    expect(opener.open(first ?? '').toString()).toBe('a');
    expect(() => opener.open(third ?? '')).toThrow();
    expect(() => openPieces(keys, 'request').open(second ?? '')).toThrow('another version');
    expect(() => openPieces(keys, 'answer').open(first ?? '')).toThrow();
    expect(() => openPieces(keys, 'request').open(`${(first ?? '').slice(0, -4)}AAA=`)).toThrow();
    expect(() => openPieces(keys, 'request').open('hf1.one.')).toThrow('too short');
  });
});
