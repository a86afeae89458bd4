import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The seconds that the slowest files take, by their paths. `HELPER_SLOW_FILES=write npm test` measures them again. */
export const slowFiles = new URL('slow-files.json', import.meta.url);

/**
 * Long files first, so that no worker is left alone with one at the end; Vitest knows how long they take only where it ran them before. The
 * files of a project stay together: a worker that goes on to another project starts anew, and imports everything again.
 */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { projects, config } = this.ctx;
    const seconds = JSON.parse(readFileSync(slowFiles, 'utf8')) as Readonly<Record<string, number>>; // written by ClosingLines
    const names = projects.map(({ name }) => name);
    const entries = files.map((file) => ({
      file,
      project: names.indexOf(file.project.name),
      seconds: seconds[relative(config.root, file.moduleId)] ?? 0,
    }));
    const ordered = entries.toSorted((a, b) => a.project - b.project || b.seconds - a.seconds);
    return Promise.resolve(ordered.map(({ file }) => file));
  }
}
