import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { makeBackupAlone } from '../app/backup/kept-files.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { HelperSettings } from '../config/settings.ts';
import { NoServer, openAnswer } from './ask-server.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** Milliseconds. A backup may have gigabytes, so it gets hours. */
const withinMs = 6 * 60 * 60 * 1000;

/**
 * Writes the server's data to one file (contract/operations.md#backup). The server may run or not. The file is complete or does not exist.
 * Only its owner can read it. An existing file is never overwritten.
 */
export const backup: Command = async (parameters, context) => {
  const { values, positionals } = readArguments(parameters, { options: configOption, positionals: 1 });
  const [name] = positionals;
  if (name === undefined) throw new UsageError('backup needs the FILE to write');
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const file = resolve(workingDirectory, name);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    requireFile(settings);
    if (name === '-') return await toOutput(settings, context);
    await Promise.race([write(settings, draft), stopped(context.untilStopped())]);
    await link(draft, file);
    context.write(`Written: ${file}\n${keysSentence(settings)}\n`);
    return exitCodes.ok;
  } catch (error) {
    context.writeError(`no backup was made: ${reasonOf(error, file)}\n`);
    return exitCodes.failed;
  } finally {
    await rm(draft, { force: true });
  }
};

/** @throws Error when the data is not in a file of this server. */
export function requireFile({ storage: { type } }: HelperSettings): void {
  if (type === 'memory') throw new Error('storage.type memory keeps nothing');
  if (type === 'postgres') throw new Error('with storage.type postgres use the tools of PostgreSQL, such as pg_dump');
}

/** Rejects when somebody stops the command. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was stopped')));
  });
}

/** Writes the backup to standard output, for users without a folder to write to, as in a container. It needs a running server. */
async function toOutput(settings: HelperSettings, { output, writeError }: CommandContext): Promise<number> {
  // The output stays open, because later text does not belong to the file.
  await pipeline(await fromServer(settings), output, { end: false });
  writeError(`${keysSentence(settings)}\n`);
  return exitCodes.ok;
}

async function fromServer(settings: HelperSettings): Promise<IncomingMessage> {
  const answer = await openAnswer(settings, 'backup', { withinMs });
  if (answer.statusCode === 200) return answer;
  const { message } = (await json(answer)) as { readonly message?: string }; // our own server's, of this version
  throw new Error(message ?? `the server answered ${String(answer.statusCode)}`);
}

/**
 * Asks a running server for the backup, because it knows a moment between two changes. Without a server, the command locks the folder and
 * makes the backup itself.
 */
async function write(settings: HelperSettings, draft: string): Promise<void> {
  try {
    const answer = await fromServer(settings);
    const target = await open(draft, 'wx', 0o600);
    await pipeline(answer, target.createWriteStream({ flush: true }));
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    await makeBackupAlone(settings.storage.path, draft, Date.now());
  }
}

function keysSentence({ dataProtection: { keys, keyFile } }: HelperSettings): string {
  return keys.length === 0 && keyFile === null
    ? 'It holds the keys of saved conversations: keep it as you keep secrets.'
    : 'Keep it as you keep secrets. The keys of dataProtection are not in it: keep them too.';
}

function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'EEXIST' ? `${file} is there already` : error.message;
}
