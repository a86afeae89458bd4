import { markdownTable } from '../../support/markdown-table.ts';
import type { Machine } from '../report/machine.ts';
import { summarise } from '../report/statistics.ts';
import type { AccessFigures, Violation } from './measure-access.ts';
import type { FileFigures } from './measure-load.ts';
import type { ReplyFigures } from './measure-reply.ts';

/** The results of one product. */
export interface ProductReport {
  readonly label: string;
  readonly files: FileFigures;
  /** One per round. */
  readonly composerSeconds: readonly number[];
  /** One per round. */
  readonly replies: readonly ReplyFigures[];
  readonly access: AccessFigures;
}

/** All that a run found out. */
export interface WidgetReport {
  readonly machine: Machine;
  readonly rounds: number;
  /** Reasons not to trust the figures. */
  readonly doubts: readonly string[];
  readonly products: readonly ProductReport[];
  /** Products that could not be measured, with the reason. */
  readonly missing: readonly string[];
}

/** A column of figures: the middle one of the rounds, and how far they lie apart. */
interface Column {
  readonly title: string;
  readonly figure: (figures: ReplyFigures) => number;
  readonly digits: number;
}

const replyColumns: readonly Column[] = [
  { title: 'main thread s', figure: ({ mainThreadSeconds }) => mainThreadSeconds, digits: 2 },
  { title: 'layout and styles s', figure: ({ layoutSeconds }) => layoutSeconds, digits: 2 },
  { title: 'longest task ms', figure: ({ longestTaskMs }) => longestTaskMs, digits: 0 },
  { title: 'heap MiB', figure: ({ heapMiB }) => heapMiB, digits: 1 },
  { title: 'DOM nodes', figure: ({ nodes }) => nodes, digits: 0 },
];

/** The whole report in Markdown. */
export function renderWidgetReport(report: WidgetReport): string {
  const { products, missing } = report;
  return [
    renderHead(report),
    `### Until the user can write\n\n${loadTable(products)}`,
    `### A reply of 4,000 tokens, main thread four times slower\n\n${replyTable(products)}`,
    `### Accessibility, as far as a program sees it\n\n${accessTable(products)}`,
    missing.length === 0 ? '' : `### Not measured\n\n${missing.map((line) => `- ${line}.`).join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function renderHead({ machine, rounds, doubts }: WidgetReport): string {
  const line =
    `Measured ${machine.date} on ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ` +
    `${machine.system}; load average before the run ${machine.load.toFixed(2)}; the middle one of ${rounds} rounds, ` +
    'in brackets the least and the most.';
  return [line, ...doubts.map((doubt) => `**Do not trust these figures**: ${doubt}.`)].join('\n\n');
}

function loadTable(products: readonly ProductReport[]): string {
  const rows = products.map(({ label, files, composerSeconds }) => [
    label,
    ...[files.firstKiB, files.openKiB, files.replyKiB].map((weight) => format(weight, 1)),
    format(files.count, 0),
    spread(composerSeconds, 2),
  ]);
  return markdownTable(['', 'first load KiB', 'open KiB', 'with a reply KiB', 'files', 'composer after s'], rows);
}

function replyTable(products: readonly ProductReport[]): string {
  const rows = products.map(({ label, replies }) => [
    label,
    ...replyColumns.map(({ figure, digits }) => spread(replies.map(figure), digits)),
  ]);
  return markdownTable(['', ...replyColumns.map(({ title }) => title)], rows);
}

/** `12.3 (11.9–12.8)`, or `12.3` alone where all rounds agree. */
export function spread(values: readonly number[], digits: number): string {
  const { median, least, most } = summarise(values);
  const [middle, from, to] = [median, least, most].map((value) => format(value, digits));
  return from === to ? (middle ?? '') : `${middle ?? ''} (${from ?? ''}–${to ?? ''})`;
}

function accessTable(products: readonly ProductReport[]): string {
  const rows = products.map(({ label, access }) => [
    label,
    impacts(access.open),
    impacts(access.withReply),
    announced(access),
    access.tables > 0 && access.codeBlocks > 0 ? 'yes' : 'no',
    access.otherHosts.length === 0 ? 'none' : access.otherHosts.join(', '),
  ]);
  return markdownTable(
    ['', 'axe, open', 'axe, with a reply', 'spoken during a reply', 'tables and code', 'other hosts'],
    rows,
  );
}

const impactOrder = ['critical', 'serious', 'moderate', 'minor'];

/** `1 critical (label), 2 serious (color-contrast, list)`; `none` where axe found nothing. */
export function impacts(violations: readonly Violation[]): string {
  const parts = impactOrder.flatMap((impact) => {
    const rules = violations.filter((violation) => violation.impact === impact).map(({ rule }) => rule);
    return rules.length === 0 ? [] : [`${rules.length} ${impact} (${rules.join(', ')})`];
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function announced({ announcements, announcedCharacters }: AccessFigures): string {
  if (announcements === 0) return 'nothing';
  const times = announcements === 1 ? 'once' : `${format(announcements, 0)} times`;
  return `${times}, ${format(announcedCharacters, 0)} characters`;
}

function format(value: number, digits: number): string {
  return Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
