import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from '../../core/ports/logger.ts';
import type { Skill, SkillFault, SkillReading, SkillSource } from '../../core/ports/skill-source.ts';
import { findResources, resourceNameFault, skillFile } from './find-resources.ts';
import { type FrontMatter, readFrontMatter, splitSkill } from './front-matter.ts';
import { isInside, readTextInside } from './read-text-inside.ts';
import { LeftOut, skillLimits } from './skill-limits.ts';

/** The result of reading one `SKILL.md`. */
interface ReadFile {
  readonly skill?: Skill;
  readonly faults: readonly SkillFault[];
}

/** A folder of skills. Each skill is a folder of its own with a `SKILL.md` (contract/skills.md#files). */
export class SkillFolder implements SkillSource {
  readonly name: string;
  readonly #log: Logger;
  readonly #mayBeMissing: boolean;
  /** The files by the name of their folder. A file that has not changed or been replaced is not read again. */
  #known: ReadonlyMap<string, { readonly stamp: string; readonly read: ReadFile }> = new Map();

  /** `mayBeMissing`: the configuration does not name the folder, so it is no fault when the folder is missing. */
  constructor(
    folder: string,
    { log, mayBeMissing = false }: { readonly log: Logger; readonly mayBeMissing?: boolean },
  ) {
    this.name = folder;
    this.#log = log;
    this.#mayBeMissing = mayBeMissing;
  }

  async read(): Promise<SkillReading> {
    const folder = this.name;
    const names = await this.#foldersIn();
    if (names === undefined) return { skills: [], faults: [leftOut(folder, 'is no folder that can be read')] };
    const root = await realpath(folder).catch(() => folder);
    const some = names.slice(0, skillLimits.skills);
    const known = await Promise.all(some.map(async (name) => [name, await this.#readOne(name, root)] as const));
    this.#known = new Map(known);
    const files = known.map(([, { read }]) => read);
    return {
      skills: files.flatMap(({ skill }) => skill ?? []),
      faults: [
        ...files.flatMap(({ faults }) => faults),
        ...(names.length > some.length
          ? [leftOut(folder, `has more than ${String(skillLimits.skills)} skills: the others are left out`)]
          : []),
      ],
    };
  }

  /** The names of the folders. Names that begin with a dot are no skills: a mounted volume keeps its versions under such names. */
  async #foldersIn(): Promise<readonly string[] | undefined> {
    try {
      const entries = await readdir(this.name, { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
      return folders
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('.'))
        .toSorted();
    } catch (error) {
      return this.#mayBeMissing && whyOf(error) === missing ? [] : undefined;
    }
  }

  async #readOne(name: string, root: string): Promise<{ readonly stamp: string; readonly read: ReadFile }> {
    const folder = join(this.name, name);
    const place = join(folder, skillFile);
    try {
      if (!isInside(await realpath(folder), root)) throw new LeftOut('is a link out of its folder');
      const stats = await stat(place);
      const stamp = stampOf(stats);
      const known = this.#known.get(name);
      if (known?.stamp === stamp) return known;
      const { yaml, instructions } = splitSkill(await readTextInside(folder, skillFile, skillLimits.bytes));
      return { stamp, read: this.#skillOf(folder, readFrontMatter(yaml), instructions) };
    } catch (error) {
      return { stamp: '', read: { faults: [leftOut(place, whyOf(error))] } };
    }
  }

  #skillOf(folder: string, { facts, unknown }: FrontMatter, instructions: string): ReadFile {
    const place = join(folder, skillFile);
    if (facts.name !== basename(folder).normalize('NFKC'))
      throw new LeftOut('has a name that is not that of its folder');
    if (instructions.trim() === '') throw new LeftOut('has no instructions');
    const reason = `has keys that are not those of a skill: ${unknown.map((key) => key.slice(0, 64)).join(', ')}`;
    const faults: readonly SkillFault[] = unknown.length === 0 ? [] : [{ place, reason, kind: 'ignored' }];
    const skill: Skill = {
      ...facts,
      instructions,
      resources: () => findResources(folder).catch(() => []),
      read: (resource) => this.#readResource(folder, facts.name, resource),
    };
    return { skill, faults };
  }

  async #readResource(folder: string, skill: string, resource: string): Promise<string | undefined> {
    try {
      const fault = resourceNameFault(resource);
      if (fault !== undefined) throw new LeftOut(fault);
      return await readTextInside(folder, resource, skillLimits.resourceBytes);
    } catch (error) {
      this.#log.warn({ skill, file: resource.slice(0, 200), reason: whyOf(error) }, 'a file of a skill was not read');
      return undefined;
    }
  }
}

const missing = 'is not there';

function leftOut(place: string, reason: string): SkillFault {
  return { place, reason, kind: 'left-out' };
}

/** Differs for another file, and for other content of the same file. */
function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

function whyOf(error: unknown): string {
  if (error instanceof LeftOut) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'ENOENT' || code === 'ENOTDIR' ? missing : 'cannot be read';
}
