import { loadSettings } from '../config/load-settings.ts';
import { parseDuration } from '../config/duration.ts';
import type { HelperSettings } from '../config/settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** Characters. A longer text is no token. */
const longestInput = 64 * 1024;

/**
 * Signs a token for trying things out, with the server's own `auth.jwt.secret`. With `--explain` it says which rule a token fails
 * (contract/configuration.md#commands).
 */
export const token: Command = async (parameters, context) => {
  const options = {
    ...configOption,
    sub: { type: 'string' },
    role: { type: 'string', multiple: true },
    expires: { type: 'string' },
    explain: { type: 'string' },
  } as const;
  const { values } = readArguments(parameters, { options });
  const { explain: explained, sub = '' } = values;
  if (explained === undefined && sub === '') throw new UsageError('token needs the user: --sub NAME');
  const lifetimeMs = readLifetime(values.expires ?? '1h');
  const file = configFile(values.config, context);
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file, environment, workingDirectory });
  if (explained !== undefined) return explain(explained, settings, { file, context });
  // Loaded last: faults of the configuration are shown without waiting for it.
  const { signTestToken } = await import('../app/sign-test-token.ts');
  const signed = await signTestToken(settings, { sub, roles: values.role ?? [], lifetimeMs });
  if (signed === undefined) {
    const message = 'must be given: tokens are signed here only where the server checks them with a secret';
    throw new StartupFaults([{ file, path: 'auth.jwt.secret', message }]);
  }
  context.write(`${signed}\n`);
  return exitCodes.ok;
};

async function explain(
  given: string,
  settings: HelperSettings,
  { file, context }: { readonly file: string; readonly context: CommandContext },
): Promise<number> {
  if (settings.auth.jwt === null) {
    throw new StartupFaults([{ file, path: 'auth.jwt', message: 'must be given: without it no token is looked at' }]);
  }
  const written = given === '-' ? await readInput(context.input) : given;
  const { explainToken } = await import('../app/explain-token.ts');
  const explained = await explainToken(settings, written.trim().replace(/^Bearer\s+/i, ''));
  for (const { entry, rules } of explained) {
    if (entry !== null && explained.length > 1) context.write(`${entry}\n`);
    for (const { rule, ok, says } of rules) {
      context.write(`  ${markOf(ok)}  ${rule.padEnd(9)}  ${says}\n`);
    }
  }
  return explained.some(({ rules }) => rules.every(({ ok }) => ok !== false)) ? exitCodes.ok : exitCodes.failed;
}

function markOf(ok: boolean | null): string {
  if (ok === null) return '-    ';
  return ok ? 'ok   ' : 'FAILS';
}

/** The first characters of the standard input. */
async function readInput(input: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > longestInput) throw new UsageError('what came in is too long for a token');
  }
  return text;
}

function readLifetime(text: string): number {
  const lifetimeMs = parseDuration(text);
  if (lifetimeMs === undefined || lifetimeMs <= 0) {
    throw new UsageError(`--expires "${text}" is no duration such as 15m, 1h or 7d`);
  }
  return lifetimeMs;
}
