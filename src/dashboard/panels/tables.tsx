import type { JSX } from 'preact';
import type { PageContext, Shown } from '../page-context.ts';
import { DataTable } from './data-table.tsx';
import { tableGroupsOf } from './range-tables.ts';
import type { Table } from './table.ts';

/** The figures of the range by subject, each table with its file. */
export function Tables({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts } = context;
  return (
    <>
      {tableGroupsOf(context, shown.metrics).map(({ name, tables, empty }) => (
        <section key={name} aria-labelledby={`${name}-title`}>
          <h2 id={`${name}-title`}>{texts.groups[name]}</h2>
          <div class="tables">
            {tables.map((table) => (
              <TablePanel key={table.name} context={context} shown={shown} table={table} />
            ))}
          </div>
          {empty.length === 0 ? null : (
            <p class="hint">
              {texts.nothing} {empty.join(', ')}
            </p>
          )}
        </section>
      ))}
    </>
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
      <DataTable id={`table-${name}`} caption={title} columns={columns} rows={rows} />
      {note === undefined ? null : <p class="hint">{note}</p>}
    </div>
  );
}
