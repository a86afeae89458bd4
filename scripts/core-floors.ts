/**
 * Writes the floors of the core, as dependency-cruiser finds them, into `docs/architecture.md`. Part of `npm run generate`. A test fails
 * when the page is stale.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format } from 'prettier';

const root = join(import.meta.dirname, '..');

/** The page with the floors. */
export const architecturePage = join(root, 'docs', 'architecture.md');

/** A room of the core. */
export interface Floor {
  readonly name: string;
  readonly holds: string;
  /** Names of the rooms that it imports, top to bottom. */
  readonly knows: readonly string[];
}

interface CruiseReport {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

/** The floors of the core, top to bottom, with every import between them that dependency-cruiser finds. */
export async function coreFloors(): Promise<readonly Floor[]> {
  const order = listedFloors();
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const options = ['src/core', '--include-only', '^src/core/', '--output-type', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
  });
  // this is dependency-cruiser's documented report
  const { modules } = JSON.parse(stdout) as CruiseReport;
  return order.map(({ name, holds }) => {
    const own = modules.filter(({ source }) => roomOf(source) === name);
    const known = new Set(own.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => roomOf(resolved))));
    return { name, holds, knows: order.map((floor) => floor.name).filter((room) => room !== name && known.has(room)) };
  });
}

/** The floors in the order of `.dependency-cruiser.cjs`, under the floor that imports them all. */
function listedFloors(): readonly Pick<Floor, 'name' | 'holds'>[] {
  // the file is our own
  const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    readonly forbidden: readonly { readonly name: string; readonly comment: string }[];
  };
  const listed = forbidden
    .filter(({ name }) => name.startsWith('core-floor-'))
    .map(({ name, comment }) => ({ name: name.slice('core-floor-'.length), holds: comment }));
  return [{ name: 'create-assistant', holds: 'the assistant of this process: joins everything below' }, ...listed];
}

function roomOf(path: string): string {
  return path.split('/')[2]?.replace('.ts', '') ?? '';
}

/** `page` with the current floors between its two markers. */
export async function withFloors(page: string, floors: readonly Floor[]): Promise<string> {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error('docs/architecture.md has lost the markers of its floors');
  const text = `${page.slice(0, before)}${begin}\n\n${picture(floors)}\n\n${table(floors)}\n\n${page.slice(after)}`;
  return format(text, { parser: 'markdown', printWidth: 120 });
}

const begin = '<!-- floors: written by npm run generate -->';
const end = '<!-- end of the floors -->';

function table(floors: readonly Floor[]): string {
  const rows = floors.map(({ name, holds, knows }) => `| \`${name}\` | ${holds} | ${knows.join(', ')} |`);
  return ['| Room | Holds | Imports |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The diagram of the floors. An arrow that follows from other arrows is left out. */
function picture(floors: readonly Floor[]): string {
  const below = new Map<string, ReadonlySet<string>>();
  for (const { name, knows } of floors.toReversed()) {
    below.set(name, new Set([...knows, ...knows.flatMap((room) => [...(below.get(room) ?? [])])]));
  }
  const arrows = floors.flatMap(({ name, knows }) =>
    knows
      .filter((room) => !knows.some((other) => below.get(other)?.has(room) === true))
      .map((room) => `  ${name} --> ${room}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
}

if (import.meta.main) {
  const page = await readFile(architecturePage, 'utf8');
  await writeFile(architecturePage, await withFloors(page, await coreFloors()));
}
