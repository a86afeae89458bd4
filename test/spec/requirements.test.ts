import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requirementFaults, type RequirementCheck } from './check-requirements.ts';
import type { Requirement } from './requirement.ts';
import { requirements } from './requirements.ts';
import { readContractPage, type Statement } from './statement.ts';
import { testTitles } from './test-titles.ts';

const root = new URL('../../', import.meta.url);
const titlesByFile = new Map<string, readonly string[]>();

function titlesOf(file: string): readonly string[] | undefined {
  const path = new URL(file, root);
  if (!file.startsWith('test/') || !existsSync(path)) return undefined;
  const titles = titlesByFile.get(file) ?? testTitles(readFileSync(path, 'utf8'));
  titlesByFile.set(file, titles);
  return titles;
}

const pages = globSync('docs/contract/*.md', { cwd: root })
  .filter((file) => !file.endsWith('README.md'))
  .map((file) => ({ file, ...readContractPage(file, readFileSync(new URL(file, root), 'utf8')) }));

describe('the statements of docs/contract', () => {
  it('are each proven by tests that exist, and nothing else is listed', () => {
    const statements = pages.flatMap((page) => page.statements);
    expect(requirementFaults(requirements, { statements, titlesOf })).toEqual([]);
  });

  it('each end with their id: an item, a paragraph or a table without one would be a promise without a test', () => {
    expect(pages.flatMap(({ file, withoutId }) => withoutId.map((item) => `${file}: ${item}`))).toEqual([]);
  });

  it('stand on pages that the first page lists', () => {
    const index = readFileSync(new URL('docs/contract/README.md', root), 'utf8');
    const listed = [...index.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(
      ([, page]) => `docs/contract/${String(page)}`,
    );
    expect(pages.map(({ file }) => file).toSorted()).toEqual(listed.toSorted());
  });
});

describe('requirementFaults, so that the gate really closes', () => {
  const good: Requirement = { id: 'wire-4-03', tests: [{ file: 'test/a.test.ts', title: 'opens at once' }] };
  const statement: Statement = { id: 'wire-4-03', page: 'sse.md', text: 'A stream opens at once.' };
  const check: RequirementCheck = {
    statements: [statement],
    titlesOf: (file) => (file === 'test/a.test.ts' ? ['opens at once', 'twice', 'twice', '%s'] : undefined),
  };
  const proving = (title: string, file = 'test/a.test.ts'): Requirement => ({ ...good, tests: [{ file, title }] });

  it('finds nothing wrong with what is right', () => {
    expect(requirementFaults([good], check)).toEqual([]);
  });

  it('takes several ids of one sentence for what they are', () => {
    const both = [statement, { ...statement, id: 'wire-4-04' }];
    expect(requirementFaults([good, { ...good, id: 'wire-4-04' }], { ...check, statements: both })).toEqual([]);
  });

  it.each<[string, readonly Requirement[], string]>([
    ['tests that are listed twice', [good, good], 'wire-4-03: its tests are listed twice'],
    ['an id that is none', [good, { ...good, id: 'wire-4' }], 'wire-4: the id is not like wire-4-03'],
    [
      'tests of what no page states',
      [good, { ...good, id: 'wire-5-03' }],
      'wire-5-03: no page of docs/contract states it',
    ],
    ['a statement that nothing proves', [{ ...good, tests: [] }], 'wire-4-03: no test proves it'],
    [
      'a file that does not exist',
      [proving('opens at once', 'test/b.test.ts')],
      'wire-4-03: test/b.test.ts: there is no such file',
    ],
    [
      'a test that does not exist',
      [proving('Opens at once')],
      'wire-4-03: test/a.test.ts: there is no test "Opens at once"',
    ],
    ['a title that two tests have', [proving('twice')], 'wire-4-03: test/a.test.ts: 2 tests are called "twice"'],
    [
      'a title of placeholders alone',
      [proving('%s')],
      'wire-4-03: test/a.test.ts: the title "%s" names no single test',
    ],
    ['a statement without a list of tests', [], 'wire-4-03: sse.md promises it, and no test is listed'],
  ])('finds %s', (_title, list, fault) => {
    expect(requirementFaults(list, check)).toEqual([fault]);
  });

  it.each<[string, Statement, string]>([
    ['an id that is given twice', { ...statement, text: 'Something else.' }, 'wire-4-03: the id is given twice'],
    [
      'a sentence that stands twice',
      { ...statement, page: 'hub.md', id: 'wire-4-04' },
      'A stream opens at once.: stated twice',
    ],
  ])('finds %s', (_title, second, fault) => {
    const list = [...new Set([good.id, second.id])].map((id) => ({ ...good, id }));
    expect(requirementFaults(list, { ...check, statements: [statement, second] })).toEqual([fault]);
  });
});

describe('readContractPage', () => {
  it('reads items over several lines, and several ids of one', () => {
    const markdown =
      '# Page\n\n> Text.\n\n- First of\n  two lines. `wire-1-01`\n- Second. `wire-1-02` `service-2.6-03`\n\nThird\nat last. `wire-1-03`\n';
    expect(readContractPage('hub.md', markdown)).toEqual({
      statements: [
        { id: 'wire-1-01', page: 'hub.md', text: 'First of two lines.' },
        { id: 'wire-1-02', page: 'hub.md', text: 'Second.' },
        { id: 'service-2.6-03', page: 'hub.md', text: 'Second.' },
        { id: 'wire-1-03', page: 'hub.md', text: 'Third at last.' },
      ],
      withoutId: [],
    });
  });

  it('finds items without an id, whatever kind of list they stand in, and none in code', () => {
    const markdown =
      '- Promised.\n* `wire-1-01` at the wrong end\n1. Counted.\n\n```yaml\n- code\n```\n\nSaid\nin a paragraph.\n';
    expect(readContractPage('hub.md', markdown)).toEqual({
      statements: [],
      withoutId: ['Promised.', '`wire-1-01` at the wrong end', 'Counted.', 'Said in a paragraph.'],
    });
  });

  it.each([
    ['code without an end', '```yaml\nfirst: true\n\n- Promised.\n', 'code without an end'],
    ['code on one line', '```yaml``` and a promise\n', '```yaml``` and a promise'],
    ['another sign behind a number', '1) Promised.\n', 'Promised.'],
    ['a number sign that begins no heading', '#1 is promised.\n', '#1 is promised.'],
    ['a line right below a table', '- This table is whole. `wire-1-01`\n\n| A |\n| - |\nPromised.\n', 'Promised.'],
    ['a list in a quote', '> - Promised.\n', '> - Promised.'],
    ['a table in a quote', '> | A |\n', '> | A |'],
  ])('overlooks no promise: %s', (_title, markdown, found) => {
    expect(readContractPage('hub.md', markdown).withoutId).toContain(found);
  });

  it.each([
    ['right after it', '| A |\n| - |\n| 1 |\n\n- The table is whole. `wire-1-01`\n', []],
    ['right before it', '- The table is whole. `wire-1-01`\n\n| A |\n| - |\n| 1 |\n', []],
    ['after the next table', '| A |\n| - |\n\n| B |\n| - |\n\n- Both tables are. A table is. `wire-1-01`\n', []],
    ['nowhere', '| A |\n| - |\n| 1 |\n\n- Something else. `wire-1-01`\n', ['| A |']],
    ['in another section', '- This table is whole. `wire-1-01`\n\n## B\n\n| A |\n| - |\n', ['| A |']],
    ['without an id', '| A |\n| - |\n| 1 |\n\n- The table is whole.\n', ['| A |', 'The table is whole.']],
  ])('takes a table for a promise, which is stated %s', (_place, markdown, withoutId) => {
    expect(readContractPage('hub.md', markdown).withoutId).toEqual(withoutId);
  });
});

describe('testTitles', () => {
  it('reads plain titles, tables and their written-out rows', () => {
    const source = `
      const known = [['above']] as const satisfies readonly unknown[];
      describe('group', () => {
        it('plain', () => {});
        test("in double quotes", async () => {});
        it.skipIf(noBrowser)('needs a browser', () => {});
        it.each(['a', 'b'])('takes %s', (value) => {});
        it.each<[string, number]>([['one', 1], ['two', 2]] as const)('%s is a number', () => {});
        it.each(known)('stands %s', (value) => {});
        it.each(rows)('knows %s of elsewhere', () => {});
        it.each([[1, value]])('%s and %j', () => {});
      });`;
    expect(testTitles(source)).toEqual([
      'plain',
      'in double quotes',
      'needs a browser',
      'takes %s',
      'takes a',
      'takes b',
      '%s is a number',
      'one is a number',
      'two is a number',
      'stands %s',
      'stands above',
      'knows %s of elsewhere',
      '%s and %j',
    ]);
  });

  it('leaves out what is not run, and what only looks like a test', () => {
    const source = `
      it.skip('skipped', () => {});
      it.todo('to do');
      describe.skip('group', () => { it('inside', () => {}); });
      // it('in a comment', () => {});
      const text = "it('in a text', () => {})";
      client.it('of something else');
      it(name, () => {});`;
    expect(testTitles(source)).toEqual([]);
  });
});
