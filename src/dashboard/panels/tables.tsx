import type { JSX } from 'preact';
import type { AdminMetrics, CsvTable } from '../../wire/admin-metrics.ts';
import type { PageContext, Shown } from '../page-context.ts';
import { type Column, DataTable } from './data-table.tsx';

interface Table {
  readonly name: CsvTable;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** The figures of the range by model, action, channel and so on, each with its file. */
export function Tables({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts } = context;
  const { metrics } = shown;
  const tables = [
    modelsTable(context, metrics),
    actionsTable(context, metrics),
    confirmationsTable(context, metrics),
    channelsTable(context, metrics),
    faultsTable(context, metrics),
    limitedTable(context, metrics),
    ...(metrics.callbacks.length === 0 ? [] : [callbacksTable(context, metrics)]),
  ];
  return (
    <section aria-labelledby="tables-title">
      <h2 id="tables-title">{texts.details}</h2>
      <div class="tables">
        {tables.map(({ name, title, columns, rows }) => (
          <div key={name} class="panel">
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
          </div>
        ))}
      </div>
    </section>
  );
}

const numeric = (...titles: readonly string[]): readonly Column[] => titles.map((title) => ({ title, isNumber: true }));

function modelsTable({ texts, formats }: PageContext, { models }: AdminMetrics): Table {
  return {
    name: 'models',
    title: texts.models,
    columns: [
      { title: texts.model },
      ...numeric(texts.calls, texts.tokensIn, texts.tokensOut, texts.cost, texts.failures, texts.most),
    ],
    rows: models.map((model) => [
      model.model,
      formats.number(model.calls),
      formats.number(model.inputTokens),
      formats.number(model.outputTokens),
      model.cost === null ? texts.noPrice : formats.cost(model.cost),
      formats.number(model.errors),
      model.p95 === null ? texts.unknown : formats.duration(model.p95),
    ]),
  };
}

function actionsTable({ texts, formats }: PageContext, { actions }: AdminMetrics): Table {
  return {
    name: 'actions',
    title: texts.actions,
    columns: [
      { title: texts.action },
      { title: texts.from },
      { title: texts.changes },
      ...numeric(texts.calls, texts.failures, texts.declined, texts.most),
    ],
    rows: actions.map((action) => [
      action.action,
      action.from ?? texts.unknown,
      action.readOnly === null ? texts.unknown : action.readOnly ? texts.no : texts.yes,
      formats.number(action.calls),
      formats.number(action.failures),
      formats.number(action.declined),
      action.p95 === null ? texts.unknown : formats.duration(action.p95),
    ]),
  };
}

function confirmationsTable({ texts, formats }: PageContext, { confirmations }: AdminMetrics): Table {
  const { asked, approved, declined, expired, cancelled, byRule, medianMs } = confirmations;
  const rows = [
    [texts.asked, formats.number(asked)],
    [texts.approved, formats.number(approved)],
    [texts.declined, formats.number(declined)],
    [texts.expired, formats.number(expired)],
    [texts.cancelled, formats.number(cancelled)],
    [texts.byRule, formats.number(byRule)],
    [texts.answerTime, medianMs === null ? texts.unknown : formats.duration(medianMs)],
  ];
  return {
    name: 'confirmations',
    title: texts.confirmations,
    columns: [{ title: texts.what }, ...numeric(texts.count)],
    rows: asked + byRule + approved + declined + expired + cancelled === 0 ? [] : rows,
  };
}

function channelsTable({ texts, formats }: PageContext, { channels, peaks }: AdminMetrics): Table {
  const names = [...new Set([...channels, ...peaks].map(({ channel }) => channel))].sort();
  return {
    name: 'channels',
    title: texts.channels,
    columns: [{ title: texts.channel }, ...numeric(texts.turns, texts.mostConnections)],
    rows: names.map((name) => [
      name,
      formats.number(channels.find(({ channel }) => channel === name)?.turns ?? 0),
      formats.number(peaks.find(({ channel }) => channel === name)?.connections ?? 0),
    ]),
  };
}

function faultsTable({ texts, formats }: PageContext, { faults }: AdminMetrics): Table {
  return {
    name: 'faults',
    title: texts.faults,
    columns: [{ title: texts.code }, { title: texts.kind }, ...numeric(texts.count)],
    rows: faults.map(({ kind, code, count }) => [code, texts.kinds[kind], formats.number(count)]),
  };
}

function limitedTable({ texts, formats }: PageContext, { limited }: AdminMetrics): Table {
  return {
    name: 'limited',
    title: texts.limited,
    columns: [{ title: texts.what }, ...numeric(texts.count)],
    rows: limited.map(({ what, count }) => [texts.limits[what] ?? what, formats.number(count)]),
  };
}

function callbacksTable({ texts, formats }: PageContext, { callbacks, live }: AdminMetrics): Table {
  return {
    name: 'callbacks',
    title: texts.callbacks,
    columns: [
      { title: texts.name },
      { title: texts.state },
      ...numeric(texts.answered, texts.failures, texts.notAsked),
    ],
    rows: callbacks.map(({ callback, answered, failed, paused }) => {
      const state = live.callbacks.find((one) => one.callback === callback)?.state;
      return [
        callback,
        state === undefined ? texts.unknown : texts.states[state],
        formats.number(answered),
        formats.number(failed),
        formats.number(paused),
      ];
    }),
  };
}
