import type { AdminMetrics, ConfirmationFigures } from '../../wire/admin-metrics.ts';
import type { PageContext } from '../page-context.ts';
import { numeric, type Table } from './table.ts';
import { budgetsTable, dearestTable, slowestTable } from './turn-tables.ts';

/** A section of the page with tables of one subject. */
export interface TableGroup {
  readonly name: keyof PageContext['texts']['groups'];
  /** The tables that have rows. */
  readonly tables: readonly Table[];
  /** The titles of those that have none, but for tables that are empty on most servers. */
  readonly empty: readonly string[];
}

/** The tables of a range by their subjects. A subject of which there is nothing on most servers is left out when it is empty. */
export function tableGroupsOf(context: PageContext, metrics: AdminMetrics): readonly TableGroup[] {
  const of = (
    name: TableGroup['name'],
    usual: readonly ((context: PageContext, metrics: AdminMetrics) => Table)[],
    rare: typeof usual = [],
  ): TableGroup => {
    const made = usual.map((make) => make(context, metrics));
    const all = [...made, ...rare.map((make) => make(context, metrics))];
    return {
      name,
      tables: all.filter(({ rows }) => rows.length > 0),
      empty: made.flatMap(({ rows, title }) => (rows.length === 0 ? [title] : [])),
    };
  };
  return [
    of('turns', [slowestTable, dearestTable]),
    of('models', [modelsTable], [modelFaultsTable]),
    of('budgets', [], [budgetsTable]),
    of('actions', [actionsTable, actionConfirmationsTable, confirmationsTable], [callbacksTable]),
    of('connections', [channelsTable, connectionsTable], [snapshotsTable]),
    of('faults', [faultsTable, limitedTable], [filesTable]),
    of('documents', [], [foldersTable, leftOutTable]),
  ].filter(({ tables, empty }) => tables.length + empty.length > 0);
}

function modelsTable({ texts, formats }: PageContext, { models, totals }: AdminMetrics): Table {
  return {
    name: 'models',
    title: texts.models,
    columns: [
      { title: texts.model },
      ...numeric(
        texts.requests,
        texts.tokensIn,
        texts.fromCache,
        texts.tokensOut,
        texts.cost,
        texts.failures,
        texts.most,
      ),
    ],
    rows: models.map((model) => [
      model.model,
      formats.number(model.calls),
      formats.number(model.inputTokens),
      formats.number(model.cachedInputTokens),
      formats.number(model.outputTokens),
      model.cost === null ? texts.noPrice : formats.cost(model.cost),
      formats.number(model.errors),
      model.p95 === null ? texts.unknown : formats.duration(model.p95),
    ]),
    ...(totals.cachedInputTokens > 0 && totals.cost !== null ? { note: texts.cachedPrice } : {}),
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

function actionConfirmationsTable({ texts, formats }: PageContext, { actionConfirmations }: AdminMetrics): Table {
  const cells = (of: ConfirmationFigures): readonly string[] => [
    ...[of.asked, of.approved, of.declined, of.byRule, of.expired, of.cancelled].map((count) => formats.number(count)),
    of.medianMs === null ? texts.unknown : formats.duration(of.medianMs),
  ];
  return {
    name: 'actionConfirmations',
    title: texts.confirmationsByAction,
    columns: [
      { title: texts.action },
      ...numeric(texts.asked, texts.approved, texts.declined, texts.byRule, texts.expired, texts.cancelled),
      ...numeric(texts.answerTime),
    ],
    rows: actionConfirmations.map((of) => [of.action, ...cells(of)]),
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

function channelsTable({ texts, formats }: PageContext, { channels }: AdminMetrics): Table {
  return {
    name: 'channels',
    title: texts.channels,
    columns: [{ title: texts.channel }, ...numeric(texts.turns)],
    rows: channels.map(({ channel, turns }) => [channel, formats.number(turns)]),
  };
}

function connectionsTable({ texts, formats }: PageContext, { connections, live }: AdminMetrics): Table {
  return {
    name: 'connections',
    title: texts.connections,
    columns: [
      { title: texts.channel },
      ...numeric(texts.openNow, texts.openFor, texts.mostConnections, texts.opened, texts.cameBack, texts.lasted),
    ],
    rows: connections.map(({ channel, peak, opened, returned, averageMs }) => {
      const now = live.channels.find((one) => one.channel === channel);
      const isOpen = now !== undefined && now.connections > 0;
      return [
        channel,
        formats.number(now?.connections ?? 0),
        isOpen ? formats.age(now.averageAgeMs) : texts.unknown,
        formats.number(peak),
        formats.number(opened),
        formats.number(returned),
        averageMs === null ? texts.unknown : formats.duration(averageMs),
      ];
    }),
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

function modelFaultsTable({ texts, formats }: PageContext, { modelFaults }: AdminMetrics): Table {
  return {
    name: 'modelFaults',
    title: texts.modelFaults,
    columns: [
      { title: texts.model },
      { title: texts.code },
      { title: 'HTTP' },
      { title: texts.reason },
      ...numeric(texts.count),
    ],
    rows: modelFaults.map(({ model, error, status, code, count }) => [
      model,
      error,
      status === null ? texts.unknown : String(status),
      code ?? texts.unknown,
      formats.number(count),
    ]),
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

function snapshotsTable({ texts, formats }: PageContext, { snapshots }: AdminMetrics): Table {
  return {
    name: 'snapshots',
    title: texts.conversations,
    columns: [{ title: texts.what }, { title: texts.reason }, ...numeric(texts.count)],
    rows: snapshots.map(({ what, reason, count }) => [
      texts.conversationStates[what],
      reason ?? texts.unknown,
      formats.number(count),
    ]),
  };
}

function filesTable({ texts, formats }: PageContext, { files }: AdminMetrics): Table {
  return {
    name: 'files',
    title: texts.files,
    columns: [{ title: texts.reason }, ...numeric(texts.count)],
    rows: files.map(({ reason, count }) => [reason, formats.number(count)]),
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

function foldersTable({ texts, formats }: PageContext, { live }: AdminMetrics): Table {
  return {
    name: 'folders',
    title: texts.folders,
    columns: [{ title: texts.folder }, ...numeric(texts.documents, texts.leftOut, texts.passedOver)],
    rows: live.folders.map(({ source, documents, leftOut, passedOver }) => [
      source,
      ...[documents, leftOut, passedOver].map((count) => formats.number(count)),
    ]),
  };
}

function leftOutTable({ texts }: PageContext, { live }: AdminMetrics): Table {
  const named = live.folders.flatMap(({ files }) => files).length;
  const all = live.folders.reduce((sum, { leftOut, passedOver }) => sum + leftOut + passedOver, 0);
  return {
    name: 'leftOut',
    title: texts.documentsLeftOut,
    columns: [{ title: texts.file }, { title: texts.folder }, { title: texts.reason }],
    rows: live.folders.flatMap(({ source, files }) => files.map(({ file, reason }) => [file, source, reason])),
    ...(all > named ? { note: texts.moreLeftOut } : {}),
  };
}
