import { LeftOut, readLimits } from './read-limits.ts';

const mostColumns = 1_000;

/** How many columns and rows a cell takes. */
export interface Span {
  readonly columns: number;
  readonly rows: number;
}

const single: Span = { columns: 1, rows: 1 };

/** A table, put together row by row. A cell that spans several rows or columns is repeated in each of them. */
export class TableGrid {
  readonly #rows: string[][] = [];
  /** Texts of cells from rows above that reach into the row at hand, by their column. */
  #hanging = new Map<number, { readonly text: string; left: number }>();
  #cells = 0;
  #row: string[] = [];

  /** Begins the next row. */
  row(): void {
    this.#fill();
    this.#row = [];
    this.#rows.push(this.#row);
  }

  /** @throws LeftOut when the table has too many cells. */
  cell(text: string, span: Span = single): void {
    if (this.#rows.length === 0) this.row();
    this.#fill();
    const words = text.replace(/\s+/g, ' ').trim();
    const columns = Math.max(1, Math.min(span.columns, mostColumns - this.#row.length));
    for (let at = 0; at < columns; at += 1) {
      if (span.rows > 1) this.#hanging.set(this.#row.length, { text: words, left: span.rows - 1 });
      this.#push(words);
    }
  }

  /** All rows. Those without any text are left out. */
  rows(): readonly (readonly string[])[] {
    this.#fill();
    return this.#rows.filter((row) => row.some((cell) => cell !== ''));
  }

  /** Puts the cells that reach down from above into their places, up to the next free one. */
  #fill(): void {
    for (;;) {
      const above = this.#hanging.get(this.#row.length);
      if (above === undefined || this.#rows.length === 0) return;
      above.left -= 1;
      if (above.left === 0) this.#hanging.delete(this.#row.length);
      this.#push(above.text);
    }
  }

  #push(text: string): void {
    this.#cells += 1;
    if (this.#cells > readLimits.cells) {
      throw new LeftOut(`has a table with more than ${readLimits.cells.toLocaleString('en')} cells`, { why: 'costly' });
    }
    this.#row.push(text);
  }
}

/**
 * A table as Markdown writes it, because models read that, and `splitText` finds the rows and their header in it. The first row is the
 * header. Empty rows and columns are left out. A row that is one text across all columns stands above the table or between its rows once.
 */
export function tableText(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) =>
    rows.some((row) => (row[column] ?? '') !== ''),
  );
  const lines: string[] = [];
  let hasHeader = false;
  for (const row of rows) {
    const cells = columns.map((column) => row[column] ?? '');
    const only = columns.length > 1 ? onlyText(cells) : undefined;
    if (only !== undefined && !hasHeader) {
      lines.push(only, '');
      continue;
    }
    lines.push(rowText(only === undefined ? cells : [only, ...cells.slice(1).map(() => '')]));
    if (!hasHeader && columns.length > 1) lines.push(`|${' --- |'.repeat(columns.length)}`);
    hasHeader = true;
  }
  return lines.join('\n').trim();
}

/** The text of a row that says the same in all its cells, as a cell that spans all columns does, or that has one text alone. */
function onlyText(cells: readonly string[]): string | undefined {
  const first = cells.find((cell) => cell !== '');
  const isOne =
    cells.every((cell) => cell === first) || cells.every((cell, at) => cell === '' || (at === 0 && cell === first));
  return isOne ? first : undefined;
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
