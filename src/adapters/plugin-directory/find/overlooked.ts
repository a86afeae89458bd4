import { readdir } from 'node:fs/promises';

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
export const overlookedCodes = { noPlugin: 'HLP1015', notLoaded: 'HLP1014' } as const;

/** Notes what somebody may have meant as a plugin, and what to do so that it is one. */
export type Overlook = (code: string, message: string) => void;

const programFile = /^(?<name>.+)\.(?<type>js|mjs|cjs|ts|mts|cts|jsx|tsx)$/;
/** Files that stand beside programs without being programs: types, tests, settings of tools. */
const besideFile = /\.(?:d|test|spec|config)\.[cm]?[jt]sx?$/;

/** What to do about a file that is no plugin because of its name; undefined when nobody can have meant it as one. */
export function adviceForFile(fileName: string): string | undefined {
  const { name, type = '' } = programFile.exec(fileName)?.groups ?? {};
  if (name === undefined || besideFile.test(fileName)) return undefined;
  const isLoadable = ['js', 'mjs', 'ts'].includes(type);
  const goal = `${name.replace(/\.plugin$/, '')}.plugin.${isLoadable ? type : type.includes('t') ? 'ts' : 'mjs'}`;
  return `is not loaded: call it ${goal} if it is a plugin, or put it into the folder of the plugin that uses it.`;
}

/** What to do about a folder that has no entry; undefined when it holds no program. */
export async function adviceForFolder(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  const isMeant = names.some((name) => name === 'package.json' || (programFile.test(name) && !besideFile.test(name)));
  if (!isMeant) return undefined;
  return 'is not loaded: a folder is a plugin when it has an index.js, index.mjs or index.ts, or a package.json with main or exports.';
}

/** The warning for a directory in which no plugin was found. */
export const noPluginAdvice =
  'holds no plugin. A plugin is a folder with an index.js, index.mjs or index.ts, or a file called NAME.plugin.js, .mjs or .ts.';
