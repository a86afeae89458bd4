import { onTestFinished } from 'vitest';
import { buildServer, type HelperServer, type ListeningServer } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { shippedConfiguration, withoutDocuments } from './process-environment.ts';

export interface RealServer {
  readonly server: HelperServer;
  readonly url: string;
  /** Reads the configuration file again. Environment variables of the test do not count then. */
  readonly reload: () => ReturnType<ListeningServer['reload']>;
}

/**
 * The whole server, with the demo model and the sample plugin, on a free port and with its storage in memory. It has the shipped
 * configuration without its sample documents, unless `file` names another one. `overrides` are environment variables of
 * contract/configuration.md#reading. The server ends with the test.
 */
export async function realServer(overrides: Readonly<Record<string, string>> = {}, file?: string): Promise<RealServer> {
  const environment = {
    HELPER__SERVER__PORT: '0',
    HELPER__STORAGE__TYPE: 'memory',
    HELPER__SERVER__SHUTDOWNGRACE: '0',
    ...(file === undefined ? withoutDocuments : {}),
    ...overrides,
  };
  const { settings } = loadSettings({ file: file ?? shippedConfiguration, environment });
  const server = await buildServer(settings, { silent: true });
  const listening = await server.listen();
  onTestFinished(() => server.close());
  return { server, url: listening.url, reload: () => listening.reload() };
}
