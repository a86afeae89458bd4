import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import { loadPlugins } from '../adapters/plugin-directory/load-plugins.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Logger } from '../core/ports/logger.ts';

/**
 * Loads the plugins that `actions.plugins` names, and starts none. `overlook` is told of files that are no plugins.
 * @throws StartupFaults with everything that is wrong.
 */
export function loadPluginsOf(
  { actions, configFile, pluginOptions, appName }: HelperSettings,
  log: Logger,
  overlook: (code: string, message: string) => void = () => undefined,
): Promise<readonly LoadedPlugin[]> {
  const directories = actions === 'none' ? [] : actions.plugins;
  return loadPlugins({ directories, configFile, pluginOptions, appName, log, overlook });
}
