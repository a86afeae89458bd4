/**
 * Plays what needs long to find something, in many more rounds than `npm test` does: every test of the files that a short run shortens, random
 * faults and schedules, every language and look, all attacks at the doors, and the container image.
 *
 * Usage: `npm run test:long -- [--write]`. `--write` puts the figures into docs/reference/long-tests.md. It ends with code 1 when anything
 * was red.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../test/bench/report/machine.ts';
import { markdownTable } from '../test/support/markdown-table.ts';
import { firefoxFiles, firefoxPath } from '../test/support/firefox/firefox.ts';
import { longFiles } from '../test/support/run/long-files.ts';
import type { Figure } from '../test/support/run/tier.ts';
import { writeBetweenMarkers } from '../test/support/written-page.ts';

const root = join(import.meta.dirname, '..');
const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

interface Part {
  readonly title: string;
  readonly minutes: number;
  readonly isGreen: boolean;
}

/** What Vitest writes with its JSON reporter, as far as it is shown. */
interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

const folder = mkdtempSync(join(tmpdir(), 'helper-long-'));
const [figuresFile, resultsFile] = [join(folder, 'figures.jsonl'), join(folder, 'results.json')];
const tierEnvironment = { HELPER_TIER: 'long', HELPER_TIER_FIGURES: figuresFile };

/** The files that a short run shortens, and those that play rounds or random values: the latter say so by what they import. */
function filesToPlay(): readonly string[] {
  const usesRounds = (file: string): boolean =>
    /run\/tier\.ts|faults\/named-plans\.ts|'fast-check'/.test(readFileSync(join(root, file), 'utf8'));
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) => longFiles.has(file) || usesRounds(file));
}

function play(title: string, [command, ...parameters]: readonly [string, ...string[]], environment = {}): Part {
  process.stdout.write(`\n== ${title}\n`);
  const startedAt = performance.now();
  const { status } = spawnSync(command, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return { title, minutes: (performance.now() - startedAt) / 60_000, isGreen: status === 0 };
}

/** The tests of pages once more, where there is a Firefox. */
function pagesInFirefox(): readonly Part[] {
  if (firefoxPath === undefined) {
    process.stdout.write('\nNo pages in Firefox: there is none (scripts/install-firefox.sh).\n');
    return [];
  }
  return [play('pages in Firefox', ['npx', 'vitest', 'run', ...firefoxFiles], { HELPER_BROWSER: 'firefox' })];
}

const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${resultsFile}`];
const build = play('build', [process.execPath, 'scripts/build.ts', '--if-stale']);
const parts = [
  play('tests', ['npx', 'vitest', 'run', ...reporters, ...filesToPlay()], tierEnvironment),
  play('regular expressions, proven anew', [process.execPath, 'scripts/patterns.ts', '--all']),
  ...pagesInFirefox(),
  play('attacks at the doors', [process.execPath, 'test/stress/run.ts']),
  play('container image', ['bash', 'scripts/image-check.sh']),
];

const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
const figures = readFileSync(figuresFile, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Figure); // written by tier.ts
rmSync(folder, { recursive: true });

const played = Map.groupBy(figures, ({ what }) => what);
const { date, processor, cores, memoryGiB, system, node } = describeMachine();
const page = [
  `Played ${date} on ${processor}, ${String(cores)} cores, ${String(memoryGiB)} GiB, ${system}, Node ${node.slice(1)}: ` +
    `${count(results.numPassedTests)} tests passed, ${count(results.numFailedTests)} failed, ${count(results.numPendingTests)} were left out.`,
  markdownTable(
    ['What was played', 'Rounds'],
    [...played].map(([what, all]) => [what, count(all.reduce((sum, each) => sum + each.count, 0))]).toSorted(),
  ),
  markdownTable(
    ['Part', 'Minutes', 'Result'],
    parts.map(({ title, minutes, isGreen }) => [title, minutes.toFixed(1), isGreen ? 'green' : 'red']),
  ),
].join('\n\n');
process.stdout.write(`\n${page}\n`);
if (flags.write) writeBetweenMarkers('long-tests.md', 'long tests', page);
process.exitCode = [build, ...parts].every(({ isGreen }) => isGreen) ? 0 : 1;

function count(value: number): string {
  return value.toLocaleString('en-US');
}
