/**
 * `npm run check`: format, lint, types, layers, dead code and unit tests, two at a time. Prints one line per check, and the output of
 * each check that fails. `--no-tests` leaves the unit tests out, for a run that is followed by `npm test`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

interface Check {
  readonly name: string;
  /** A program of the project's packages. */
  readonly command: string;
  readonly parameters: readonly string[];
}

const root = join(import.meta.dirname, '..');

/** The number of checks at the same time: each keeps one core busy, and a small machine has two. */
const atOnce = 2;

/** Slow checks come first, so that the quick ones fill the gaps. */
const checks: readonly Check[] = [
  { name: 'lint', command: 'eslint', parameters: ['.', '--max-warnings', '0'] },
  { name: 'types', command: 'tsc', parameters: ['-p', '.'] },
  { name: 'unit tests', command: 'vitest', parameters: ['run', '--project', 'unit', '--reporter', 'dot'] },
  { name: 'types of the widget', command: 'tsc', parameters: ['-p', 'src/widget'] },
  { name: 'types of the dashboard', command: 'tsc', parameters: ['-p', 'src/dashboard'] },
  { name: 'format', command: 'prettier', parameters: ['--check', '--log-level', 'warn', '.'] },
  { name: 'OpenAPI document', command: 'node', parameters: ['scripts/lint-openapi.ts'] },
  { name: 'dead code', command: 'knip', parameters: ['--no-progress'] },
  { name: 'layers', command: 'depcruise', parameters: ['src', '--output-type', 'err'] },
];

/** Runs one check from the project's own packages. False when the check has found something. */
async function run(check: Check): Promise<boolean> {
  const started = performance.now();
  const child = spawn(join(root, 'node_modules', '.bin', check.command), check.parameters, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const passed = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${check.name} (${seconds} s)`);
  if (!passed) console.log(`\n${output.trim()}\n`);
  return passed;
}

async function runInTurn(waiting: Check[], failed: string[]): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await run(check))) failed.push(check.name);
  }
}

const waiting = checks.filter((check) => check.name !== 'unit tests' || !process.argv.includes('--no-tests'));
const total = waiting.length;
const failed: string[] = [];
await Promise.all(Array.from({ length: atOnce }, () => runInTurn(waiting, failed)));
console.log(
  failed.length === 0
    ? `all ${total} checks passed`
    : `${failed.length} of ${total} checks failed: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
