import { readdirSync, type Stats, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { globPredicate } from '../../core/base/glob.ts';
import type { HelperSettings } from '../settings.ts';

/** The most files of definitions. A folder with more is a mistake, such as the root of a disk. */
export const mostAgentFiles = 500;
const deepest = 16;

/** A file that may define agents. */
export interface AgentFile {
  readonly path: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

type Folders = Pick<HelperSettings['declarative'], 'directory' | 'searchPattern' | 'recursive'>;

/**
 * The files of definitions, sorted by path; at most `mostAgentFiles` and one more. Names that begin with a dot are passed over, because a
 * mounted volume keeps its versions under such names.
 * @throws Error of the system when a folder cannot be read.
 */
export function findAgentFiles({ directory, searchPattern, recursive }: Folders): readonly AgentFile[] {
  if (directory === null) return [];
  const matches = globPredicate([searchPattern]);
  const files: AgentFile[] = [];
  look(directory, 0);
  return files.sort((one, other) => (relative(directory, one.path) < relative(directory, other.path) ? -1 : 1));

  function look(folder: string, depth: number): void {
    for (const name of readdirSync(folder).toSorted()) {
      if (name.startsWith('.') || files.length > mostAgentFiles) continue;
      const path = join(folder, name);
      // A link counts as what it leads to, because mounted files are links.
      const entry = statSync(path, { throwIfNoEntry: false });
      if (entry?.isFile() === true && matches(name)) files.push({ path, stamp: stampOf(entry) });
      else if (recursive && entry?.isDirectory() === true && depth < deepest) look(path, depth + 1);
    }
  }
}

function stampOf({ ino, size, mtimeMs }: Stats): string {
  return `${String(ino)}/${String(size)}/${String(mtimeMs)}`;
}
