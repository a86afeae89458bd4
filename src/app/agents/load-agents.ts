import type { McpServerSettings } from '../../adapters/mcp-client/mcp-settings.ts';
import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { readAgents } from '../../config/agents/read-agents.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { AgentDefinition } from '../../core/agents/agent-definition.ts';
import { withTeamDefaults } from '../../core/agents/team-options.ts';
import { ownServerName } from '../../core/agents/own-server-name.ts';
import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { type StartupFault, StartupFaults } from '../../core/errors/startup-fault.ts';
import type { Toolbox } from '../../core/tools/toolbox.ts';
import type { KillSwitch } from '../kill-switch.ts';
import type { ToolProvider } from '../providers/tool-provider.ts';
import type { OpenedSkills } from '../skills/open-skills.ts';
import { addressFaults, faultAt, nameFaults, teamFaults } from './agent-faults.ts';
import { hostedFaults, hostedOf } from './agent-hosted.ts';
import { type WantedModel, wantedModels } from './agent-models.ts';
import { ownServersOf } from './own-servers.ts';
import { missingTools, spelledTool, toolFaults } from './agent-tools.ts';

/** What agents may name. */
export interface AgentSurroundings {
  readonly plugins: readonly LoadedPlugin[];
  readonly providers: readonly Pick<ToolProvider, 'readiness' | 'isComplete'>[];
  readonly toolbox: Pick<Toolbox, 'tools'>;
  readonly skills: Pick<OpenedSkills, 'names'>;
  readonly killSwitch: Pick<KillSwitch, 'stops' | 'thrown'>;
}

/** All agents of a configuration, checked together. */
export interface LoadedAgents {
  readonly definitions: readonly AgentDefinition[];
  /** Each agent as it was written, in the order of `definitions`. */
  readonly written: readonly WrittenAgent[];
  /** The model that each specialist is to have, by its name. */
  readonly wanted: ReadonlyMap<string, WantedModel>;
  /** The MCP servers that agents have for themselves. */
  readonly servers: readonly McpServerSettings[];
  /** Changes when a file of definitions changes, comes or goes. */
  readonly stamp: string;
}

/**
 * Reads and checks the agents of the configuration, of its files and of plugins (contract/agents.md#definitions).
 * @throws StartupFaults with everything that is wrong.
 */
export async function loadAgents(settings: HelperSettings, around: AgentSurroundings): Promise<LoadedAgents> {
  const read = readAgents(settings);
  // Handing over needs `chatClient` (contract/agents.md#an-agent-that-answers).
  const ofPlugins = settings.agent === null ? around.plugins.flatMap(({ agents = [] }) => agents) : [];
  const written = [...read.agents, ...ofPlugins];
  const tools = around.toolbox.tools.map(({ name }) => name);
  const models = wantedModels(settings, written);
  const mayCome = mayToolsCome(settings);
  const faults = [
    ...read.faults,
    ...nameFaults(written),
    ...addressFaults(written),
    // After a fault of one text nobody knows which agents it would have defined.
    ...(read.faults.length > 0 ? [] : teamFaults(written)),
    ...models.faults,
    ...hostedFaults(settings, written, models.wanted),
    ...(mayCome ? [] : toolFaults(missingTools(written, tools), tools)),
    ...(await skillFaults(written, settings, around)),
  ];
  if (faults.length > 0) throw new StartupFaults(faults);
  const definitions = written.map((agent): AgentDefinition => {
    const definition = definitionOf(agent, tools);
    const { killSwitch } = around;
    const hosted = hostedOf(settings, agent, { wanted: models.wanted.get(definition.name), killSwitch });
    return hosted === undefined || definition.kind !== 'specialist' ? definition : { ...definition, hosted };
  });
  return { definitions, written, wanted: models.wanted, servers: ownServersOf(written), stamp: read.stamp };
}

/** Whether tools may still come: those of callbacks, MCP servers and documents at addresses are known only later. */
function mayToolsCome({ actions, mcpServers }: Pick<HelperSettings, 'actions' | 'mcpServers'>): boolean {
  if (mcpServers.length > 0) return true;
  if (actions === 'none') return false;
  return actions.callbacks.length > 0 || actions.openapi.some(({ document }) => /^https?:\/\//i.test(document));
}

function definitionOf({ definition, mcpServers = [] }: WrittenAgent, tools: readonly string[]): AgentDefinition {
  switch (definition.kind) {
    case 'specialist':
      return {
        ...definition,
        tools: definition.tools.map((name) => spelledTool(name, tools)),
        ownServers: mcpServers.map(({ name }) => ownServerName(definition.name, name)),
      };
    case 'team':
      return { ...definition, options: withTeamDefaults(definition, definition.options) };
    case 'remote':
      return definition;
  }
}

/** The skills that agents name must be there. Sources of plugins are asked only once the server runs, and may have any skill. */
async function skillFaults(
  agents: readonly WrittenAgent[],
  settings: HelperSettings,
  { plugins, skills }: AgentSurroundings,
): Promise<readonly StartupFault[]> {
  const named = agents.flatMap((agent) =>
    agent.definition.kind === 'specialist'
      ? agent.definition.skills.map((name, index) => ({ agent, name, index }))
      : [],
  );
  const mayCome = settings.enableSkills && plugins.some(({ skillSources = [] }) => skillSources.length > 0);
  if (named.length === 0 || mayCome) return [];
  const known = await skills.names(settings);
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ agent, name, index }) => {
      const path = `${agent.toolPaths === undefined ? '' : 'helper.'}skills[${String(index)}]`;
      const there = known.length === 0 ? 'there is none' : `there is ${known.slice(0, 20).join(', ')}`;
      const message = settings.enableSkills
        ? `"${name}" is no skill; ${there}`
        : `"${name}" is not offered: enableSkills is false`;
      return faultAt(agent, path, { message, meant: nearestName(name, known) });
    });
}
