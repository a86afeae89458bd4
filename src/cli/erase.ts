import { eraseAlone } from '../app/conversations/erase-command.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { HelperSettings } from '../config/settings.ts';
import { askServer, NoServer } from './ask-server.ts';
import { type Command, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

const options = { ...configOption, user: { type: 'string' } } as const;

/** Erases what the server keeps of a user, while it runs or not (contract/operations.md#erase). */
export const erase: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options });
  const { user } = values;
  if (user === undefined) throw new UsageError('erase needs --user KEY');
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  try {
    const { conversations = 0, facts = 0, tasks = 0, journal = 0 } = await erased(settings, user);
    context.write(
      `Erased: ${String(conversations)} conversations, ${String(facts)} facts, ${String(tasks)} tasks of other agents. Under a pseudonym: ${String(journal)} rows of the journal.\n`,
    );
    // Users from before `tenancy.claim` was set have keys without a tenant, so such keys are erased too.
    if (settings.tenancy.claim !== null && !user.startsWith('tenant:'))
      context.write(`Users are of tenants here (tenancy.claim): their keys look like tenant:acme/${user}.\n`);
    return exitCodes.ok;
  } catch (error) {
    context.writeError(`not everything was erased: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};

async function erased(settings: HelperSettings, user: string): Promise<Partial<Counts>> {
  if (settings.storage.type === 'memory') {
    throw new Error('storage.type memory keeps nothing, and has no socket to be asked by; stop the server instead');
  }
  try {
    const { status, body } = await askServer(settings, 'erase', { user });
    const answer = body as Partial<Counts> & { readonly message?: string }; // our own server's, of this version
    if (status === 200) return answer;
    throw new Error(answer.message ?? `the server answered ${String(status)}`);
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    return eraseAlone(settings, user);
  }
}

interface Counts {
  readonly conversations: number;
  readonly facts: number;
  readonly journal: number;
  readonly tasks: number;
}
