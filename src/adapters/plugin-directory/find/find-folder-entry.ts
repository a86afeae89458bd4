import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../../shared/describe-error.ts';
import { hasMembers } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';

const indexFiles = ['index.js', 'index.mjs', 'index.ts'] as const;
const importConditions = new Set(['import', 'node', 'default']);

/**
 * The module that makes a folder a plugin (contract/plugins.md#plugins): the entry of its `package.json`, else its index file. Undefined
 * when the folder is no plugin, and after a reported fault.
 */
export async function findFolderEntry(folder: string, report: ReportFault): Promise<string | undefined> {
  const packageFile = join(folder, 'package.json');
  let entry: string | undefined;
  try {
    entry = await readPackageEntry(packageFile);
  } catch (error) {
    report(packageFile, `cannot be read: ${describeError(error)}`);
    return undefined;
  }
  if (entry !== undefined) {
    const file = await firstFile(folder, [entry, `${entry}.js`, join(entry, 'index.js')]);
    if (file === undefined) report(packageFile, `its entry ${entry} does not exist`);
    return file;
  }
  return await firstFile(folder, indexFiles);
}

async function firstFile(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

/**
 * The entry of a package. `exports` takes precedence over `main`, as everywhere in Node. Undefined: there is no package.json, or it names
 * no entry.
 */
async function readPackageEntry(packageFile: string): Promise<string | undefined> {
  const text = await readFile(packageFile, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const content: unknown = JSON.parse(text);
  if (!hasMembers(content)) throw new Error('it is not a JSON object');
  const main = content['main'];
  return exportedEntry(content['exports']) ?? (typeof main === 'string' ? main : undefined);
}

/** The target of `.` in an `exports` member. The conditions of an `import` count, in the order in which they are written. */
function exportedEntry(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (!hasMembers(target)) return undefined;
  if (target['.'] !== undefined) return exportedEntry(target['.']);
  for (const [condition, inner] of Object.entries(target)) {
    const entry = importConditions.has(condition) ? exportedEntry(inner) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
