import { hasHostedTools } from '../../config/hosted-tools.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { HostedUse } from '../../core/agents/hosted/hosted-use.ts';
import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { hostedUse } from '../hosted-use.ts';
import type { KillSwitch } from '../kill-switch.ts';
import { faultAt } from './agent-faults.ts';
import type { WantedModel } from './agent-models.ts';

type Hosted = NonNullable<WrittenAgent['hosted']>;

/** The settings as they are for an agent alone: its model, and its tools of the provider with their options. */
function settingsFor(settings: HelperSettings, hosted: Hosted, { entry }: WantedModel): HelperSettings {
  const options = hosted.map(
    ({ name, options: own }) => [name, { ...settings.hostedToolOptions[name], ...own }] as const,
  );
  return {
    ...settings,
    chatClient: entry,
    hostedTools: hosted.map(({ name }) => name),
    hostedToolOptions: Object.fromEntries(options),
    hostedMcpServers: [],
  };
}

/** What the provider runs for an agent. Undefined where it runs nothing. */
export function hostedOf(
  settings: HelperSettings,
  { hosted = [] }: WrittenAgent,
  {
    wanted,
    killSwitch,
  }: { readonly wanted: WantedModel | undefined; readonly killSwitch: Pick<KillSwitch, 'stops' | 'thrown'> },
): (() => HostedUse | undefined) | undefined {
  if (wanted === undefined || hosted.length === 0) return undefined;
  return hostedUse(settingsFor(settings, hosted, wanted), killSwitch);
}

/** The model of an agent must have the tools that it names, and a search must know where to look. */
export function hostedFaults(
  settings: HelperSettings,
  agents: readonly WrittenAgent[],
  wanted: ReadonlyMap<string, WantedModel>,
): readonly StartupFault[] {
  return agents.flatMap((agent): readonly StartupFault[] => {
    const { definition, hosted = [] } = agent;
    const model = wanted.get(definition.name);
    if (hosted.length === 0 || model === undefined) return [];
    const own = settingsFor(settings, hosted, model);
    if (!hasHostedTools(own)) {
      const needs = 'this takes a model of openai or azure, without api: chat';
      return [
        faultAt(agent, 'tools', `models.${model.entry} runs no tools such as ${hosted[0]?.name ?? ''}; ${needs}`),
      ];
    }
    const stores = own.hostedToolOptions.FileSearch?.['vectorStoreIds'];
    const lacksStores = own.hostedTools.includes('FileSearch') && (!Array.isArray(stores) || stores.length === 0);
    return lacksStores ? [faultAt(agent, 'tools', 'fileSearch needs vectorStoreIds')] : [];
  });
}
