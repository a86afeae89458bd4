import { openChatModel } from '../adapters/models/open-chat-model.ts';
import { loadPlugins } from '../adapters/plugin-directory/load-plugins.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Authenticator } from '../core/identity/authenticator.ts';
import type { ChatModel } from '../core/ports/chat-model.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { type ComposedTools, composeTools } from './compose-tools.ts';
import { openIdentity } from './open-identity.ts';

/** What is known, checked and built before anything is opened or listens. */
export interface PreparedServer {
  readonly plugins: readonly LoadedPlugin[];
  readonly tools: ComposedTools;
  readonly model: ChatModel;
  readonly authenticator: Authenticator;
}

/**
 * Loads plugins, joins their tools and builds the model (configuration.md 1.5).
 * @throws StartupFaults with everything that is wrong.
 */
export async function prepareServer(
  settings: HelperSettings,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<PreparedServer> {
  const plugins = await loadPlugins({
    directories: settings.actions === 'none' ? [] : settings.actions.plugins,
    configFile: settings.configFile,
    pluginOptions: settings.pluginOptions,
    appName: settings.appName,
    log: services.log,
  });
  const tools = composeTools(settings, plugins);
  const authenticator = openIdentity(settings, plugins, services.log);
  return { plugins, tools, authenticator, model: await openModel(settings, { plugins, tools }, services) };
}

async function openModel(
  settings: HelperSettings,
  built: Pick<PreparedServer, 'plugins' | 'tools'>,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<ChatModel> {
  const { language, appName, appDescription } = settings;
  try {
    return await openChatModel({
      name: settings.chatClient,
      models: settings.models,
      pluginModels: new Map(built.plugins.flatMap((plugin) => [...plugin.models])),
      demo: { language, appName, appDescription, pages: built.tools.pages },
      ...services,
    });
  } catch (error) {
    // The message begins with the entry at fault, which may be a fallback of the one that was asked for.
    const message = error instanceof Error ? error.message : String(error);
    const [, path = `models.${settings.chatClient}`, fault = message] = /^(models\.[^:]+): ([^]*)$/.exec(message) ?? [];
    throw new StartupFaults([{ file: settings.configFile, path, message: fault }]);
  }
}
