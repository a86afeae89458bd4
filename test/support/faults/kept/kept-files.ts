import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FileChange } from './kept-plan.ts';
import { type Mark, marksIn } from './kept-record.ts';
import type { KeptWorld } from './kept-world.ts';

/** Changes files of the folder of documents at their times. Resolves when all are changed, whatever becomes of the process. */
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
        // Half a file is a file that somebody still writes; the server may take it as it stands.
        writeFileSync(`${file}.new`, `# Page ${page}\n\nThe page${mark} says paper${mark}, about matter ${page}.\n`);
        renameSync(`${file}.new`, file);
      }
      moments.note('a file changes');
    }),
  );
}

/** The mark of each file, as a document has it in its text: `paper…`. */
export function marksOfFiles(documents: string): readonly Mark[] {
  return readdirSync(documents, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => marksIn(readFileSync(join(documents, name), 'utf8')).filter((mark) => mark.startsWith('paper')));
}
