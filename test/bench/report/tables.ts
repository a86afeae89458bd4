import { markdownTable } from '../../support/markdown-table.ts';
import type { Failure, Measured, Metric, Sample } from '../sample.ts';
import type { Outcome } from './budget.ts';
import type { Machine } from './machine.ts';
import { summarise } from './statistics.ts';

/** All that a run found out. */
export interface Report {
  readonly profile: string;
  readonly machine: Machine;
  readonly measured: Measured;
  readonly outcomes: readonly Outcome[];
  /** Reasons not to trust the figures. */
  readonly doubts: readonly string[];
  /** A description of each target. */
  readonly descriptions: Readonly<Record<string, string>>;
  /** The title of each workload, in the order of the report. */
  readonly titles: Readonly<Record<string, string>>;
}

const columns: Readonly<Record<Metric, { readonly title: string; readonly digits: number }>> = {
  repliesPerSecond: { title: 'replies/s', digits: 0 },
  chunksPerSecond: { title: 'chunks/s', digits: 0 },
  cpuPerReply: { title: 'CPU µs/reply', digits: 0 },
  cpuPerChunk: { title: 'CPU µs/chunk', digits: 2 },
  mainPerReply: { title: 'main thread CPU µs/reply', digits: 0 },
  spansPerReply: { title: 'spans/reply', digits: 2 },
  firstTokenMs: { title: 'first token p50 ms', digits: 2 },
  addedP50Ms: { title: 'added p50 ms', digits: 2 },
  addedP99Ms: { title: 'added p99 ms', digits: 1 },
  bytesPerReply: { title: 'bytes/reply', digits: 0 },
  residentMiB: { title: 'RSS MiB', digits: 0 },
  readyMs: { title: 'ready after ms', digits: 0 },
  connectsPerSecond: { title: 'connects/s', digits: 0 },
  cpuPerConnect: { title: 'CPU µs/connect', digits: 0 },
  kibPerConnection: { title: 'KiB/connection', digits: 1 },
  chatP50Ms: { title: "others' first token p50 ms", digits: 1 },
  chatP99Ms: { title: "others' first token p99 ms", digits: 1 },
  confirmedPerSecond: { title: 'confirmed turns/s', digits: 1 },
  confirmedP50Ms: { title: 'confirmed turn p50 ms', digits: 1 },
};

const shownMetrics: Readonly<Record<string, readonly Metric[]>> = {
  burst: ['repliesPerSecond', 'chunksPerSecond', 'cpuPerReply', 'cpuPerChunk', 'bytesPerReply', 'residentMiB'],
  traced: ['repliesPerSecond', 'cpuPerReply', 'mainPerReply', 'spansPerReply', 'residentMiB'],
  paced: ['chunksPerSecond', 'cpuPerChunk', 'addedP50Ms', 'addedP99Ms', 'residentMiB'],
  capacity: ['chunksPerSecond', 'cpuPerChunk', 'addedP50Ms', 'addedP99Ms', 'residentMiB'],
  busy: ['chunksPerSecond', 'cpuPerChunk', 'addedP50Ms', 'addedP99Ms', 'residentMiB'],
  turn: ['repliesPerSecond', 'cpuPerReply', 'residentMiB'],
  tool: ['repliesPerSecond', 'cpuPerReply', 'residentMiB'],
  specialist: ['repliesPerSecond', 'cpuPerReply', 'residentMiB'],
  team: ['repliesPerSecond', 'cpuPerReply', 'residentMiB'],
  firstToken: ['firstTokenMs', 'cpuPerReply'],
  startup: ['readyMs', 'residentMiB'],
  confirmed: ['chatP50Ms', 'chatP99Ms', 'confirmedPerSecond', 'confirmedP50Ms', 'residentMiB'],
  idle: ['kibPerConnection', 'connectsPerSecond', 'cpuPerConnect', 'residentMiB'],
  givenBack: ['residentMiB'],
};

/** The whole report in Markdown. */
export function renderReport(report: Report): string {
  return [
    renderHead(report),
    ...Object.keys(report.titles).map((workload) => renderWorkload(report, workload)),
    renderGoals(report.outcomes),
    renderFailures(report.measured.failures),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function renderHead({ machine, doubts }: Report): string {
  const pinning = machine.pinned ? 'the server on one core, model and client on another' : 'processes not pinned';
  const line =
    `Measured ${machine.date} on ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ` +
    `${machine.system}, Node ${machine.node.slice(1)}; load average before the run ${machine.load.toFixed(2)}; ${pinning}.`;
  return [line, ...doubts.map((doubt) => `**Do not trust these figures**: ${doubt}.`)].join('\n\n');
}

function renderWorkload({ measured, titles, descriptions }: Report, workload: string): string {
  const samples = measured.samples.filter((sample) => sample.workload === workload);
  if (samples.length === 0) return '';
  const metrics = shownMetrics[workload] ?? [];
  const targets = [...new Set(samples.map((sample) => sample.target))];
  const yardstick = metrics.includes('cpuPerChunk')
    ? 'cpuPerChunk'
    : metrics.includes('cpuPerReply')
      ? 'cpuPerReply'
      : undefined;
  const compares = yardstick !== undefined && targets.includes('pipe') && targets.length > 1;
  const rows = targets.map((target) => [
    target,
    ...metrics.map((metric) => figure(samples, target, metric)),
    ...(compares ? [ratio(samples, target, yardstick)] : []),
    descriptions[target] ?? '',
  ]);
  const head = ['', ...metrics.map((metric) => columns[metric].title), ...(compares ? ['CPU × pipe'] : []), ''];
  return `### ${titles[workload] ?? workload}\n\n${markdownTable(head, rows)}`;
}

function figure(samples: readonly Sample[], target: string, metric: Metric): string {
  const values = samples
    .filter((sample) => sample.target === target)
    .map((sample) => sample.figures[metric] ?? Number.NaN);
  return format(summarise(values).median, columns[metric].digits);
}

/** The rounds' ratios: the middle one, and the least and the most in brackets. */
function ratio(samples: readonly Sample[], target: string, metric: Metric): string {
  const ratios = samples
    .filter((sample) => sample.target === target)
    .map((sample) => {
      const pipe = samples.find((other) => other.target === 'pipe' && other.round === sample.round);
      return (sample.figures[metric] ?? Number.NaN) / (pipe?.figures[metric] ?? Number.NaN);
    });
  const { median, least, most } = summarise(ratios);
  return target === 'pipe' || Number.isNaN(median)
    ? format(median, 2)
    : `${format(median, 2)} (${format(least, 2)}–${format(most, 2)})`;
}

function renderGoals(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return '';
  const rows = outcomes.map(({ goal, value, isMet }) => {
    const against = goal.to !== undefined ? ` / ${goal.to}` : goal.minus !== undefined ? ` − ${goal.minus}` : '';
    const bound = goal.atMost !== undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast ?? ''}`;
    const digits = value.median >= 100 ? 0 : 2;
    const spread = value.least === value.most ? '' : ` (${format(value.least, digits)}–${format(value.most, digits)})`;
    const name = `${goal.workload}: ${columns[goal.metric].title}, ${goal.of}${against}`;
    return [goal.id, name, bound, format(value.median, digits) + spread, isMet ? 'met' : '**missed**'];
  });
  return `### Goals\n\n${markdownTable(['', 'Figure', 'Goal', 'Measured (least–most)', ''], rows)}`;
}

function renderFailures(failures: readonly Failure[]): string {
  if (failures.length === 0) return '';
  const lines = failures.map(
    ({ workload, target, reason }) => `- ${target} (${workload}): ${reason.split('\n')[0] ?? ''}`,
  );
  return `### Not measured\n\n${lines.join('\n')}`;
}

function format(value: number, digits: number): string {
  return Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
