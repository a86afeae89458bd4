/**
 * A process that plays test files in a copy of a checkout, one run after another, for `players.ts`. It keeps what Vitest has transformed;
 * each run has a worker of its own, so that a mutant is on from the first line of the first module.
 */
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Vitest from 'vitest/node';

/** Test files that are run one after another, until one is red. */
export interface Run {
  /** 0 for none. */
  readonly mutant: number;
  /** Paths in the checkout, in the order in which they are run. */
  readonly files?: readonly string[];
  /** Or all files of a folder. */
  readonly under?: string;
}

/** A test file that was run. */
export interface Played {
  /** Its path in the checkout. */
  readonly file: string;
  readonly passed: boolean;
  /** Of its tests and hooks. */
  readonly milliseconds: number;
}

const [folder = '.', bail = '0'] = process.argv.slice(2);

async function open(): Promise<Vitest.Vitest> {
  // The checkout's own Vitest runs its tests.
  const entry = pathToFileURL(join(folder, 'node_modules/vitest/dist/node.js')).href;
  const { createVitest } = (await import(entry)) as typeof Vitest; // the same package, of the checkout
  return createVitest({ root: folder, config: 'mutant-config.ts', watch: false, bail: Number(bail) });
}

async function play(vitest: Vitest.Vitest, run: Run): Promise<readonly Played[]> {
  process.env['HELPER_MUTANT'] = String(run.mutant);
  const all = await vitest.globTestSpecifications();
  const named = all.map((each) => ({ each, file: relative(folder, each.moduleId) }));
  const asked =
    run.files?.flatMap((path) => named.filter(({ file }) => file === path)) ??
    named.filter(({ file }) => (run.under ?? '').split(',').some((start) => file.startsWith(start)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked.map(({ each }) => each));
  const played = testModules
    .filter((each) => each.state() === 'passed' || each.state() === 'failed' || each.state() === 'skipped')
    .map((each) => ({
      file: relative(folder, each.moduleId),
      passed: each.state() !== 'failed',
      milliseconds: each.diagnostic().duration,
    }));
  // An error outside of every test makes a run red, too.
  if (unhandledErrors.length > 0 && played.every(({ passed }) => passed)) {
    return [...played.slice(0, -1), ...played.slice(-1).map((last) => ({ ...last, passed: false }))];
  }
  return played;
}

const vitest = await open();
process.on('message', (run: Run) => {
  void play(vitest, run).then((played) => process.send?.(played));
});
process.on('disconnect', () => {
  void vitest.close();
});
process.send?.('ready');
