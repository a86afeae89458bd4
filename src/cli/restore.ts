import { resolve } from 'node:path';
import { restoreBackup } from '../app/backup/kept-files.ts';
import { loadSettings } from '../config/load-settings.ts';
import { requireFile } from './backup.ts';
import { type Command, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

const options = { ...configOption, replace: { type: 'boolean' } } as const;

/** Puts a backup in place of what a stopped server keeps (contract/operations.md#backup). */
export const restore: Command = async (parameters, context) => {
  const { values, positionals } = readArguments(parameters, { options, positionals: 1 });
  const [name] = positionals;
  if (name === undefined) throw new UsageError('restore needs the FILE that helper backup has written');
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const { storage } = settings;
  try {
    requireFile(settings);
    const replace = values.replace === true;
    const { madeAt, openQuestions } = await restoreBackup(resolve(workingDirectory, name), {
      folder: storage.path,
      replace,
    });
    context.write(
      `Restored to ${storage.path}: as it was at ${new Date(madeAt).toISOString()}, open questions: ${String(openQuestions)}.\n` +
        (openQuestions > 0 && settings.hitlMode === 'Blocking'
          ? 'With hitlMode: Blocking they are cancelled when the server starts, and their actions do not run.\n'
          : '') +
        'What was answered after that is not known any more: check it before somebody answers again.\n',
    );
    return exitCodes.ok;
  } catch (error) {
    context.writeError(`nothing was restored: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};
