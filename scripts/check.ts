/**
 * `npm run check`: format, lint, types, layers, dead code, the contract, regular expressions and the OpenAPI document, two at a time. Prints one line per check,
 * and the output of each check that fails. Without the folder `.cache/check` every check starts from nothing.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

interface Check {
  readonly name: string;
  /** A program of the project's packages. */
  readonly command: string;
  readonly parameters: readonly string[];
}

const root = join(import.meta.dirname, '..');

/**
 * What has passed is remembered here, by its content. Other packages, rules or options may judge it in another way, so with them every
 * check starts from nothing.
 */
const remembered = join(
  root,
  '.cache/check',
  keyOf(
    'package-lock.json',
    'scripts/lint-rules.ts',
    'scripts/no-wall-time.ts',
    '.dependency-cruiser.cjs',
    'tsconfig.json',
  ),
);

/** The number of checks at the same time: each keeps one core busy, and a small machine has two. */
const atOnce = 2;

/** Parameters of a program that keeps what has passed. */
const cached = (name: string): readonly string[] => [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  join(remembered, name),
];

/** Slow checks come first, so that the quick ones fill the gaps. */
const checks: readonly Check[] = [
  // All types of server, tests, widget and dashboard, and the rules that need them.
  { name: 'types', command: 'oxlint', parameters: ['--deny-warnings'] },
  { name: 'lint', command: 'eslint', parameters: ['.', '--max-warnings', '0', ...cached('eslint')] },
  { name: 'format', command: 'prettier', parameters: ['--check', '--log-level', 'warn', '.', ...cached('prettier')] },
  { name: 'OpenAPI document', command: 'node', parameters: ['scripts/lint-openapi.ts'] },
  { name: 'contract and citations', command: 'node', parameters: ['scripts/contract.ts'] },
  { name: 'regular expressions', command: 'node', parameters: ['scripts/patterns.ts'] },
  { name: 'dead code', command: 'knip', parameters: ['--no-progress'] },
  {
    name: 'layers',
    command: 'depcruise',
    parameters: ['src', '--output-type', 'err', '--cache', join(remembered, 'layers'), '--cache-strategy', 'content'],
  },
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
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${check.name} (${secondsSince(started)} s)`);
  if (!passed) console.log(`\n${output.trim()}\n`);
  return passed;
}

function keyOf(...files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Forgets what other packages, rules and options have judged. */
function forgetOthers(): void {
  mkdirSync(remembered, { recursive: true });
  for (const folder of globSync(join(remembered, '../*'))) {
    if (basename(folder) !== basename(remembered)) rmSync(folder, { recursive: true });
  }
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}

async function runInTurn(waiting: Check[], failed: string[]): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await run(check))) failed.push(check.name);
  }
}

const started = performance.now();
forgetOthers();
const failed: string[] = [];
const waiting = [...checks];
await Promise.all(Array.from({ length: atOnce }, () => runInTurn(waiting, failed)));
const result =
  failed.length === 0
    ? `all ${checks.length} checks passed`
    : `${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`;
console.log(`${result} (${secondsSince(started)} s)`);
process.exitCode = failed.length === 0 ? 0 : 1;
