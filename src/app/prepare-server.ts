import type { ActionCallback } from '../adapters/action-callback/action-callback.ts';
import { openChatModel } from '../adapters/models/open-chat-model.ts';
import { loadPlugins } from '../adapters/plugin-directory/load-plugins.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { SnapshotKey } from '../adapters/snapshots/snapshot-key.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Authenticator } from '../core/identity/authenticator.ts';
import type { ChatModel } from '../core/ports/chat-model.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { configuredKeys } from './open-snapshots.ts';
import { checkSettingsPatterns } from './settings-patterns.ts';
import { type ComposedTools, composeTools } from './compose-tools.ts';
import { openIdentity } from './open-identity.ts';

/** What is known, checked and built before anything is opened or listens. */
export interface PreparedServer {
  readonly plugins: readonly LoadedPlugin[];
  readonly callbacks: readonly ActionCallback[];
  readonly tools: ComposedTools;
  readonly model: ChatModel;
  readonly authenticator: Authenticator;
  /** Of `dataProtection`; empty when it names none. */
  readonly snapshotKeys: readonly SnapshotKey[];
}

/** Each callback is asked for its manifest once, and one that does not answer is asked again when the server runs. */
async function openCallbacks(
  settings: HelperSettings,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<readonly ActionCallback[]> {
  if (settings.actions === 'none' || settings.actions.callbacks.length === 0) return [];
  // Loaded only for those who have one: every other start would pay for an HTTP client.
  const { ActionCallback } = await import('../adapters/action-callback/action-callback.ts');
  const callbacks = settings.actions.callbacks.map((callback) => new ActionCallback(callback, services));
  await Promise.all(callbacks.map((callback) => callback.load()));
  return callbacks;
}

/**
 * Loads plugins, asks callbacks what they offer, joins their tools and builds the model (configuration.md 1.5).
 * @throws StartupFaults with everything that is wrong.
 */
export async function prepareServer(
  settings: HelperSettings,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<PreparedServer> {
  await checkSettingsPatterns(settings);
  const plugins = await loadPlugins({
    directories: settings.actions === 'none' ? [] : settings.actions.plugins,
    configFile: settings.configFile,
    pluginOptions: settings.pluginOptions,
    appName: settings.appName,
    log: services.log,
  });
  const callbacks = await openCallbacks(settings, services);
  const tools = composeTools(settings, { plugins, callbacks }, services.log);
  const authenticator = await openIdentity(settings, plugins, services.log);
  const snapshotKeys = await configuredKeys(settings);
  const model = await openModel(settings, { plugins, tools }, services);
  return { plugins, callbacks, tools, authenticator, model, snapshotKeys };
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
      demo: { language, appName, appDescription, pages: () => built.tools.toolbox.current.pages },
      ...services,
    });
  } catch (error) {
    // The message begins with the entry at fault, which may be a fallback of the one that was asked for.
    const message = withoutQueries(error instanceof Error ? error.message : String(error));
    const [, path = `models.${settings.chatClient}`, fault = message] = /^(models\.[^:]+): ([^]*)$/.exec(message) ?? [];
    throw new StartupFaults([{ file: settings.configFile, path, message: fault }]);
  }
}
