import { describe, expect, it } from 'vitest';
import { visibleParts, visibleValue } from '../../src/widget/chat/visible-text.ts';
import { parseMarkdown } from '../../src/widget/markdown/parse-markdown.ts';
import { planBlocks } from '../../src/widget/markdown/plan-blocks.ts';

const labels = { table: 'Table', code: 'Code' };
const shown = (value: unknown): string =>
  visibleValue(value)
    .map(({ text }) => text)
    .join('');

describe('the arguments in a confirmation box (wire.md 5)', () => {
  it.each([
    ['a control character', 'a\u0007b', 'a\\u{0007}b'],
    ['a line break', 'a\nb', 'a\\nb'],
    ['a bidi override', 'pay \u202e001', 'pay \\u{202E}001'],
    ['a bidi isolate', 'a\u2066b', 'a\\u{2066}b'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200B}b'],
    ['a zero-width joiner', 'a\u200db', 'a\\u{200D}b'],
    ['a byte order mark', 'a\ufeffb', 'a\\u{FEFF}b'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{D800}b'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{E0041}b'],
  ])('show %s escaped, and marked as such', (_title, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(visibleParts(text).filter(({ isEscaped }) => isEscaped)).toHaveLength(1);
  });

  it('show them in values deep inside, and in names', () => {
    const value = { 'na\u202eme': ['x\u200by'] };
    expect(shown(value)).toContain('na\\u{202E}me');
    expect(shown(value)).toContain('x\\u{200B}y');
  });

  it('are cut nowhere', () => {
    const text = `${'long '.repeat(20_000)}end`;
    expect(shown(text)).toBe(text);
    expect(shown({ text })).toContain(text);
  });
});

describe('Markdown of a reply (wire.md 7)', () => {
  it.each([
    ['an image', 'See ![a chart](https://evil.example/leak.png?x=1)'],
    ['an image by reference', 'See ![a chart][ref]\n\n[ref]: https://evil.example/leak.png'],
    ['an image in a link', '[![a chart](https://evil.example/leak.png)](https://ok.example)'],
    ['HTML', '<img src="https://evil.example/leak.png" alt="a chart">'],
  ])('never loads %s by itself', (_title, text) => {
    const plan = JSON.stringify(planBlocks(parseMarkdown(text).tokens, labels));
    expect(plan).not.toContain('"tag":"img"');
    expect(plan).not.toContain('"src"');
    expect(plan).toContain('a chart');
  });
});
