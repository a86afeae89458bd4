import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FileChange } from './kept-plan.ts';
import { type Mark, marksIn } from './kept-record.ts';
import type { KeptWorld } from './kept-world.ts';

/**
 * Changes files in the folder of documents at the planned times. Resolves when all files are changed, also if the process has ended before.
 */
export async function changeFiles(
  { documents, moments, life }: KeptWorld,
  changes: readonly FileChange[],
): Promise<void> {
  await Promise.all(
    changes.map(async ({ page, isRemoved, afterMs }, index) => {
      await wait(afterMs);
      const folder = join(documents, page % 2 === 0 ? 'even' : 'odd');
      const file = join(folder, `page-${page}.md`);
      mkdirSync(folder, { recursive: true });
      if (isRemoved) rmSync(file, { force: true });
      else {
        const mark = `${page}q${life}q${index}`;
        // The server may read a file that is only half written. The file is therefore written under another name and then renamed.
        writeFileSync(`${file}.new`, `# Page ${page}\n\nThe page${mark} says paper${mark}, about matter ${page}.\n`);
        renameSync(`${file}.new`, file);
      }
      moments.note('a file changes');
    }),
  );
}

/** The marks `paper…` in the texts of all files. */
export function marksOfFiles(documents: string): readonly Mark[] {
  return readdirSync(documents, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => marksIn(readFileSync(join(documents, name), 'utf8')).filter((mark) => mark.startsWith('paper')));
}
