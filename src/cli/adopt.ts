import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { adoptedConfiguration, type AdoptedConfiguration } from '../app/adopt/adopted-configuration.ts';
import { readAdopted } from '../app/adopt/read-adopted.ts';
import { oneLine } from '../core/base/one-line.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { quoted } from './project-scripts.ts';
import { readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

const options = { output: { type: 'string', short: 'o' }, replace: { type: 'boolean' } } as const;

/** Writes a configuration that begins with an OpenAPI document, and never over a file unless told to (contract/openapi.md#adopting). */
export const adopt: Command = async (parameters, context) => {
  const { values, positionals } = readArguments(parameters, { options, positionals: 1 });
  const [given = ''] = positionals;
  if (given === '') throw new UsageError('adopt needs the address or the file of an OpenAPI document');
  if (given.includes('${')) throw new UsageError('the name of the document must not have ${ in it');
  const output = values.output ?? 'helper.yaml';
  const isPrinted = output === '-';
  const file = resolve(context.workingDirectory, output);
  if (!isPrinted && values.replace !== true && existsSync(file)) {
    const advice = 'Name another file with --output, or say --replace';
    context.writeError(`Nothing was written, because ${output} is there already. ${advice}.\n`);
    return exitCodes.failed;
  }
  const isAddress = /^https?:\/\//i.test(given);
  const path = resolve(context.workingDirectory, given);
  const folder = isPrinted ? context.workingDirectory : dirname(file);
  try {
    const read = await readAdopted(isAddress ? given : path, context.environment, context.untilStopped());
    const named = isAddress ? given : fromFolder(folder, path);
    const adopted = adoptedConfiguration(read, { named, address: isAddress ? given : undefined });
    if (isPrinted) context.write(adopted.text);
    else {
      writeFileSync(file, adopted.text, { flag: values.replace === true ? 'w' : 'wx' });
      context.write(summary(adopted, output, context));
    }
    return exitCodes.ok;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.writeError(`Nothing was written: ${withoutQueries(given)} ${reason}.\n`);
    return exitCodes.failed;
  }
};

function fromFolder(folder: string, path: string): string {
  const found = relative(folder, path).split(sep).join('/');
  return found.startsWith('.') || found.startsWith('/') ? found : `./${found}`;
}

/** Lines about operations that are left out. The file has all of them. */
const mostLines = 50;

function summary(adopted: AdoptedConfiguration, output: string, context: CommandContext): string {
  const { on, off, leftOut, unread, total, baseUrl } = adopted;
  const shown = leftOut.slice(0, mostLines);
  const more = leftOut.length - shown.length;
  const lines = [
    `wrote ${output}`,
    `  ${operations(total)} in the document`,
    `  ${operations(on.length)} only read: on`,
    `  ${operations(off.length)} may change something: off`,
    `  ${operations(leftOut.length + unread)} left out${leftOut.length + unread === 0 ? '' : ':'}`,
    ...shown.map((line) => `    ${oneLine(line)}`),
    ...(more === 0 ? [] : [`    and ${String(more)} more, which the file names`]),
    ...(unread === 0 ? [] : [`    ${String(unread)}, because the document has too many to list`]),
    ...(on.length === 0 ? ['  nothing is on: take the # from an operation that you want'] : []),
    baseUrl === undefined ? '  baseUrl is empty: the document names no address' : `  calls go to ${baseUrl}`,
    '',
    `Read the file. Then see what would be served with\n  ${context.invokedAs} check --config ${quoted(output)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function operations(count: number): string {
  return `${String(count)} operation${count === 1 ? '' : 's'}`;
}
