import { loadSettings } from '../config/load-settings.ts';
import { parseDuration } from '../config/duration.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { type Command, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** Signs a token for trying things out, with the server's own `auth.jwt.secret` (contract/configuration.md#commands). */
export const token: Command = async (parameters, context) => {
  const options = {
    ...configOption,
    sub: { type: 'string' },
    role: { type: 'string', multiple: true },
    expires: { type: 'string' },
  } as const;
  const { values } = readArguments(parameters, { options });
  if (values.sub === undefined || values.sub === '') throw new UsageError('token needs the user: --sub NAME');
  const lifetimeMs = readLifetime(values.expires ?? '1h');
  const file = configFile(values.config, context);
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file, environment, workingDirectory });
  // Loaded last: faults of the configuration are shown without waiting for it.
  const { signTestToken } = await import('../app/sign-test-token.ts');
  const signed = await signTestToken(settings.auth.jwt, { sub: values.sub, roles: values.role ?? [], lifetimeMs });
  if (signed === undefined) {
    const message = 'must be given: tokens are signed here only where the server checks them with a secret';
    throw new StartupFaults([{ file, path: 'auth.jwt.secret', message }]);
  }
  context.write(`${signed}\n`);
  return exitCodes.ok;
};

function readLifetime(text: string): number {
  const lifetimeMs = parseDuration(text);
  if (lifetimeMs === undefined || lifetimeMs <= 0) {
    throw new UsageError(`--expires "${text}" is no duration such as 15m, 1h or 7d`);
  }
  return lifetimeMs;
}
