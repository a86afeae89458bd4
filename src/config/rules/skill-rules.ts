import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { KeyPath } from '../located-value.ts';
import { skillsSection } from '../schema/skills.schema.ts';
import type { Rule, RuleFault } from './rule.ts';

/** The folder of `skillsFolder` when the file does not name one. */
export function unnamedSkillsFolder(configFile: string): string {
  return resolve(dirname(configFile), skillsSection.properties.skillsFolder.default);
}

/** A folder of skills that the file names must exist. The default folder need not exist. */
export const skillFoldersRule: Rule = ({ configFile, enableSkills, skillsFolder, skillSources }) => {
  if (!enableSkills) return [];
  return [
    ...(skillsFolder === unnamedSkillsFolder(configFile) ? [] : folderFaults(skillsFolder, ['skillsFolder'])),
    ...skillSources.flatMap((folder, index) => folderFaults(folder, ['skillSources', index])),
  ];
};

function folderFaults(folder: string, path: KeyPath): readonly RuleFault[] {
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true) return [];
  return [{ path, message: entry === undefined ? `there is no directory ${folder}` : `${folder} is not a directory` }];
}
