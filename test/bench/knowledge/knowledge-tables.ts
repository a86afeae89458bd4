import { markdownTable } from '../../support/markdown-table.ts';
import type { Machine } from '../report/machine.ts';
import type { FirstTokenFigures } from './first-token.ts';
import type { FolderFigures } from './measure-folder.ts';
import type { LanguageQuality, Quality } from './quality.ts';
import type { TableQuality } from './table-quality.ts';

/** Everything that was measured. */
export interface KnowledgeFigures {
  readonly words: FolderFigures;
  readonly both: FolderFigures;
  readonly quality: Quality;
  readonly tables: TableQuality;
  readonly firstToken: FirstTokenFigures;
}

/** A figure, with the value that it must not exceed or must reach. */
export interface Limit {
  readonly title: string;
  readonly value: number;
  readonly digits: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** The limits that must hold on any machine that is not overloaded. */
export function limitsOf({ words, both, quality: { all }, tables, firstToken }: KnowledgeFigures): readonly Limit[] {
  const wordsLaterMs = firstToken.wordsMs - firstToken.withoutMs;
  const bothLaterMs = firstToken.bothMs - firstToken.withoutMs;
  return [
    { title: 'indexed from nothing, s', value: words.indexMs / 1_000, digits: 1, atMost: 15 },
    { title: 'event loop meanwhile, p99 lag, ms', value: words.loopLagMs, digits: 1, atMost: 20 },
    { title: 'event loop while vectors are made, p99 lag, ms', value: both.loopLagMs, digits: 1, atMost: 20 },
    { title: 'question p95, words, ms', value: words.questionP95Ms, digits: 1, atMost: 5 },
    { title: 'question p95, words and vectors, ms', value: both.questionP95Ms, digits: 1, atMost: 10 },
    { title: 'first text later, words, p95, ms', value: wordsLaterMs, digits: 1, atMost: 8 },
    { title: 'first text later, words and vectors, p95, ms', value: bothLaterMs, digits: 1, atMost: 8 },
    { title: 'memory, words, MiB', value: words.memoryMiB, digits: 0, atMost: 60 },
    { title: 'memory more for vectors, MiB', value: both.memoryMiB - words.memoryMiB, digits: 0, atMost: 60 },
    { title: 'help desk: first of all for natural questions', value: all.natural, digits: 2, atLeast: 0.85 },
    { title: 'help desk: unrelated questions that find nothing', value: all.unrelated, digits: 2, atLeast: 0.85 },
    { title: 'rows of tables: found whole and first', value: tables.tables, digits: 2, atLeast: 0.95 },
    { title: 'words with hyphens: found first', value: tables.hyphenated, digits: 2, atLeast: 0.95 },
  ];
}

/** Whether a figure misses its limit. */
export function isMissed({ value, atMost, atLeast }: Limit): boolean {
  return (atMost !== undefined && !(value <= atMost)) || (atLeast !== undefined && !(value >= atLeast));
}

/** The figures in Markdown. */
export function renderKnowledge(
  figures: KnowledgeFigures & { readonly machine: Machine; readonly limits: readonly Limit[] },
): string {
  const { machine, words, both, quality, tables, firstToken, limits } = figures;
  const { date, processor, cores, memoryGiB, system, node, load } = machine;
  const about = `${processor}, ${String(cores)} cores, ${String(memoryGiB)} GiB, ${system}, Node ${node.slice(1)}`;
  return [
    `Measured ${date} on ${about}; load average before the run ${load.toFixed(2)}.`,
    `### ${words.documents.toLocaleString('en')} documents, ${words.chunks.toLocaleString('en')} parts`,
    folderTable(words, both),
    firstTokenText(firstToken),
    '### The help desk of a shop, in ten languages, by words alone',
    qualityTable(quality),
    tablesText(tables),
    '### Limits',
    limitsTable(limits),
  ].join('\n\n');
}

function folderTable(words: FolderFigures, both: FolderFigures): string {
  const row = (title: string, value: (figures: FolderFigures) => number, digits = 1): readonly string[] => [
    title,
    shown(value(words), digits),
    shown(value(both), digits),
  ];
  return markdownTable(
    ['', 'words', 'words and vectors of 1,536'],
    [
      row('indexed from nothing, s', ({ indexMs }) => indexMs / 1_000),
      row('vectors after that, s', ({ vectorsMs }) => vectorsMs / 1_000),
      row('event loop meanwhile, p99 lag over the 5 ms tick, ms', ({ loopLagMs }) => loopLagMs),
      row('a start with nothing changed, ms', ({ againMs }) => againMs, 0),
      row('question p50, ms', ({ questionP50Ms }) => questionP50Ms),
      row('question p95, ms', ({ questionP95Ms }) => questionP95Ms),
      row('questions that find their document first, %', ({ firstPercent }) => firstPercent),
      row('memory of the process more, MiB', ({ memoryMiB }) => memoryMiB, 0),
      row('index on disk, MiB', ({ diskMiB }) => diskMiB, 0),
    ],
  );
}

function firstTokenText({ withoutMs, wordsMs, bothMs }: FirstTokenFigures): string {
  const shownMs = [withoutMs, wordsMs, bothMs].map((value) => shown(value, 1));
  return `First text of a reply at the 95th percentile, ms: ${shownMs[0] ?? ''} without documents, ${shownMs[1] ?? ''} with words alone, ${shownMs[2] ?? ''} with vectors.`;
}

function qualityTable({ languages, all }: Quality): string {
  const row = (name: string, quality: LanguageQuality): readonly string[] => [
    name,
    String(quality.questions),
    shown(quality.natural, 2),
    shown(quality.paraphrased, 2),
    shown(quality.amongFive, 2),
    shown(quality.unrelated, 2),
  ];
  return markdownTable(
    ['', 'questions', 'first, natural', 'first, paraphrased', 'among five, all', 'unrelated: nothing found'],
    [...languages.map(({ language, ...quality }) => row(language, quality)), row('all', all)],
  );
}

function tablesText({ questions, tables, hyphenated, compounds }: TableQuality): string {
  const [ofTables, ofHyphenated, ofCompounds] = [tables, hyphenated, compounds].map((share) => shown(share, 2));
  return `${String(questions)} more questions find first: ${ofTables ?? ''} of the rows of tables, with their columns; ${ofHyphenated ?? ''} of words that the document writes with a hyphen and the question without, or the other way round; ${ofCompounds ?? ''} of German compounds in other forms.`;
}

function limitsTable(limits: readonly Limit[]): string {
  const rows = limits.map((limit) => {
    const bound = limit.atMost === undefined ? `≥ ${String(limit.atLeast ?? '')}` : `≤ ${String(limit.atMost)}`;
    return [limit.title, bound, shown(limit.value, limit.digits), isMissed(limit) ? '**missed**' : 'met'];
  });
  return markdownTable(['Figure', 'Limit', 'Measured', ''], rows);
}

function shown(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}
