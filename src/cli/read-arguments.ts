import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestName } from '../core/errors/nearest-name.ts';
import type { CommandContext } from './command.ts';
import { UsageError } from './usage-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The option every command that reads the configuration takes. */
export const configOption = { config: { type: 'string', short: 'c' } } as const satisfies Options;

interface ArgumentRules<Known extends Options> {
  readonly options: Known;
  /** How many words may stand beside the options. */
  readonly positionals?: number;
}

/**
 * Parses what follows the command's name.
 * @throws UsageError for an unknown option, a missing value or a word too many.
 */
export function readArguments<Known extends Options>(
  parameters: readonly string[],
  { options, positionals = 0 }: ArgumentRules<Known>,
): ReturnType<typeof parseArgs<{ args: string[]; options: Known; allowPositionals: true; strict: true }>> {
  const parsed = parse(parameters, options);
  const surplus = parsed.positionals[positionals];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many`);
  return parsed;
}

function parse<Known extends Options>(
  parameters: readonly string[],
  options: Known,
): ReturnType<typeof parseArgs<{ args: string[]; options: Known; allowPositionals: true; strict: true }>> {
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(unknownOption(message, Object.keys(options)) ?? message, { cause: error });
  }
}

/** The message for an unknown option. Node adds how an option could be meant as a word, which is no help here. */
function unknownOption(message: string, known: readonly string[]): string | undefined {
  const name = /^Unknown option '([^']+)'/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const near = nearestName(
    name,
    known.map((option) => `--${option}`),
  );
  return `there is no option ${name}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** The configuration file: `--config`, else `HELPER_CONFIG`, else `config/helper.yaml` (contract/configuration.md#reading). */
export function configFile(given: string | undefined, context: CommandContext): string {
  if (given !== undefined && given !== '') return given;
  const fromEnvironment = context.environment['HELPER_CONFIG'];
  return fromEnvironment === undefined || fromEnvironment === '' ? 'config/helper.yaml' : fromEnvironment;
}
