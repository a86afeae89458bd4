import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { partErrorCodes } from '../../../src/core/errors/error-codes.ts';
import { pages } from './pages.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = pages.get('docs/operate/troubleshooting.md') ?? '';

/** The rows of the table below a heading, each as its cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const section = page.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** The codes of the unions of these names, as the source has them. */
function codesOf(...unions: readonly string[]): readonly string[] {
  const source = readFileSync(join(root, 'src/core/errors/error-codes.ts'), 'utf8');
  return unions.flatMap((union) => {
    const text = new RegExp(`export type ${union} =([^;]+);`).exec(source)?.[1] ?? '';
    return [...text.matchAll(/'([a-z_]+)'/g)].map(([, code = '']) => code);
  });
}

describe('the page of troubleshooting (docs/operate/troubleshooting.md)', () => {
  it.each([
    ['### Of requests', ['RequestErrorCode'], []],
    ['### Of turns', ['TurnErrorCode', 'ActionErrorCode'], partErrorCodes],
  ])('has each code once, with a cause and a cure: %s', (heading, unions, values) => {
    const rows = rowsBelow(heading);
    const codes = [...codesOf(...unions), ...values];
    expect(codes.length).toBeGreaterThan(15);
    expect(rows.map(([, code]) => code?.replaceAll('`', '')).toSorted()).toEqual(codes.toSorted());
    for (const row of rows) for (const cell of row.slice(1, -1)) expect(cell).not.toBe('');
  });

  it('has each code that the contract of errors names', () => {
    const contract = pages.get('docs/contract/errors.md') ?? '';
    const codes = [...contract.matchAll(/`([a-z]+(?:_[a-z]+)+|forbidden|internal|overloaded|interrupted)`/g)];
    expect(codes.length).toBeGreaterThan(40);
    for (const [, code = ''] of codes) expect(page, code).toContain(`| \`${code}\``);
  });

  it('has each warning once, with a link to its cause and cure', () => {
    const warnings = pages.get('docs/reference/warnings.md') ?? '';
    const documented = [...warnings.matchAll(/^## (HLP\d+)$/gm)].map(([, code = '']) => code);
    const linked = [...page.matchAll(/^\| \[(HLP\d+)\]\(\.\.\/reference\/warnings\.md#(hlp\d+)\) +\| \S/gm)];
    expect(linked.map(([, code]) => code).toSorted()).toEqual(documented.toSorted());
    for (const [, code, anchor] of linked) expect(anchor).toBe(code?.toLowerCase());
  });
});
