import { describe, expect, it } from 'vitest';
import { readProofs } from '../../../../scripts/contract/read-proofs.ts';

const misplaced =
  'this is not like "// proves wire-4-03, wire-4-04", right above a test that runs or a row that completes its title';

describe('readProofs', () => {
  it('reads what stands above tests, tables and rows', () => {
    const source = `
      const known = [
        // proves wire-1-01
        ['above'],
      ] as const;
      describe('group', () => {
        // Other comments may stand here as well.
        // proves wire-1-02, service-2.6-03
        // proves wire-1-04
        it('plain', () => {});
        // proves wire-1-05
        it.each([
          'a',
          // proves wire-1-06
          'b',
        ])('takes %s', (value) => {});
        it.each(known)('stands %s', (value) => {});
      });`;
    expect(readProofs(source)).toEqual({
      proofs: [
        { id: 'wire-1-02', title: 'plain', line: 8 },
        { id: 'service-2.6-03', title: 'plain', line: 8 },
        { id: 'wire-1-04', title: 'plain', line: 9 },
        { id: 'wire-1-05', title: 'takes %s', line: 11 },
        { id: 'wire-1-06', title: 'takes b', line: 14 },
        { id: 'wire-1-01', title: 'stands above', line: 3 },
      ],
      faults: [],
    });
  });

  it.each([
    ['above a test that is skipped', "it.skip('skipped', () => {});"],
    ['above a test that is still to do', "it.todo('to do');"],
    ['above tests that are skipped', "describe.skip('group', () => { it('inside', () => {}); });"],
    ['above a group', "describe('group', () => { it('inside', () => {}); });"],
    ['above a title that is no text', 'it(name, () => {});'],
    ['above a row that completes no title', "[value]])('of %s', () => {});", 'it.each(['],
    ['above something else', "const it = 'no test';"],
    ['with an empty line below', "\nit('plain', () => {});"],
    ['at the end of a text', ''],
  ])('refuses one %s', (_title, below, above = '') => {
    expect(readProofs(`${above}\n// proves wire-1-01\n${below}`)).toEqual({ proofs: [], faults: [`2: ${misplaced}`] });
  });

  it.each([
    '// proves wire-1',
    '// proves wire-1-01 wire-1-02',
    '// proves wire-1-01, and more',
    '// Proves wire-1-01',
    '// prove wire-1-01',
    '//proves wire-1-01',
    '/* proves wire-1-01 */',
    '/** proves wire-1-01 */',
  ])('refuses %j', (comment) => {
    expect(readProofs(`${comment}\nit('plain', () => {});`)).toEqual({ proofs: [], faults: [`1: ${misplaced}`] });
  });

  it('refuses one inside of a test that is skipped', () => {
    const source = "describe.skip('group', () => {\n// proves wire-1-01\nit('inside', () => {});\n});";
    expect(readProofs(source)).toEqual({ proofs: [], faults: [`2: ${misplaced}`] });
  });

  it('refuses one behind its test', () => {
    expect(readProofs("it('plain', () => {}); // proves wire-1-01").faults).toEqual([`1: ${misplaced}`]);
  });

  it('refuses a title of placeholders alone', () => {
    const { faults } = readProofs("// proves wire-1-01\nit.each(['a'])('%s', () => {});");
    expect(faults).toEqual(['1: the title "%s" names no single test: prove it by a row']);
  });
});
