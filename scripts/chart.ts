/**
 * Writes the files that are generated from `charts/helper/values.yaml`: the schema of the values, and their table in the README. Part of
 * `npm run generate`. A test fails when one of them is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { describedValues, type DescribedValue } from './chart/described-values.ts';
import { valuesSchema } from './chart/values-schema.ts';

/** The folder of the chart. */
export const chartFolder = join(import.meta.dirname, '..', 'charts', 'helper');

const begin = '<!-- values: written by npm run generate -->';
const end = '<!-- end of the values -->';

/** The generated files, by their names in the chart's folder. */
export async function generatedChartFiles(): Promise<ReadonlyMap<string, string>> {
  const values = describedValues(await readFile(join(chartFolder, 'values.yaml'), 'utf8'));
  const readme = await readFile(join(chartFolder, 'README.md'), 'utf8');
  return new Map([
    ['values.schema.json', `${JSON.stringify(valuesSchema(values), undefined, 2)}\n`],
    ['README.md', await withTable(readme, values)],
  ]);
}

async function withTable(page: string, values: readonly DescribedValue[]): Promise<string> {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error('The README of the chart has lost the markers of its table.');
  const rows = values
    .filter(({ path }) => !values.some((other) => other.path.startsWith(`${path}.`)))
    .map((value) => `| \`${value.path}\` | ${inShort(value.fallback)} | ${escaped(value.description)} |`);
  const table = ['| Value | Default | Says |', '| --- | --- | --- |', ...rows].join('\n');
  return format(`${page.slice(0, before)}${begin}\n\n${table}\n\n${page.slice(after)}`, {
    parser: 'markdown',
    printWidth: 120,
  });
}

function inShort(fallback: unknown): string {
  if (fallback === '' || fallback === null) return '';
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  return text.length > 40 ? 'see `values.yaml`' : `\`${text}\``;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  for (const [name, text] of await generatedChartFiles()) await writeFile(join(chartFolder, name), text);
}
