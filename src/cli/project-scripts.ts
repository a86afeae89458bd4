import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { packageFile, packageVersion } from '../app/own-package.ts';

/** How the scripts of a project call the server that wrote it. */
export interface ServerProgram {
  /** Words of a shell. */
  readonly command: string;
  /** The way to the program, for a Node that watches files, as words of a shell. */
  readonly file: string;
  /** What the project must install so that there is such a command: a version, or where it comes from. */
  readonly dependency?: string;
}

/**
 * How a project in `folder` calls this server. A server that was installed is called by its name, since the folder of an npx call is
 * a cache, and nothing there stays. Otherwise this is a clone: the scripts name its file.
 */
export function serverProgram(folder: string, packageFolder = packageFile('.')): ServerProgram {
  const around = dirname(resolve(packageFolder));
  if (basename(around) !== 'node_modules') {
    const file = quoted(relative(folder, join(packageFolder, 'dist/main.js')));
    return { command: `node ${file}`, file };
  }
  const installed = { command: 'helper', file: '"$(command -v helper)"' };
  const root = dirname(around);
  return basename(dirname(root)) === '_npx' ? { ...installed, dependency: specOf(root) } : installed;
}

/** The scripts of a project, by name. */
export function projectScripts({ command, file }: ServerProgram): Readonly<Record<'start' | 'dev' | 'check', string>> {
  return {
    start: `${command} start --config helper.yaml`,
    dev: `node --watch-path=helper.yaml --watch-path=plugins ${file} start --config helper.yaml`,
    check: `${command} check --config helper.yaml`,
  };
}

/** One word of a POSIX shell, in which nothing has a meaning. */
export function quoted(path: string): string {
  return /^[A-Za-z0-9._/-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** What npx was asked for: it notes that in a package of its own. A path there is as seen from that package. */
function specOf(root: string): string {
  const spec = notedSpec(join(root, 'package.json')) ?? packageVersion();
  return spec.startsWith('file:') ? `file:${resolve(root, spec.slice('file:'.length))}` : spec;
}

function notedSpec(file: string): string | undefined {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: { helper?: unknown } } | null; // npm's own file
    const spec = content?.dependencies?.helper;
    return typeof spec === 'string' ? spec : undefined;
  } catch {
    return undefined;
  }
}
