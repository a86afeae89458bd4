import { nearestName } from '../core/errors/nearest-name.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { formatFaults } from './format-faults.ts';
import { helpText } from './help.ts';
import { UsageError } from './usage-error.ts';
import { versionText } from './version.ts';

/** Each command is loaded when it is called: `health` must not pay for the server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).start,
  check: async () => (await import('./check.ts')).check,
  init: async () => (await import('./init.ts')).init,
  adopt: async () => (await import('./adopt.ts')).adopt,
  reload: async () => (await import('./reload.ts')).reload,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  storage: async () => (await import('./storage.ts')).storage,
  erase: async () => (await import('./erase.ts')).erase,
  knowledge: async () => (await import('./knowledge.ts')).knowledge,
  health: async () => (await import('./health.ts')).health,
  token: async () => (await import('./token.ts')).token,
  'config-reference': async () => (await import('./config-reference.ts')).configReference,
};

/** Runs the command line and answers with the exit code; never throws for what a user can do wrong. */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  const [name = 'help', ...parameters] = words;
  if (isHelp(name) || parameters.some((word) => word === '--help' || word === '-h')) {
    context.write(helpText(context.invokedAs));
    return exitCodes.ok;
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    context.write(versionText());
    return exitCodes.ok;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) return complain(unknownCommand(name), context);
  try {
    const command = await load();
    return await command(parameters, context);
  } catch (error) {
    if (error instanceof UsageError) return complain(error.message, context);
    if (!(error instanceof StartupFaults)) throw error;
    context.writeError(formatFaults(error.faults, context.workingDirectory));
    return exitCodes.configuration;
  }
}

function isHelp(name: string): boolean {
  return name === 'help' || name === '--help' || name === '-h';
}

function unknownCommand(name: string): string {
  const near = nearestName(name, Object.keys(commands));
  return `there is no command "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function complain(message: string, context: CommandContext): number {
  context.writeError(`${message}\nSee ${context.invokedAs} help.\n`);
  return exitCodes.usage;
}
