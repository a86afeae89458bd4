import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The codes of the warnings of this file, which `docs/reference/warnings.md` documents. */
export const overlookedCodes = { noPlugin: 'HLP1015', notLoaded: 'HLP1014' } as const;

/** Notes a file or folder that somebody may have meant as a plugin, with advice how to make it one. */
export type Overlook = (code: string, message: string) => void;

const programFile = /^(?<name>.+)\.(?<type>js|mjs|cjs|ts|mts|cts|jsx|tsx)$/;
/** Files beside programs that are no programs themselves: types, tests, and settings of tools. */
const besideFile = /\.(?:d|test|spec|config)\.[cm]?[jt]sx?$/;

/** Advice for a file whose name does not make it a plugin. Undefined when nobody can have meant the file as one. */
export function adviceForFile(fileName: string): string | undefined {
  const { name, type = '' } = programFile.exec(fileName)?.groups ?? {};
  if (name === undefined || besideFile.test(fileName)) return undefined;
  const isLoadable = ['js', 'mjs', 'ts'].includes(type);
  const goal = `${name.replace(/\.plugin$/, '')}.plugin.${isLoadable ? type : type.includes('t') ? 'ts' : 'mjs'}`;
  return `is not loaded: call it ${goal} if it is a plugin, or put it into the folder of the plugin that uses it.`;
}

/** Advice for a folder without an entry. Undefined when the folder holds no program. */
export async function adviceForFolder(folder: string): Promise<string | undefined> {
  const names = await namesIn(folder);
  const isMeant = names.some((name) => name === 'package.json' || (programFile.test(name) && !besideFile.test(name)));
  if (!isMeant) return adviceForDeepEntry(folder, names);
  return 'is not loaded: a folder is a plugin when it has an index.js, index.mjs or index.ts, or a package.json with main or exports.';
}

/** Advice for a plugin whose entry is one folder too deep. */
async function adviceForDeepEntry(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const [entry] = indexFilesOf(await namesIn(join(folder, name)));
    if (entry !== undefined)
      return `is not loaded: its ${entry} lies in ${name}. Put it into the folder itself, or name it as main in a package.json there.`;
  }
  return undefined;
}

/** Advice for the other entries of a folder whose plugin is this file. Undefined when there are none. */
export async function adviceForOtherEntries(file: string): Promise<string | undefined> {
  const loaded = basename(file);
  const entries = indexFilesOf(await namesIn(dirname(file)));
  const [other] = entries.includes(loaded) ? entries.filter((name) => name !== loaded) : [];
  return other === undefined ? undefined : `is the plugin, and ${other} beside it is not loaded: delete one of them.`;
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((): string[] => []);
}

function indexFilesOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => /^index\.(?:js|mjs|ts)$/.test(name));
}

/** The warning for a directory in which no plugin was found. */
export const noPluginAdvice =
  'holds no plugin. A plugin is a folder with an index.js, index.mjs or index.ts, or a file called NAME.plugin.js, .mjs or .ts.';
