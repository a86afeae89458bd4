import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeError } from '../../shared/describe-error.ts';
import type { ReportFault } from '../fault-report.ts';
import { findFolderEntry } from './find-folder-entry.ts';
import {
  adviceForFile,
  adviceForFolder,
  adviceForOtherEntries,
  noPluginAdvice,
  type Overlook,
  overlookedCodes,
} from './overlooked.ts';
import type { PluginFile } from './plugin-file.ts';

const singleFile = /^(.+)\.plugin\.(?:js|mjs|ts)$/;

/**
 * Finds the plugins in the directories of `actions.plugins`, in order of directory and then of name (contract/plugins.md#plugins). A
 * symbolic link counts as its target. Dot files and `node_modules` are skipped.
 */
export async function findPluginFiles(
  directories: readonly string[],
  report: ReportFault,
  overlook: Overlook,
): Promise<readonly PluginFile[]> {
  const seen = new Map<string, string>();
  const files: PluginFile[] = [];
  for (const [directoryIndex, directory] of directories.entries()) {
    const reportHere: ReportFault = (path, message) => {
      report(`actions.plugins[${String(directoryIndex)}]`, path === '' ? message : `${path}: ${message}`);
    };
    const names = await listDirectory(directory, seen, reportHere);
    const before = files.length;
    for (const name of names ?? []) {
      const found = await findPlugin(join(directory, name), name, reportHere);
      if (found === undefined) await overlookEntry(join(directory, name), name, overlook);
      else {
        files.push({ ...found, directoryIndex });
        const advice = await adviceForOtherEntries(found.file);
        if (advice !== undefined) overlook(overlookedCodes.notLoaded, `${found.file} ${advice}`);
      }
    }
    if (names !== undefined && files.length === before)
      overlook(overlookedCodes.noPlugin, `${directory} ${noPluginAdvice}`);
  }
  return files;
}

/** The names in a directory. Undefined after a reported fault. */
async function listDirectory(
  directory: string,
  seen: Map<string, string>,
  report: ReportFault,
): Promise<readonly string[] | undefined> {
  try {
    const real = await realpath(directory);
    const earlier = seen.get(real);
    if (earlier !== undefined)
      report('', `${directory} is the same directory as ${earlier}, which is listed before it`);
    if (earlier !== undefined) return undefined;
    seen.set(real, directory);
    const names = await readdir(directory);
    return names.filter((name) => !name.startsWith('.') && name !== 'node_modules').sort();
  } catch (error) {
    report('', unreadable(directory, error));
    return undefined;
  }
}

async function findPlugin(
  path: string,
  name: string,
  report: ReportFault,
): Promise<Omit<PluginFile, 'directoryIndex'> | undefined> {
  const entry = await statOf(path, report);
  if (entry === undefined) return undefined;
  if (entry.isDirectory()) {
    const file = await findFolderEntry(path, report);
    return file === undefined ? undefined : { file, folder: await realpath(path), label: name };
  }
  const label = entry.isFile() ? singleFile.exec(name)?.[1] : undefined;
  return label === undefined ? undefined : { file: path, folder: dirname(await realpath(path)), label };
}

async function overlookEntry(path: string, name: string, overlook: Overlook): Promise<void> {
  const entry = await stat(path).catch(() => undefined);
  const advice = entry?.isDirectory() === true ? await adviceForFolder(path) : adviceForFile(name);
  if (entry !== undefined && advice !== undefined) overlook(overlookedCodes.notLoaded, `${path} ${advice}`);
}

async function statOf(path: string, report: ReportFault): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    report(path, `cannot be read: ${describeError(error)}`);
    return undefined;
  }
}

function unreadable(directory: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `the directory ${directory} does not exist`;
  if (code === 'ENOTDIR') return `${directory} is not a directory; name the directory that holds the plugins`;
  return `the directory ${directory} cannot be read: ${describeError(error)}`;
}
