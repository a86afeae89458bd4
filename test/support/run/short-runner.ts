import { join, relative } from 'node:path';
import { type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';
import { longFiles } from './long-files.ts';
import { tier } from './tier.ts';

const root = join(import.meta.dirname, '../../..');

/** Leaves out of the long files what a short run does not play: all tests of a group but the first one. */
export default class ShortRunner extends TestRunner {
  onBeforeRunFiles(files: readonly RunnerTestFile[]): void {
    if (tier !== 'short') return;
    for (const file of files) if (longFiles.has(relative(root, file.filepath))) shorten(file);
  }
}

function shorten(group: RunnerTestSuite): void {
  const tests = group.tasks.filter((task) => task.type === 'test' && task.mode === 'run');
  for (const test of tests.slice(1)) test.mode = 'skip';
  for (const task of group.tasks) if (task.type === 'suite') shorten(task);
}
