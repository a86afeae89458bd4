import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { unmetNeeds } from '../config/unmet-needs.ts';
import type { ConfigurationWarning } from '../config/warnings.ts';
import type { LoadedAgents } from './agents/load-agents.ts';
import { areComplete, type ToolProvider } from './providers/tool-provider.ts';

interface Around {
  readonly plugins: readonly LoadedPlugin[];
  readonly providers: readonly ToolProvider[];
  readonly agents: Pick<LoadedAgents, 'definitions' | 'servers'>;
}

/** Warns of settings without effect, knowing what plugins, callbacks and agents bring in place of a setting (contract/configuration.md#commands). */
export function unmetNeedWarnings(settings: HelperSettings, around: Around): readonly ConfigurationWarning[] {
  return unmetNeeds(settings, providedBy(settings, around));
}

function providedBy(settings: HelperSettings, { plugins, providers, agents }: Around): ReadonlySet<string> {
  // A callback that has not told its checks yet may have any.
  const isOpen = !areComplete(providers);
  const checks = (direction: 'input' | 'output'): boolean =>
    isOpen || providers.some((provider) => (provider.checks?.(direction, settings) ?? []).length > 0);
  const found: Readonly<Record<string, boolean>> = {
    inputGuardrail: checks('input'),
    outputGuardrail: checks('output'),
    mcpServers: agents.servers.length > 0,
    remoteAgents: agents.definitions.some(({ kind }) => kind === 'remote'),
    'declarative.definitions': agents.definitions.length > 0,
    chatHistoryProvider: plugins.some(({ history }) => history !== undefined),
  };
  return new Set(Object.keys(found).filter((setting) => found[setting] === true));
}
