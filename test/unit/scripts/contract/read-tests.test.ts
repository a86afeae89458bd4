import { describe, expect, it } from 'vitest';
import { readTests } from '../../../../scripts/contract/read-tests.ts';

describe('readTests', () => {
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
    expect(readTests(source).map(({ title }) => title)).toEqual([
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
    expect(readTests(source).map(({ title }) => title)).toEqual([]);
  });
});
