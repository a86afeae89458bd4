import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { inTime } from '../in-time.ts';
import { pathInPages } from './page-path.ts';
import type { ToolProvider } from './tool-provider.ts';

/** The actions and pages of a plugin, which never change. */
export function pluginProvider(plugin: LoadedPlugin): ToolProvider {
  const { file, hooks, tools, pages } = plugin;
  return {
    name: `plugin "${plugin.name}" (${file})`,
    offer: () => ({ tools, pages }),
    placeOf: (kind, name) => ({ file, path: pathInPages(kind, name) }),
    ...(hooks.onToolResult === undefined ? {} : { transformResult: inTime(hooks.onToolResult) }),
    knowledgeSources: () => plugin.sources ?? [],
    start: () => plugin.start(),
    readiness: () => [],
    warnings: () => [],
    close: () => plugin.stop(),
  };
}
