import type { JSX } from 'preact';

export interface Column {
  readonly title: string;
  /** The column is aligned to the right, so that digits of the same place stand below each other. */
  readonly isNumber?: boolean;
}

interface DataTableProps {
  /** Unique on the page. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
}

/** A table that scrolls inside its box when it is wider than the screen. */
export function DataTable({ id, caption, columns, rows }: DataTableProps): JSX.Element {
  return (
    <div class="table-box" tabIndex={0} role="group" aria-labelledby={id}>
      <table>
        <caption id={id} class="unseen">
          {caption}
        </caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber === true ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...cells], row) => (
            // Two rows may be the same, as in the security log.
            <tr key={String(row)}>
              <th scope="row" dir="auto">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td
                  key={columns[index + 1]?.title}
                  dir="auto"
                  class={columns[index + 1]?.isNumber === true ? 'number' : ''}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
