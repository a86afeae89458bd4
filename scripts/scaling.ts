/**
 * Writes the tables of `docs/guides/scaling.md` from the figures in `test/bench/scaling` and the model. Part of `npm run generate`. A test fails
 * when they are stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { promisesTable, readPromises } from '../test/bench/scaling/promises-table.ts';
import { measuredTable, modelTable, readFigures } from '../test/bench/scaling/scaling-tables.ts';

/** The guide. */
export const scalingGuide = join(import.meta.dirname, '..', 'docs', 'guides', 'scaling.md');

/** The guide with its tables as they are now. */
export async function writtenScalingGuide(): Promise<string> {
  const figures = await readFigures();
  const page = await readFile(scalingGuide, 'utf8');
  const parts = {
    measured: measuredTable(figures),
    model: modelTable(figures),
    promises: promisesTable(await readPromises()),
  };
  const written = Object.entries(parts).reduce((text, [name, table]) => between(text, name, table), page);
  return format(written, { ...(await resolveConfig(scalingGuide)), parser: 'markdown' });
}

function between(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: written by npm run generate -->`, `<!-- end of ${name} -->`];
  const [first, last] = [page.indexOf(begin), page.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`The guide has lost the markers of ${name}.`);
  return `${page.slice(0, first + begin.length)}\n\n${text}\n\n${page.slice(last)}`;
}

if (import.meta.main) await writeFile(scalingGuide, await writtenScalingGuide());
