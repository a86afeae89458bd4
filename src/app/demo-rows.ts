import type { DemoColumn } from '../plugin-api/demo-list.ts';
import type { DemoCell, DemoProjectList } from '../wire/demo-project.ts';

/** Nobody reads a list with more rows on a page. */
const maxRows = 200;
const maxColumns = 12;
const maxCellLength = 300;

type Row = Readonly<Record<string, unknown>>;

/**
 * A plugin's rows as the demo page shows them: a bounded table of plain values.
 * @throws TypeError when `given` is not a list of objects.
 */
export function demoRows(
  given: unknown,
  declared: readonly DemoColumn[],
): Pick<DemoProjectList, 'columns' | 'rows' | 'total'> {
  if (!Array.isArray(given)) throw new TypeError('rows must return a list');
  const rows = given.slice(0, maxRows).map((row: unknown) => {
    if (!isRow(row)) throw new TypeError('every row must be an object');
    return row;
  });
  const columns = (declared.length > 0 ? declared : columnsOf(rows)).slice(0, maxColumns);
  return {
    columns: columns.map(({ title, tones }) => ({ title, ...(tones === undefined ? {} : { tones }) })),
    rows: rows.map((row) => columns.map(({ name }) => cellOf(row[name]))),
    total: given.length,
  };
}

/** A column for every member that a row has, in the order of their first appearance. The title of `placedOn` is "Placed on". */
function columnsOf(rows: readonly Row[]): readonly DemoColumn[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => ({ name, title: titleOfMember(name) }));
}

function titleOfMember(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function cellOf(value: unknown): DemoCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  // The type says that the result is always text, but functions and symbols have no JSON.
  const json = JSON.stringify(value) as string | undefined;
  const text = typeof value === 'string' ? value : (json ?? '');
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
