import fc from 'fast-check';

const words = [
  'one',
  'two',
  'Zürich',
  'naïve',
  '日本',
  '3.5',
  'a_b_c',
  '2 * 3',
  '(see)',
  '“so”',
  '50%',
  '👍',
  'end.',
  'Why?',
  'a&b',
  '<5',
];
const word = fc.constantFrom(...words);
const plain = fc.array(word, { minLength: 1, maxLength: 4 }).map((some) => some.join(' '));
const simple = fc.constantFrom('one', 'two three', 'Zürich', 'x1');

const span = fc.oneof(
  { weight: 4, arbitrary: plain },
  simple.map((text) => `**${text}**`),
  simple.map((text) => `*${text}*`),
  simple.map((text) => `_${text}_`),
  simple.map((text) => `***${text}***`),
  simple.map((text) => `**${text} *and* more**`),
  simple.map((text) => `~~${text}~~`),
  plain.map((text) => `\`${text}\``),
  simple.map((text) => `[${text}](https://x.example/${text.length})`),
  simple.map((text) => `[**${text}**](/path "title")`),
  simple.map((text) => `![${text}](https://x.example/a.png)`),
  fc.constantFrom(
    'https://x.example/a?b=c',
    '<https://x.example/>',
    'www.x.example',
    'me@x.example',
    '\\*',
    '\\_',
    '&amp;',
    '&lt;',
    '—',
  ),
);

const line = fc.array(span, { minLength: 1, maxLength: 4 }).map((spans) => spans.join(' '));
const lines = fc.tuple(line, fc.constantFrom('\n', '  \n', '\\\n'), line).map((parts) => parts.join(''));
const paragraph = fc.oneof({ weight: 3, arbitrary: line }, lines);

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** Blocks as they are written one after the other, with an empty line between them. */
const { block } = fc.letrec<{ block: string; list: string; item: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    paragraph,
    fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
    line.map((text) => `${text}\n===`),
    fc.constantFrom('---', '***'),
    plain.map((text) => `\`\`\`ts\n${text}\n\n  **${text}**\n\`\`\``),
    plain.map((text) => `~~~\n${text}\n~~~`),
    fc.tuple(line, line).map(([a, b]) => `| a | b |\n|:--|--:|\n| ${a} | ${b} |\n| ${b} |`),
    fc.array(tie('block'), { minLength: 1, maxLength: 2 }).map((blocks) => `> ${indented(blocks.join('\n\n'), '> ')}`),
    tie('list'),
  ),
  list: fc
    .tuple(
      fc.constantFrom('- ', '* ', '1. ', '1) '),
      fc.constantFrom('\n', '\n\n'),
      fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
    )
    .map(([marker, between, items]) =>
      items.map((item) => marker + indented(item, ' '.repeat(marker.length))).join(between),
    ),
  item: fc.oneof(
    { maxDepth: 3 },
    paragraph,
    line.map((text) => `[x] ${text}`),
    fc.tuple(paragraph, tie('list')).map(([text, list]) => `${text}\n${list}`),
    fc.tuple(paragraph, tie('block')).map((parts) => parts.join('\n\n')),
  ),
}));

/** A reply of typical blocks in a random order. */
export const randomReply = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => blocks.join('\n\n'));
