import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requirementFaults, type RequirementCheck } from './check-requirements.ts';
import type { Requirement } from './requirement.ts';
import { requirements } from './requirements.ts';
import { coveredSections } from './sections.ts';
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

describe('the requirements of the contract', () => {
  it('are each proven by tests that exist', () => {
    expect(requirementFaults(requirements, { sections: coveredSections, titlesOf })).toEqual([]);
  });
});

describe('requirementFaults, so that the gate really closes', () => {
  const good: Requirement = {
    id: 'wire-4-03',
    source: 'wire.md 4',
    says: 'A stream opens at once.',
    tests: [{ file: 'test/a.test.ts', title: 'opens at once' }],
  };
  const check: RequirementCheck = {
    sections: ['wire.md 4'],
    titlesOf: (file) => (file === 'test/a.test.ts' ? ['opens at once', 'twice', 'twice', '%s'] : undefined),
  };
  const proving = (title: string, file = 'test/a.test.ts'): Requirement => ({ ...good, tests: [{ file, title }] });

  it('finds nothing wrong with what is right', () => {
    expect(requirementFaults([good], check)).toEqual([]);
  });

  it.each<[string, readonly Requirement[], string]>([
    ['an id that is given twice', [good, { ...good, says: 'Something else.' }], 'wire-4-03: the id is given twice'],
    [
      'a sentence that is listed twice',
      [good, { ...good, id: 'wire-4-04' }],
      'wire.md 4: A stream opens at once.: listed twice',
    ],
    ['an id that is none', [{ ...good, id: 'wire-4' }], 'wire-4: the id is not like wire-4-03'],
    ['an id of another section', [{ ...good, id: 'wire-5-03' }], 'wire-5-03: the id does not fit the source wire.md 4'],
    [
      'an unknown section',
      [good, { ...good, id: 'wire-9-01', source: 'wire.md 9', says: 'Nine things.' }],
      'wire-9-01: unknown source "wire.md 9"',
    ],
    ['a sentence without words', [{ ...good, says: ' ' }], 'wire-4-03: it does not say what is required'],
    ['a requirement nothing proves', [{ ...good, tests: [] }], 'wire-4-03: no test proves it'],
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
    ['a section nothing is listed of', [], 'wire.md 4: no requirement of this section is listed'],
  ])('finds %s', (_title, list, fault) => {
    expect(requirementFaults(list, check)).toEqual([fault]);
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
