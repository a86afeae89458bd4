import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../../src/core/base/glob.ts';

/** What a glob means, as a regular expression. */
function meaning(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'u');
}

describe('a tool-name glob (contract/configuration.md)', () => {
  it.each([
    ['get_*', 'get_order', true],
    ['get_*', 'forget_order', false],
    ['*_order', 'get_order', true],
    ['?et_order', 'get_order', true],
    ['get_order?', 'get_order', false],
    ['*', '', true],
    ['get.order', 'get_order', false],
    ['a*b*c', 'a1b2b3c', true],
  ])('%s and %s: %s', (glob, name, expected) => {
    expect(matchesGlob(glob, name)).toBe(expected);
  });

  it('matches what its stars and question marks mean', () => {
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*', '?', '.', '😀'), maxLength: 10 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', '😀'), maxLength: 12 });
    fc.assert(fc.property(glob, name, (one, other) => matchesGlob(one, other) === meaning(one).test(other)));
  });

  it('takes a moment whatever the glob', () => {
    // To try each way in which the stars can match takes years.
    expect(matchesGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(64))).toBe(false);
  });
});
