import type { AdminMetrics, CsvTable } from '../../wire/admin-metrics.ts';

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/** One table of the figures as CSV (RFC 4180). The first line names the columns. The cell of an unknown value is empty. */
export function csvOf(metrics: AdminMetrics, table: CsvTable): string {
  const { columns, rows } = tableOf(metrics, table);
  return [columns.join(','), ...rows.map((row) => columns.map((column) => written(row[column] ?? null)).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');
}

interface Written {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

function tableOf(metrics: AdminMetrics, table: CsvTable): Written {
  switch (table) {
    case 'hourly':
      return {
        columns: hourlyColumns,
        rows: metrics.hourly.map(({ latency, channels: _, costs: __, kinds: ___, ...totals }) => ({
          ...totals,
          ...latency,
        })),
      };
    case 'models':
      return rowsOf(metrics.models, 'model,calls,inputTokens,outputTokens,cachedInputTokens,cost,errors,p95');
    case 'actions':
      return rowsOf(metrics.actions, 'action,from,readOnly,calls,failures,declined,p95');
    case 'channels':
      return { columns: ['channel', 'turns', 'peakConnections'], rows: channelRows(metrics) };
    case 'confirmations':
      return rowsOf([metrics.confirmations], confirmationColumns);
    case 'actionConfirmations':
      return rowsOf(metrics.actionConfirmations, `action,${confirmationColumns}`);
    case 'faults':
      return rowsOf(metrics.faults, 'kind,code,count');
    case 'modelFaults':
      return rowsOf(metrics.modelFaults, 'model,provider,error,status,code,count');
    case 'limited':
      return rowsOf(metrics.limited, 'what,count');
    case 'files':
      return rowsOf(metrics.files, 'reason,count');
    case 'connections':
      return rowsOf(metrics.connections, 'channel,peak,opened,returned,averageMs');
    case 'snapshots':
      return rowsOf(metrics.snapshots, 'what,reason,count');
    case 'callbacks':
      return rowsOf(metrics.callbacks, 'callback,answered,failed,paused');
    case 'folders':
      return rowsOf(
        metrics.live.folders.map(({ files: _, ...row }) => row),
        'source,documents,leftOut,passedOver',
      );
    case 'slowest':
    case 'dearest':
      return rowsOf(metrics[table], 'turnId,at,channel,status,durationMs,model,inputTokens,outputTokens,cost');
    case 'budgets':
      return rowsOf(metrics.live.budgets, 'per,role,unit,limit,windowMs,whenUsedUp,spent,held,resetsAt');
    case 'leftOut':
      return rowsOf(
        metrics.live.folders.flatMap(({ source, files }) => files.map((row) => ({ source, ...row }))),
        'source,file,reason',
      );
  }
}

/** `columns`: names of members, with commas. */
function rowsOf<Each extends { readonly [Name in keyof Each]: Cell }>(rows: readonly Each[], columns: string): Written {
  return { columns: columns.split(','), rows: rows.map((row) => ({ ...row })) };
}

function channelRows({ channels, peaks }: AdminMetrics): readonly Row[] {
  const names = [...new Set([...channels, ...peaks].map(({ channel }) => channel))].sort();
  return names.map((name) => ({
    channel: name,
    turns: channels.find(({ channel }) => channel === name)?.turns ?? 0,
    peakConnections: peaks.find(({ channel }) => channel === name)?.connections ?? 0,
  }));
}

const confirmationColumns = 'asked,approved,declined,expired,cancelled,byRule,medianMs';

const hourlyColumns = [
  ...[
    'at',
    'turns',
    'inputTokens',
    'outputTokens',
    'cachedInputTokens',
    'cost',
    'guardrailBlocks',
    'rateLimited',
    'errors',
    'goodRatings',
    'badRatings',
  ],
  ...['p50', 'p95', 'firstTokenP50', 'firstTokenP95'],
];

/** A cell as CSV text. A spreadsheet would run a text that begins like a formula, so an apostrophe is put before it. */
function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
