import type { JSX } from 'preact';
import type { PageContext, Shown } from '../page-context.ts';
import { DataTable } from './data-table.tsx';
import { type Table, tablesOf } from './range-tables.ts';

/** The figures of the range by model, action, channel and so on, each with its file. */
export function Tables({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  return (
    <section aria-labelledby="tables-title">
      <h2 id="tables-title">{context.texts.details}</h2>
      <div class="tables">
        {tablesOf(context, shown.metrics).map((table) => (
          <TablePanel key={table.name} context={context} shown={shown} table={table} />
        ))}
      </div>
    </section>
  );
}

interface TablePanelProps {
  readonly context: PageContext;
  readonly shown: Shown;
  readonly table: Table;
}

function TablePanel({ context: { texts }, shown, table }: TablePanelProps): JSX.Element {
  const { name, title, columns, rows, note } = table;
  return (
    <div class={columns.length > 6 ? 'panel is-wide' : 'panel'}>
      <div class="panel-head">
        <h3>{title}</h3>
        <button type="button" aria-label={texts.asCsv(title)} onClick={() => shown.saveCsv(name)}>
          CSV
        </button>
      </div>
      {rows.length === 0 ? (
        <p class="hint">{texts.nothing}</p>
      ) : (
        <DataTable id={`table-${name}`} caption={title} columns={columns} rows={rows} />
      )}
      {note === undefined ? null : <p class="hint">{note}</p>}
    </div>
  );
}
