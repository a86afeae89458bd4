import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Command, exitCodes } from './command.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { ownPackage, packageHint } from './package-hint.ts';
import { quoted, serverProgram } from './project-scripts.ts';
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
  } catch (error) {
    context.writeError(`${describeRefusal(error)}\n`);
    return Promise.resolve(exitCodes.failed);
  }
  if (own !== undefined) context.write(packageHint(own, program));
  if (program.dependency !== undefined)
    context.write(installHint(directory, own === undefined ? '' : program.dependency));
  const settingsFile = join(directory, 'helper.yaml');
  context.write(
    `\nStart it with\n  ${context.invokedAs} start --config ${quoted(settingsFile)}\nand open http://localhost:8080/. It is your task list; its buttons ask the assistant.\n`,
  );
  return Promise.resolve(exitCodes.ok);
};

/** What the file system refused, and what the user can do. */
function describeRefusal(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return 'There is a file where a folder is needed. Choose another directory.';
  if (code === 'EACCES' || code === 'EPERM') return 'You may not write there. Choose another directory.';
  return `Nothing more can be written there: ${error instanceof Error ? error.message : String(error)}.`;
}

/** With npx the command is not installed, but the scripts need it. */
function installHint(directory: string, missing: string): string {
  const install = missing === '' ? 'npm install' : `npm install ${quoted(`helper@${missing}`)}`;
  return `\nBefore you use the scripts, once\n  cd ${quoted(directory)} && ${install}\n`;
}
