import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { packageFile, packageName } from '../app/own-package.ts';

/** How the scripts of a project call the server that wrote it. */
export interface ServerProgram {
  /** Text for a shell. */
  readonly command: string;
  /** The path of the program as text for a shell, for a Node that watches files. */
  readonly file: string;
  /** What the project must install to have the command. Left out, there is nothing that it could install. */
  readonly dependency?: Dependency;
}

/** A dependency as a project of its own can have it. */
export interface Dependency {
  /** What stands beside the package's name in `dependencies`. */
  readonly spec: string;
  /** The path of an archive that is copied into the project, so that the project can be moved. */
  readonly archive?: string;
}

/**
 * How a project in `folder` calls this server. A clone is called by its file. An installed server is called by its name, and the project
 * depends on what was installed, because `node_modules` around it, or the cache of npx, stay behind when the project moves.
 */
export function serverProgram(folder: string, packageFolder = packageFile('.')): ServerProgram {
  const around = dirname(resolve(packageFolder));
  if (basename(around) !== 'node_modules') {
    const file = quoted(relative(folder, join(packageFolder, 'dist/main.js')));
    return { command: `node ${file}`, file };
  }
  const dependency = dependencyIn(dirname(around));
  return { command: 'helper', file: '"$(command -v helper)"', ...(dependency !== undefined && { dependency }) };
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

/**
 * What a folder of npm says that it has installed; npx notes the same in a `package.json` of its own. A path there is relative to that
 * folder. Nothing is taken for granted where nothing is noted: a bare name could be a stranger's package.
 */
function dependencyIn(root: string): Dependency | undefined {
  const spec = notedSpec(join(root, 'package.json'));
  if (spec?.startsWith('file:') !== true) return spec === undefined ? undefined : { spec };
  const archive = resolve(root, spec.slice('file:'.length));
  return { spec: `file:${basename(archive)}`, archive };
}

function notedSpec(file: string): string | undefined {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, unknown> } | null; // npm's own file
    const spec = content?.dependencies?.[packageName];
    return typeof spec === 'string' ? spec : undefined;
  } catch {
    return undefined;
  }
}
