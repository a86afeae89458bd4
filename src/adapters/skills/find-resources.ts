import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from './read-text-inside.ts';
import { skillLimits } from './skill-limits.ts';

export const skillFile = 'SKILL.md';

/**
 * The names of the files of a skill, relative to its folder and in alphabetical order: at most `skillLimits.resources`. Left out: names
 * that begin with a dot, links that lead out of the folder, and everything that is no regular file.
 */
export async function findResources(folder: string): Promise<readonly string[]> {
  const root = await realpath(folder);
  const found: string[] = [];
  let left: number = skillLimits.entries;
  const visit = async (place: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, place), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      left -= 1;
      if (left < 0 || found.length >= skillLimits.resources) return;
      const name = place === '' ? entry.name : `${place}/${entry.name}`;
      if (resourceNameFault(name) !== undefined) continue;
      if (entry.isDirectory() && depth < skillLimits.depth) await visit(name, depth + 1);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsInside(join(folder, name), root)))) {
        found.push(name);
      }
    }
  };
  await visit('', 1);
  return found;
}

async function leadsInside(path: string, root: string): Promise<boolean> {
  const real = await realpath(path).catch(() => '');
  return isInside(real, root);
}

/** Why a name cannot be the name of a file of a skill. Undefined when it can be. */
export function resourceNameFault(name: string): string | undefined {
  if (name.length > 500 || /[\p{Cc}\p{Cf}\\:]/u.test(name)) return 'has a name that is not one of a file';
  if (name === skillFile) return 'is read with load_skill';
  const isPlain = name.split('/').every((part) => part !== '' && !part.startsWith('.'));
  return isPlain ? undefined : 'has a name that is not one of a file';
}
