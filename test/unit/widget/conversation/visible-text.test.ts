import { describe, expect, it } from 'vitest';
import { visibleParts, visibleValue } from '../../../../src/widget/conversation/visible-text.ts';

const joined = (parts: ReturnType<typeof visibleParts>): string =>
  parts.map(({ text, isEscaped }) => (isEscaped ? `[${text}]` : text)).join('');

describe('what a user is asked to approve (contract/confirmations.md#what-is-shown)', () => {
  it.each([
    ['plain text stays', 'Ben Okafor, Straße 7 — 東京 🎉', 'Ben Okafor, Straße 7 — 東京 🎉'],
    ['line ends and tabs', 'a\nb\tc\r', 'a[\\n]b[\\t]c[\\u{000D}]'],
    // proves wire-5-11
    ['the right-to-left override', 'invoice\u202efdp.exe', 'invoice[\\u{202E}]fdp.exe'],
    ['isolates', '\u2066a\u2069', '[\\u{2066}]a[\\u{2069}]'],
    // proves wire-5-11
    ['zero-width characters', 'a\u200bb\u200dc\ufeff', 'a[\\u{200B}]b[\\u{200D}]c[\\u{FEFF}]'],
    ['the soft hyphen', 'a\u00adb', 'a[\\u{00AD}]b'],
    // proves wire-5-96
    ['the blank of Braille', '\u2800a\u2800', '[\\u{2800}]a[\\u{2800}]'],
    // proves wire-5-96
    [
      'letters that are drawn as nothing',
      '\u3164\u115f\u1160\uffa0\u034f\u17b4',
      '[\\u{3164}][\\u{115F}][\\u{1160}][\\u{FFA0}][\\u{034F}][\\u{17B4}]',
    ],
    // proves wire-5-96
    ['blank symbols', '\u{13441}\u{13442}\u{16fe4}\u{1d159}', '[\\u{13441}][\\u{13442}][\\u{16FE4}][\\u{1D159}]'],
    // proves wire-5-96
    ['selectors of variants', 'a\ufe00\ufe0f\u{e0100}\u180b', 'a[\\u{FE00}][\\u{FE0F}][\\u{E0100}][\\u{180B}]'],
    ['invisible tags', 'a\u{e0041}', 'a[\\u{E0041}]'],
    ['line separators', 'a\u2028b\u2029', 'a[\\u{2028}]b[\\u{2029}]'],
    // proves wire-5-11
    ['control characters', 'a\u0000\u001b[2J', 'a[\\u{0000}][\\u{001B}][2J'],
    ['halves of characters', 'a\ud800', 'a[\\u{D800}]'],
  ])('%s', (_title, text, expected) => {
    expect(joined(visibleParts(text))).toBe(expected);
  });

  it.each([
    ['a number', 1002, '1002'],
    ['nothing', null, 'null'],
    ['empty text', '', '""'],
    ['a list, line by line', ['a', 1], '[\n  "a",\n  1\n]'],
    ['line ends inside JSON stay spelled out', { a: 'x\ny' }, '{\n  "a": "x\\ny"\n}'],
    // proves wire-5-11
    ['hidden characters inside JSON', ['\u202e'], '[\n  "[\\u{202E}]"\n]'],
  ])('%s', (_title, value, expected) => {
    expect(joined(visibleValue(value))).toBe(expected);
  });

  it('leaves nothing out', () => {
    const text = 'x'.repeat(100_000);
    expect(joined(visibleParts(text))).toBe(text);
  });
});
