import type { CsvTable } from '../../wire/admin-metrics.ts';
import type { Column } from './data-table.tsx';

/** A table of the page. The server also offers it as a file. */
export interface Table {
  readonly name: CsvTable;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** A text below the table. */
  readonly note?: string;
}

/** Columns of numbers. */
export function numeric(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title, isNumber: true }));
}
