import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { FaultPlace } from './fault-report.ts';
import type { PluginFile } from './find/plugin-file.ts';

/** Milliseconds for the search in all files together. The server cannot start with such a fault anyway, so the search may take a moment. */
const longestSearchMs = 10_000;
const mostFiles = 100;

/**
 * The place of a syntax error in a plugin's JavaScript. Node reports the line only on a command line of its own, so each file is checked
 * there without being run. Undefined when all files can be read.
 */
export async function placeOfSyntaxError(plugin: Pick<PluginFile, 'file' | 'folder'>): Promise<FaultPlace | undefined> {
  const signal = AbortSignal.timeout(longestSearchMs);
  for (const file of await programsOf(plugin)) {
    const place = await check(file, signal);
    if (place !== undefined) return place;
    if (signal.aborted) return undefined;
  }
  return undefined;
}

/** The module itself. In a plugin with a folder of its own, the other modules of the folder, too. */
async function programsOf({ file, folder }: Pick<PluginFile, 'file' | 'folder'>): Promise<readonly string[]> {
  if (basename(file).includes('.plugin.')) return [file];
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const own = names.filter((name) => /\.[cm]?js$/.test(name) && !name.split(sep).includes('node_modules'));
  return [...new Set([file, ...own.sort().map((name) => join(folder, name))])].slice(0, mostFiles);
}

function check(file: string, signal: AbortSignal): Promise<FaultPlace | undefined> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--check', file], { signal, env: {} }, (error, _stdout, stderr) => {
      const line = stderr.split('\n', 1)[0]?.match(/:(\d+)$/)?.[1];
      resolve(error === null || line === undefined || signal.aborted ? undefined : { file, line: Number(line) });
    });
    child.stdin?.end();
  });
}
