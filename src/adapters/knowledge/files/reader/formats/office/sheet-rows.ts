import { TableGrid, tableText } from '../../table-text.ts';
import type { SectionBuilder } from '../../section.ts';

/** The most columns of a row that are looked at. */
const mostColumns = 16_384;

/** A row of a sheet: its cells by their column. Empty cells are left out. */
export type SheetRow = ReadonlyMap<number, string>;

/**
 * Writes the rows of a sheet as tables. A row with one cell above a table is its title, or a remark; a new table begins where such a row
 * follows an empty one.
 */
export class SheetWriter {
  readonly #builder: SectionBuilder;
  #table: SheetRow[] = [];
  #isAfterGap = true;
  #widest = 0;

  constructor(builder: SectionBuilder) {
    this.#builder = builder;
  }

  row(row: SheetRow): void {
    if (row.size === 0) {
      this.#isAfterGap = true;
      return;
    }
    if (this.#isAfterGap && row.size === 1 && this.#widest > 1) this.end();
    this.#isAfterGap = false;
    this.#widest = Math.max(this.#widest, row.size);
    this.#table.push(row);
  }

  /** Writes what is left. */
  end(): void {
    const rows = this.#table;
    this.#table = [];
    this.#widest = 0;
    if (rows.length === 0) return;
    const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].filter((column) => column < mostColumns);
    columns.sort((one, other) => one - other);
    const grid = new TableGrid();
    for (const row of rows) {
      grid.row();
      for (const column of columns) grid.cell(row.get(column) ?? '');
    }
    this.#builder.add(`\n\n${tableText(grid.rows())}\n\n`);
  }
}
