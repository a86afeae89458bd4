import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Command, exitCodes } from './command.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { ownPackage, packageHint } from './package-hint.ts';
import { packageName } from '../app/own-package.ts';
import { quoted, serverProgram, type ServerProgram } from './project-scripts.ts';
import { readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** Writes a small working project, and never over anything that is there. */
export const init: Command = (parameters, context) => {
  const { positionals } = readArguments(parameters, { options: {}, positionals: 1 });
  const [directory] = positionals;
  if (directory === undefined || directory === '') throw new UsageError('init needs the directory to write to');
  const folder = resolve(context.workingDirectory, directory);
  const own = ownPackage(folder);
  const program = serverProgram(folder);
  const files = projectFiles(program, own?.isModule);
  const isThere = ({ path }: ProjectFile): boolean => existsSync(join(folder, path));
  const taken = files.filter((file) => file.mayBeThere !== true && isThere(file));
  if (taken.length > 0) {
    const names = taken.map(({ path }) => join(directory, path)).join(', ');
    context.writeError(`Nothing was written, because this is there already: ${names}. Choose another directory.\n`);
    return Promise.resolve(exitCodes.failed);
  }
  try {
    for (const { path, content } of files.filter((file) => !isThere(file))) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { flag: 'wx' });
      context.write(`wrote ${join(directory, path)}\n`);
    }
    copyArchive(program, folder);
  } catch (error) {
    context.writeError(`${describeRefusal(error)}\n`);
    return Promise.resolve(exitCodes.failed);
  }
  if (own !== undefined) context.write(packageHint(own, program));
  const settingsFile = join(directory, 'helper.yaml');
  const start = startWith(directory, program, own !== undefined);
  context.write(
    `\nStart it with\n  ${start ?? `${context.invokedAs} start --config ${quoted(settingsFile)}`}\nand open http://localhost:8080/. It is your task list; its buttons ask the assistant.\n`,
  );
  return Promise.resolve(exitCodes.ok);
};

/** An archive that the project has already is left as it is. */
function copyArchive({ dependency }: ServerProgram, folder: string): void {
  if (dependency?.archive === undefined) return;
  const copy = join(folder, basename(dependency.archive));
  if (!existsSync(copy)) copyFileSync(dependency.archive, copy);
}

/** What the file system refused, and what the user can do. */
function describeRefusal(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return 'There is a file where a folder is needed. Choose another directory.';
  if (code === 'EACCES' || code === 'EPERM') return 'You may not write there. Choose another directory.';
  return `Nothing more can be written there: ${error instanceof Error ? error.message : String(error)}.`;
}

/** The commands for a shell that start a project which depends on the server. Undefined: it depends on nothing. */
function startWith(directory: string, { dependency }: ServerProgram, hasPackage: boolean): string | undefined {
  if (dependency === undefined) return undefined;
  const { spec, archive } = dependency;
  const named = archive === undefined ? `${packageName}@${spec}` : `./${basename(archive)}`;
  const steps = hasPackage
    ? `npm install ${quoted(named)} && npx helper start --config helper.yaml`
    : 'npm install && npm start';
  return `cd ${quoted(directory)} && ${steps}`;
}
