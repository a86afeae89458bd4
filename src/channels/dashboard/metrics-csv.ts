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

function tableOf(
  metrics: AdminMetrics,
  table: CsvTable,
): { readonly columns: readonly string[]; readonly rows: readonly Row[] } {
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
      return {
        columns: ['model', 'calls', 'inputTokens', 'outputTokens', 'cachedInputTokens', 'cost', 'errors', 'p95'],
        rows: metrics.models.map((row) => ({ ...row })),
      };
    case 'actions':
      return {
        columns: ['action', 'from', 'readOnly', 'calls', 'failures', 'declined', 'p95'],
        rows: metrics.actions.map((row) => ({ ...row })),
      };
    case 'channels':
      return { columns: ['channel', 'turns', 'peakConnections'], rows: channelRows(metrics) };
    case 'confirmations':
      return {
        columns: confirmationColumns,
        rows: [{ ...metrics.confirmations }],
      };
    case 'actionConfirmations':
      return {
        columns: ['action', ...confirmationColumns],
        rows: metrics.actionConfirmations.map((row) => ({ ...row })),
      };
    case 'faults':
      return { columns: ['kind', 'code', 'count'], rows: metrics.faults.map((row) => ({ ...row })) };
    case 'modelFaults':
      return {
        columns: ['model', 'provider', 'error', 'status', 'code', 'count'],
        rows: metrics.modelFaults.map((row) => ({ ...row })),
      };
    case 'limited':
      return { columns: ['what', 'count'], rows: metrics.limited.map((row) => ({ ...row })) };
    case 'files':
      return { columns: ['reason', 'count'], rows: metrics.files.map((row) => ({ ...row })) };
    case 'connections':
      return {
        columns: ['channel', 'peak', 'opened', 'returned', 'averageMs'],
        rows: metrics.connections.map((row) => ({ ...row })),
      };
    case 'snapshots':
      return { columns: ['what', 'reason', 'count'], rows: metrics.snapshots.map((row) => ({ ...row })) };
    case 'callbacks':
      return {
        columns: ['callback', 'answered', 'failed', 'paused'],
        rows: metrics.callbacks.map((row) => ({ ...row })),
      };
  }
}

function channelRows({ channels, peaks }: AdminMetrics): readonly Row[] {
  const names = [...new Set([...channels, ...peaks].map(({ channel }) => channel))].sort();
  return names.map((name) => ({
    channel: name,
    turns: channels.find(({ channel }) => channel === name)?.turns ?? 0,
    peakConnections: peaks.find(({ channel }) => channel === name)?.connections ?? 0,
  }));
}

const confirmationColumns = ['asked', 'approved', 'declined', 'expired', 'cancelled', 'byRule', 'medianMs'];

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
