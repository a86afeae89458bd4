import { describe, expect, it } from 'vitest';
import { patternsIn } from '../../../../scripts/patterns/patterns-in.ts';

describe('the regular expressions of a source (scripts/patterns.ts)', () => {
  it('are literals, and texts that RegExp is given, with their flags and lines', () => {
    const text = [
      'const one = /a\\/[/]+$/gu;',
      'const half = 4 / 2 / 1; // no /comment/',
      "const two = new RegExp('b+', 'i');",
      'const three = RegExp(`c+`);',
      'const four = new RegExp(`${one.source}d`);',
      'const five = <T,>(x: T) => /e/.test(String(x));',
    ].join('\n');
    expect(patternsIn('some.ts', text)).toEqual([
      { source: 'a\\/[/]+$', flags: 'gu', line: 1 },
      { source: 'b+', flags: 'i', line: 3 },
      { source: 'c+', flags: '', line: 4 },
      { source: 'e', flags: '', line: 6 },
    ]);
  });

  it('are found in components as well', () => {
    expect(patternsIn('some.tsx', 'const one = <p title="/a/">{/b+/.test(x) ? 1 : 2}</p>;')).toEqual([
      { source: 'b+', flags: '', line: 1 },
    ]);
  });
});
