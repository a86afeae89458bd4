import { loadSettings } from '../config/load-settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { checkJson } from './check-json.ts';
import type { CheckResult } from './check-result.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { formatFaults } from './format-faults.ts';
import { formatReport } from './format-report.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { withPlaces } from '../config/with-places.ts';

/**
 * Validates configuration and plugins and prints what would be served; listens nowhere (contract/configuration.md#commands). With `--online`
 * each model is asked one small question, and each issuer of tokens for its keys.
 */
export const check: Command = async (parameters, context) => {
  const options = { ...configOption, json: { type: 'boolean' }, online: { type: 'boolean' } } as const;
  const { values } = readArguments(parameters, { options });
  const result = await inspect(configFile(values.config, context), context, values.online === true);
  if (values.json === true) {
    context.write(`${JSON.stringify(checkJson(result), undefined, 2)}\n`);
  } else if (result.ok) {
    context.write(formatReport(result.report, result));
  } else {
    context.writeError(formatFaults(result.faults, context.workingDirectory));
  }
  if (!result.ok) return exitCodes.configuration;
  const trials = [...(result.trials ?? []), ...(result.issuers ?? [])];
  return trials.some(({ ok }) => !ok) ? exitCodes.failed : exitCodes.ok;
};

async function inspect(file: string, context: CommandContext, isOnline: boolean): Promise<CheckResult> {
  const { environment, workingDirectory } = context;
  try {
    const loaded = loadSettings({ file, environment, workingDirectory });
    // Faults of the configuration are shown without waiting for the server's code.
    const { buildServer } = await import('../app.ts');
    const server = await withPlaces(loaded, () => buildServer(loaded.settings, { silent: true }));
    try {
      const { report } = server;
      if (!isOnline) return { ok: true, report };
      const [trials, issuers] = await Promise.all([server.tryModels(), server.tryIssuers()]);
      return { ok: true, report, trials, issuers };
    } finally {
      await server.close();
    }
  } catch (error) {
    if (error instanceof StartupFaults) return { ok: false, faults: error.faults };
    // A refusal of the machine, such as an unreadable certificate, would also keep the server from starting, so it is a fault.
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { ok: false, faults: [{ file, path: '(start)', message: error.message }] };
  }
}
