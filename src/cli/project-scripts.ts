import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { packageFile, packageVersion } from '../app/own-package.ts';

/** How the scripts of a project call the server that wrote it. */
export interface ServerProgram {
  /** Text for a shell. */
  readonly command: string;
  /** The path of the program as text for a shell, for a Node that watches files. */
  readonly file: string;
  /** The version or the place from which the project must install the command. Left out, nothing must be installed. */
  readonly dependency?: string;
}

/**
 * How a project in `folder` calls this server. An installed server is called by its name. A server that npx runs is called by its name too,
 * because the folder of npx is a cache and may disappear. Otherwise the server is a clone, and the scripts name its file.
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

/** The path as one word of a POSIX shell, without any special meaning. */
export function quoted(path: string): string {
  return /^[A-Za-z0-9._/-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The package that npx was asked for. npx notes it in a `package.json` of its own. A path in that file is relative to that file. */
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
