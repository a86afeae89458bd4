import { loadWarning, type Machine } from '../../bench/report/machine.ts';
import { markdownTable } from '../markdown-table.ts';
import type { PlayedCase } from './play-case.ts';

/** The cases, their promises and their figures, in Markdown. */
export function renderFigures(cases: readonly PlayedCase[], machine: Machine): string {
  const { date, processor, cores, memoryGiB, system, node, load } = machine;
  const doubt = loadWarning(machine);
  const seconds = cases.reduce((sum, played) => sum + played.seconds, 0);
  return [
    markdownTable(
      ['Case', 'What is done', 'What must hold', 'What it came to once'],
      cases.map(({ played: { name, attack, promise, once = '' } }) => [name, attack, promise, once]),
    ),
    `Played ${date} on ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node.slice(1)}, in ${seconds.toFixed(0)} s; load average before the run ${load.toFixed(2)}.`,
    ...(doubt === undefined ? [] : [`**Times say little here**: ${doubt}.`]),
    markdownTable(
      ['Case', 'Held', 'Seen', 'Seconds', 'MiB before', 'MiB at most', "Others' chats", 'p50 ms', 'p99 ms'],
      cases.map(({ played, broken, seen, seconds: took, mebibytes, beside }) => [
        played.name,
        broken.length === 0 ? 'yes' : '**no**',
        seen,
        took.toFixed(1),
        mebibytes.before.toFixed(0),
        mebibytes.peak.toFixed(0),
        String(beside.count),
        beside.p50Ms.toFixed(1),
        beside.p99Ms.toFixed(1),
      ]),
    ),
  ].join('\n\n');
}
