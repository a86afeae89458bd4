import { statSync } from 'node:fs';
import type { RagSourceSettings } from '../settings.ts';
import type { KeyPath } from '../located-value.ts';
import type { Rule, RuleFault } from './rule.ts';

type Member = keyof RagSourceSettings;

/** The members that each type of source needs, and the optional members that only this type takes. */
const members: Readonly<
  Record<RagSourceSettings['type'], { readonly needs: readonly Member[]; readonly takes: readonly Member[] }>
> = {
  http: { needs: ['url', 'secret'], takes: ['defaultMinScore'] },
  files: {
    needs: ['path'],
    takes: ['include', 'exclude', 'urlPrefix', 'language', 'refresh', 'embeddings', 'minCosine'],
  },
};
const own = [...new Set(Object.values(members).flatMap(({ needs, takes }) => [...needs, ...takes]))];

/**
 * The sources of documents must have different names. Each must have the members that its type needs, and none that would have no effect.
 */
export const ragSourcesRule: Rule = ({ ragSources }) =>
  ragSources.flatMap((source, index): readonly RuleFault[] => {
    const path = ['ragSources', index] as const;
    const first = ragSources.findIndex(({ name }) => name === source.name);
    const { needs, takes } = members[source.type];
    const missing = needs.filter((key) => !(key in source));
    // `refresh` has a default, so it always exists and says nothing about the file.
    const idle = own.filter((key) => key in source && key !== 'refresh' && ![...needs, ...takes].includes(key));
    return [
      ...(first === index
        ? []
        : [{ path: [...path, 'name'], message: `ragSources[${String(first)}] has the same name; names are unique` }]),
      ...missing.map((key) => ({ path, message: `a source of the type ${source.type} needs ${key}` })),
      ...idle.map((key) => ({
        path: [...path, key],
        message: `has no effect: the source is of the type ${source.type}`,
      })),
      ...(missing.length === 0 && source.type === 'files' ? folderFaults(source.path, path) : []),
    ];
  });

function folderFaults(folder: string, path: KeyPath): readonly RuleFault[] {
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true) return [];
  const message = entry === undefined ? `there is no directory ${folder}` : `${folder} is not a directory`;
  return [{ path: [...path, 'path'], message }];
}
