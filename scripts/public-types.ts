import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The two forms in which a declaration file imports another one: `from './x.ts'` and `import('./x.ts')`. */
const specifier = /(?:from|import\()\s*['"]([^'"]+)['"]/g;

/**
 * Deletes the declarations that none of `entries` reaches, which are files below `directory`. The compiler writes one for each file of the
 * server, and users of the package need only the public ones.
 */
export function keepPublicTypes(directory: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const waiting = entries.map((entry) => join(directory, entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const folder = dirname(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(specifier)) {
      if (name.startsWith('.')) waiting.push(resolve(folder, name.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  deleteOthers(directory, reached);
}

/** Deletes files that are not kept, and folders that become empty. Returns whether any kept file is left. */
function deleteOthers(directory: string, kept: ReadonlySet<string>): boolean {
  let isUsed = false;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const stays = entry.isDirectory() ? deleteOthers(path, kept) : kept.has(path);
    if (!stays) rmSync(path, { recursive: true });
    isUsed ||= stays;
  }
  return isUsed;
}
