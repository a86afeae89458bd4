import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../../src/adapters/knowledge/files/reader/formats/csv.ts';
import { readHtml } from '../../../../src/adapters/knowledge/files/reader/formats/html/html.ts';
import { readDocx } from '../../../../src/adapters/knowledge/files/reader/formats/office/docx.ts';
import { partLength, splitText } from '../../../../src/adapters/knowledge/files/reader/split-text.ts';
import { TableGrid, tableText } from '../../../../src/adapters/knowledge/files/reader/table-text.ts';
import { docxOfXml } from '../../../support/office-files.ts';

function textOf(html: string): string {
  return readHtml(html)
    .sections.map(({ text }) => text)
    .join('\n\n');
}

const koala = '| Plan | Price |\n| --- | --- |\n| Koala | 11 monthly |\n| Koala | 22 yearly |';

describe('a table (contract/document-folders.md#what-is-read)', () => {
  it.each([
    // proves service-2.11-33
    [
      'of a page keeps its rows, with cells that span rows in each of them',
      '<table><tr><th><p>Plan</p><th><p>Price</p><tr><td rowspan=2><p>Koala</p><td><p>11 monthly</p><tr><td>22 yearly</table>',
      koala,
    ],
    [
      'has cells that span columns in each of them',
      '<table><tr><th>Plan<th colspan=2>Price<tr><td>Koala<td>11<td>22</table>',
      '| Plan | Price | Price |\n| --- | --- | --- |\n| Koala | 11 | 22 |',
    ],
    [
      'may hold lists and tables in its cells',
      '<table><tr><td>a<td><ul><li>b<li>c</ul><tr><td>d<td><table><tr><td>e<td>f</table></table>',
      '| a | - b - c |\n| --- | --- |\n| d | e, f |',
    ],
    [
      'has its caption, and a title across all columns, above it',
      '<table><caption>Fees</caption><tr><td colspan=2>In euros<tr><td>a<td>b</table>',
      'Fees\n\nIn euros\n\n| a | b |\n| --- | --- |',
    ],
    ['whose cells hold sections is the layout of a page', '<table><tr><td><h2>A</h2>one<td>two</table>', 'one\n\ntwo'],
    ['of one column is text', '<table><tr><td>one<tr><td>two</table>', 'one\n\ntwo'],
    ['without any text is nothing', '<p>text</p><table><tr><td><td></table>', 'text'],
    ['keeps bars of its cells apart from its own', '<table><tr><td>a|b<td>c</table>', '| a\\|b | c |\n| --- | --- |'],
  ])('%s', (_title, html, expected) => {
    expect(textOf(html)).toBe(expected);
  });

  // proves service-2.11-33
  it('of Word keeps its rows, with merged cells in each of them', async () => {
    const cell = (text: string, merge = ''): string =>
      `<w:tc><w:tcPr>${merge}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const rows = [
      cell('Plan') + cell('Price'),
      cell('Koala', '<w:vMerge w:val="restart"/>') + cell('11 monthly'),
      cell('', '<w:vMerge/>') + cell('22 yearly'),
    ];
    const { sections } = await readDocx(
      docxOfXml(`<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`),
    );
    expect(sections.map(({ text }) => text)).toEqual([koala]);
  });

  it.each([
    ['commas', 'Plan,Price\n"Koala, small",11\n'],
    ['semicolons', 'Plan;Price\n"Koala, small";11\n'],
    ['the delimiter that it names', 'sep=|\nPlan|Price\n"Koala, small"|11\n'],
  ])('of lines may have %s', (_title, text) => {
    expect(readCsv(text).sections[0]?.text).toBe('| Plan | Price |\n| --- | --- |\n| Koala, small | 11 |');
  });

  // proves service-2.11-33
  it('that is cut begins each part with its header', () => {
    const rows = Array.from({ length: 200 }, (_, at) => `| Plan ${String(at)} | ${'word '.repeat(5)}|`);
    const parts = splitText(`Before.\n\n| Plan | What |\n| --- | --- |\n${rows.join('\n')}\n\nAfter.`, 'en');
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.every((part) => part.includes('| Plan | What |\n| --- | --- |\n| Plan '))).toBe(true);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(partLength);
    for (const row of rows) expect(parts.filter((part) => part.split('\n').includes(row.trim()))).toHaveLength(1);
  });

  it('with a very long row is cut within the row, below its header', () => {
    const parts = splitText(`a | b\n--- | ---\n${'long words '.repeat(500)} | c`, 'en');
    expect(parts.slice(1).every((part) => part.startsWith('a | b\n--- | ---\n'))).toBe(true);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(partLength);
  });

  // proves service-2.11-49
  it('with too many cells is left out', () => {
    const grid = new TableGrid();
    expect(() => {
      for (let row = 0; row < 2_000; row += 1) {
        grid.row();
        grid.cell('x', { columns: 1_000, rows: 1 });
      }
    }).toThrow('has a table with more than 500,000 cells');
  });

  it('does not write columns without any text', () => {
    expect(
      tableText([
        ['a', '', 'b'],
        ['c', '', 'd'],
      ]),
    ).toBe('| a | b |\n| --- | --- |\n| c | d |');
  });

  it('nested 100,000 deep is read', () => {
    expect(textOf(`${'<table><tr><td>'.repeat(100_000)}deep`)).toContain('deep');
  });
});
