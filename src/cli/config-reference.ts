import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from '../config/generate/generated-files.ts';
import { referencePage } from '../config/generate/reference-page.ts';
import { type Command, exitCodes } from './command.ts';
import { readArguments } from './read-arguments.ts';

/** Prints the reference of every setting, or with `--write` writes all generated files below the working directory. */
export const configReference: Command = (parameters, context) => {
  const { values } = readArguments(parameters, { options: { write: { type: 'boolean' } } });
  if (values.write !== true) {
    context.write(referencePage());
    return Promise.resolve(exitCodes.ok);
  }
  for (const { path, content } of generatedFiles()) {
    const file = join(context.workingDirectory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    context.write(`wrote ${path}\n`);
  }
  return Promise.resolve(exitCodes.ok);
};
