import type { Helper } from '../channels/in-process/helper-session.ts';
import type { ActionLog } from '../plugin-api/index.ts';
import type { HelperConfiguration } from './helper-configuration.ts';

export { HelperError } from '../core/errors/helper-error.ts';
export { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';
export type {
  ApproveOptions,
  Helper,
  HelperEvent,
  HelperSession,
  HelperTurn,
  HelperUser,
  RestoredConversation,
  SendOptions,
} from '../channels/in-process/helper-session.ts';
export type { HelperConfiguration } from './helper-configuration.ts';

/** What `createHelper` takes beside a configuration. */
export interface CreateHelperOptions {
  /** Gets every log line. Left out, lines go to standard output as `logging` says. */
  readonly log?: ActionLog;
}

/**
 * Opens the assistant inside this process, without a server (contract/in-process.md). Configuration, plugins, confirmations and storage are
 * the same as those of the server. `config` is the path of a YAML file, or an object of the same keys and values.
 * @throws StartupFaults with every fault of the configuration; Error when the storage cannot be opened.
 */
export async function createHelper(
  config: string | HelperConfiguration,
  options: CreateHelperOptions = {},
): Promise<Helper> {
  // Plugins import this package for its small parts: they must not pay for the whole server.
  const { openHelper } = await import('./in-process/open-helper.ts');
  return openHelper(config, options);
}
