import type { DemoColumn, DemoList, DemoTone } from '../../../plugin-api/demo-list.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

/** A list of the demo page as it was declared. Its functions are the plugin's, so callers must check what they return. */
export interface LoadedDemoList {
  readonly title: string;
  readonly description: string | undefined;
  readonly columns: readonly DemoColumn[];
  readonly rows: () => unknown;
  readonly reset: (() => unknown) | undefined;
}

const listMembers = ['title', 'description', 'columns', 'rows', 'reset'] as const satisfies readonly (keyof DemoList)[];
const columnMembers = ['name', 'title', 'tones'] as const satisfies readonly (keyof DemoColumn)[];
const tones = ['neutral', 'info', 'busy', 'warning', 'good', 'bad'] as const satisfies readonly DemoTone[];

/** Reads the list that a plugin shows on the demo page (docs/guides/plugins.md). */
export function readDemoList(list: Members, report: ReportFault): LoadedDemoList {
  const reader = new MemberReader(list, report);
  reader.allowOnly(listMembers);
  return {
    title: reader.text('title'),
    description: reader.optionalText('description'),
    columns: reader
      .list('columns')
      .map((column, index) => readColumn(column, reportUnder(report, `columns[${String(index)}]`))),
    rows: reader.function('rows'),
    reset: reader.optionalFunction('reset'),
  };
}

function readColumn(column: unknown, report: ReportFault): DemoColumn {
  if (!hasMembers(column)) {
    report('', 'must be an object');
    return { name: '', title: '' };
  }
  const reader = new MemberReader(column, report);
  reader.allowOnly(columnMembers);
  const names = { name: reader.text('name'), title: reader.text('title') };
  if (column['tones'] === undefined) return names;
  const named = Object.entries(reader.members('tones'));
  for (const [value, tone] of named) {
    if (!isTone(tone)) report(`tones.${value}`, `must be one of ${tones.join(', ')}`);
  }
  return {
    ...names,
    tones: Object.fromEntries(named.filter((entry): entry is [string, DemoTone] => isTone(entry[1]))),
  };
}

function isTone(value: unknown): value is DemoTone {
  return tones.some((tone) => tone === value);
}
