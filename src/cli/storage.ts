import { resolve } from 'node:path';
import { loadSettings } from '../config/load-settings.ts';
import { storageName } from '../config/storage-name.ts';
import { type Command, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

const options = { ...configOption, from: { type: 'string' } } as const;

/** Copies what embedded storage keeps into a database of PostgreSQL (contract/operations.md#copying). */
export const storage: Command = async (parameters, context) => {
  const { values, positionals } = readArguments(parameters, { options, positionals: 1 });
  if (positionals[0] !== 'copy') throw new UsageError('storage needs copy: storage copy --from FOLDER');
  if (values.from === undefined) throw new UsageError('storage copy needs --from FOLDER, the storage.path to copy');
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const folder = resolve(workingDirectory, values.from);
  try {
    const { copyToPostgres } = await import('../app/backup/copy-to-postgres.ts');
    const tables = await copyToPostgres(settings, folder);
    const filled = tables.filter(({ rows }) => rows > 0).map(({ table, rows }) => `  ${table}: ${String(rows)}\n`);
    context.write(
      `Copied from ${folder} to ${storageName(settings.storage) ?? ''}, rows by table, each read back and compared:\n` +
        (filled.join('') || '  none: the folder kept nothing\n') +
        `${folder}/helper.db is not used any more once the server runs with storage.type postgres.\n`,
    );
    return exitCodes.ok;
  } catch (error) {
    context.writeError(`nothing was copied: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};
