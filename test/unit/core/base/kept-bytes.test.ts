import { describe, expect, it } from 'vitest';
import { keptBytes } from '../../../../src/core/base/kept-bytes.ts';

describe('keptBytes', () => {
  it('keeps every text whole, whatever its length and whatever comes after it', () => {
    const texts = Array.from({ length: 300 }, (_, index) => `Grüße 世界 😀 ${String(index)} `.repeat(index));
    const kept = texts.map(keptBytes);
    expect(kept.map((bytes) => bytes.toString())).toEqual(texts);
  });

  it('shares memory among short texts alone, and with nobody else', () => {
    const [one, two] = [keptBytes('one'), keptBytes('two')];
    expect(two.buffer).toBe(one.buffer);
    expect(Buffer.from('somebody else').buffer).not.toBe(one.buffer);
    expect(keptBytes('x'.repeat(100_000)).buffer.byteLength).toBe(100_000);
  });
});
