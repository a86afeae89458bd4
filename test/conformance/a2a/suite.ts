import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processEnvironment } from '../../support/process-environment.ts';

const here = import.meta.dirname;
const cache = join(here, '../../../.cache/a2a-tck');

/** The version of the kit that the list of expected failures is of: the branch 1.0-dev in May 2026. */
const repository = 'https://github.com/a2aproject/a2a-tck';
const commit = '357c4a87afa2818731590647cccbea31c31733a2';

/** How long a program may take, in milliseconds. */
const longestMs = 600_000;

/** How a test of the kit has ended. The kit lets a test fall short of what servers should do, but need not. */
export interface KitOutcome {
  /** Its file, class, name and parameters, as pytest writes them. */
  readonly test: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'fell short';
  /** Why it has not passed. */
  readonly reason: string;
}

/**
 * The folder of the kit in its version above. It is fetched once, and kept in `.cache`.
 * @throws Error when git cannot fetch it.
 */
export async function fetchedKit(): Promise<string> {
  const folder = join(cache, commit);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const git = (...given: readonly string[]): Promise<void> => succeeded(spawnIn(unfinished, 'git', given, process.env));
  await git('init', '--quiet');
  await git('fetch', '--quiet', '--depth', '1', repository, commit);
  await git('checkout', '--quiet', 'FETCH_HEAD');
  renameSync(unfinished, folder);
  return folder;
}

/**
 * The Python in which the kit runs: a virtual environment in `.cache` that has what `requirements.txt` names.
 * @throws Error when Python cannot make it, or pip cannot install a package.
 */
export async function preparedPython(): Promise<string> {
  const requirements = join(here, 'requirements.txt');
  const environment = join(cache, 'python');
  const installed = join(environment, 'installed.txt');
  const python = join(environment, 'bin/python');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return python;
  rmSync(environment, { recursive: true, force: true });
  await succeeded(spawnIn(here, 'python3', ['-m', 'venv', environment], process.env));
  await succeeded(spawnIn(here, python, ['-m', 'pip', 'install', '--quiet', '-r', requirements], process.env));
  writeFileSync(installed, wanted);
  return python;
}

/** Plays the tests of the card and of JSON-RPC, which is what this server speaks, against the server at `url`. They print what they do. */
export async function playedKit(
  { kit, python, folder }: { readonly kit: string; readonly python: string; readonly folder: string },
  url: string,
): Promise<readonly KitOutcome[]> {
  const written = join(folder, 'outcomes.jsonl');
  const filter = ['--transport=jsonrpc', '-k', 'not grpc and not http_json and not _rest'];
  const plugins = ['-p', 'outcomes', '-p', 'no:cacheprovider'];
  const child = spawnIn(
    kit,
    python,
    ['-m', 'pytest', 'tests/compatibility', `--sut-host=${url}`, ...filter, ...plugins, '-q', '--tb=no', '-r', 'N'],
    { ...processEnvironment, PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1', A2A_OUTCOMES: written },
  );
  const code = await ended(child);
  // 1 says that tests have failed.
  if ((code !== 0 && code !== 1) || !existsSync(written))
    throw new Error(`the kit has not run: pytest ended with code ${String(code)}`);
  const outcomes = new Map<string, KitOutcome>();
  for (const line of readFileSync(written, 'utf8').trim().split('\n')) {
    const outcome = JSON.parse(line) as KitOutcome; // as outcomes.py writes it
    // What goes wrong after a test has passed is a failure of the test.
    outcomes.set(outcome.test, outcome);
  }
  return [...outcomes.values()];
}

function spawnIn(
  directory: string,
  command: string,
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  return spawn(command, given, { cwd: directory, env: environment, stdio: [...stdio], timeout: longestMs });
}

/** Resolves with the exit code, or with null after a signal. Rejects when there is no such program. */
async function ended(child: ChildProcess): Promise<number | null> {
  await once(child, 'close');
  return child.exitCode;
}

async function succeeded(child: ChildProcess): Promise<void> {
  const code = await ended(child);
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with code ${String(code)}`);
}
