import { createHash } from 'node:crypto';

/** Matches the name of every index, and of the files that SQLite or a repair has put beside an index. */
const pattern = /^(documents-[a-z0-9-]{0,40}-[0-9a-f]{12}\.sqlite)(?:[-.].*)?$/;

/** The file that holds the index of a source. Two names never share a file, whatever characters they have. */
export function indexNameOf(source: string): string {
  const readable = source
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 12);
  return `documents-${readable}-${hash}.sqlite`;
}

/** The files of a folder that belong to the index of a source that is not among `sources`. */
export function indexesOfOthers(files: readonly string[], sources: readonly string[]): readonly string[] {
  const own = new Set(sources.map(indexNameOf));
  return files.filter((file) => {
    const index = pattern.exec(file)?.[1];
    return index !== undefined && !own.has(index);
  });
}
