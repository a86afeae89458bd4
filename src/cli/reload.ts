import { loadSettings } from '../config/load-settings.ts';
import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';
import { askServer } from './ask-server.ts';
import { type Command, exitCodes } from './command.ts';
import { formatFaults } from './format-faults.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';

/** Has the running server read its configuration again (contract/operations.md#reload). */
export const reload: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options: configOption });
  const { environment, workingDirectory } = context;
  const file = configFile(values.config, context);
  try {
    const { settings } = loadSettings({ file, environment, workingDirectory });
    const { status, body } = await askServer(settings, 'reload');
    // The bodies are those of our own server, of this version.
    const answer = body as Partial<Reloaded> & { readonly faults?: readonly StartupFault[]; readonly message?: string };
    if (status === 200) {
      context.write(sentences({ taken: [], left: [], configuration: '', ...answer }));
      return exitCodes.ok;
    }
    if (answer.faults !== undefined) throw new StartupFaults(answer.faults);
    throw new Error(answer.message ?? `it answered ${String(status)}`);
  } catch (error) {
    if (error instanceof StartupFaults) {
      context.writeError(formatFaults(error.faults, workingDirectory, 'nothing has changed'));
      return exitCodes.configuration;
    }
    context.writeError(`not reloaded: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};

interface Reloaded {
  readonly taken: readonly string[];
  readonly left: readonly string[];
  readonly configuration: string;
}

function sentences({ taken, left, configuration }: Reloaded): string {
  const changes = taken.length === 0 ? 'Nothing that can be taken has changed.' : `Taken: ${taken.join(', ')}.`;
  const waiting = left.length === 0 ? '' : `Waits for a restart: ${left.join(', ')}.\n`;
  return `${changes}\n${waiting}Configuration ${configuration} serves.\n`;
}
