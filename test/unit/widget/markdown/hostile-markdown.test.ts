import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/widget/markdown/plan-blocks.ts';
import type { NodePlan } from '../../../../src/widget/nodes/node-plan.ts';

const labels = { table: '', code: '' };
const size = 100_000;

// prettier-ignore
const repeated = [
  '[', ']', '![', '[a', '[a]', '[a](', '[a](b', '[a](<', '[a](b "', "[a](b '", '[a](b (', '[[a]', '[a][', '[](', '[a]: ', '![[',
  '*', '**', '_', '*a', '*a ', 'a*', '_a ', 'a_', '*a_', '*a **b ', '**a *b', '***a** ', '~', '~~a', '~a~', '*~_',
  '`', '`` ', '`a ', '<', '<a ', '<a b="', "<a b='", '<a x=', '</', '<a:', '<!--', '<?', '<![CDATA[', '<a@',
  '> ', '>', '- ', '- a\n', '* - 1. ', '1. ', '> - ', '>\n', '> a\n', '- a\n\n', '  - a\n', '\n', ' ', '\t', ' \n',
  '|', '|-', '|-|\n', 'a|b\n', '|\n|-\n', '| a |\n|---|\n', '\\|', '\\', '\\\n', '  \n', 'a  \n', 'a      b',
  '#', '# ', '# a #\n', '=', '-', '--- ', '===\n', 'a\n===\n', 'a\n---\n', '```\n', '~~~ a\n', '    a\n', '    \n',
  '&', '&a', '&amp;', '&#', '&#x41;', 'http://', 'http://a.', 'http://a)', 'http://a_', 'www.a_', '(www.a ', '_www.a_', 'www.a;',
  'a@', 'a.', 'a@b', 'a@b.', '_a@', 'a+', 'http://a.b&a;', 'http://a.b/))))', '日*', '[a]: b\n', "[a]: b '\n", '[a]: <b\n', '"', '(',
] as const;

/** Hostile texts that are not just one repeated piece. */
const composed: readonly (readonly [string, (length: number) => string])[] = [
  ['brackets that close', (length) => '['.repeat(length / 2) + ']'.repeat(length / 2)],
  ['brackets before links', (length) => '['.repeat(length / 2) + '[a](b)'.repeat(length / 12)],
  ['brackets before addresses', (length) => '['.repeat(length / 2) + 'http://a]'.repeat(length / 18)],
  ['brackets with a definition', (length) => `${'[a'.repeat(length / 4)}${']'.repeat(length / 2)}\n\n[a]: b`],
  ['references with a definition', (length) => `${'[a][b'.repeat(length / 5)}\n\n[b]: c`],
  ['emphasis in emphasis', (length) => '*a '.repeat(length / 6) + ' b*'.repeat(length / 6)],
  ['one long run', (length) => `${'*'.repeat(length / 2)}a${'*'.repeat(length / 2)}`],
  ['runs of every kind', (length) => `${'*a _b ~c **d __e ~~f '.repeat(length / 40)}${'* _ ~'.repeat(length / 10)}`],
  [
    'backticks of all lengths',
    (length) => Array.from({ length: Math.sqrt(length * 2) }, (_, index) => '`'.repeat(index)).join(' '),
  ],
  [
    'lists in lists',
    (length) => Array.from({ length: Math.sqrt(length * 2) }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n'),
  ],
  [
    'quotes in quotes',
    (length) => Array.from({ length: Math.sqrt(length * 2) }, (_, index) => `${'>'.repeat(index)} a`).join('\n'),
  ],
  ['a wide table', (length) => `${'|a'.repeat(length / 6)}\n${'|-'.repeat(length / 6)}\n${'a\n'.repeat(length / 6)}`],
  ['a long line of spaces', (length) => `# ${' '.repeat(length)}a`],
  ['a long list of columns', (length) => `a\n${'-|'.repeat(length / 4)}\n${'|-'.repeat(length / 4)}`],
  ['parentheses in a destination', (length) => `[a](${'('.repeat(length / 2)}${')'.repeat(length / 2)})`],
  ['addresses with entities at the end', (length) => `http://a.b/${'&a;'.repeat(length / 3)}`],
];

/** Milliseconds of processor time that it takes to read and plan a text: the least of several tries. */
function cost(text: string): number {
  const tries = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    planMarkdown(text, labels);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...tries);
}

function depthOf(plans: readonly (NodePlan | string)[]): number {
  let depth = 0;
  // The function does not use recursion, so that a deep plan makes the test fail without an overflow of the stack.
  for (let level = plans; level.length > 0; depth += 1) {
    level = level.flatMap((plan) => (typeof plan === 'string' ? [] : (plan.children ?? [])));
  }
  return depth;
}

describe('Markdown that is meant to do harm', () => {
  const texts = [
    ...repeated.map(
      (piece) => [JSON.stringify(piece), (length: number) => piece.repeat(length / piece.length)] as const,
    ),
    ...composed,
  ];

  it.each(texts)('costs time that grows with its length, and is drawn without deep nesting: %s', (_title, make) => {
    const text = make(size);
    expect(depthOf(planMarkdown(text, labels))).toBeLessThan(120);
    // Eight times the text may cost up to 24 times as much; with its square it would be 64 times. Other work on the machine makes single
    // figures wrong, so the least of a few counts.
    let times = Infinity;
    for (let tries = 0; tries < 5 && times >= 24; tries += 1)
      times = Math.min(times, cost(text) / Math.max(cost(make(size / 8)), 4));
    expect(times).toBeLessThan(24);
  });
});
