import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { missingTools } from '../tools-here.ts';
import { slowFiles } from './file-order.ts';
import { tier } from './tier.ts';

/** Files that take longer are told to the next runs, which begin with them. */
const slowSeconds = 2;
const shownFiles = 15;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * The last lines of a run: its slowest files, what was left out because a tool is not here and how to have it, and the number of its tests
 * in one line that programs can read.
 */
export class ClosingLines implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = secondsOf(modules);
    if (modules.length > shownFiles) {
      print('\nslowest files');
      for (const [path, taken] of seconds.slice(0, shownFiles)) print(`  ${taken.toFixed(1).padStart(6)} s  ${path}`);
    }
    if (process.env['HELPER_SLOW_FILES'] === 'write') writeSlowFiles(seconds);
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const missing = count('skipped') > 0 ? missingTools() : [];
    if (missing.length > 0) {
      const listed = missing.map(({ title, how }) => `${title} (${how})`).join(', ');
      print(`\nleft out where a test needs what is not here: ${listed}`);
    }
    if (tier === 'short') print('\nthis was a short run: npm run test:long plays all tests, in many rounds');
    // A file that cannot be read counts as one test that failed.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    print(`\n${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`);
  }
}

/** The seconds that each file took, its imports included. The longest comes first. */
function secondsOf(modules: readonly TestModule[]): readonly (readonly [path: string, seconds: number])[] {
  return modules
    .map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return [module.relativeModuleId, (collectDuration + duration) / 1000] as const;
    })
    .toSorted(([, a], [, b]) => b - a);
}

function writeSlowFiles(seconds: readonly (readonly [path: string, seconds: number])[]): void {
  const slow = seconds.filter(([, taken]) => taken >= slowSeconds).map(([path, taken]) => [path, Math.round(taken)]);
  writeFileSync(slowFiles, `${JSON.stringify(Object.fromEntries(slow), undefined, 2)}\n`);
}
