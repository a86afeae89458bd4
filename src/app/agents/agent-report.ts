import type { AgentDefinition, TeamMode } from '../../core/agents/agent-definition.ts';
import { globPredicate } from '../../core/base/glob.ts';
import type { Toolbox } from '../../core/tools/toolbox.ts';
import type { LoadedAgents } from './load-agents.ts';

/** One agent as operations people see it. */
export interface AgentReport {
  readonly name: string;
  /** `plugin`: an agent of a plugin that answers in place of a model. */
  readonly kind: AgentDefinition['kind'] | 'plugin';
  /** The mode of a team; null for other agents. */
  readonly mode: TeamMode | null;
  /** Where it is defined, for people. */
  readonly from: string;
  /** The names of its tools, its own and those of its provider included. Empty for teams and remote agents. */
  readonly tools: readonly string[];
  /** The members of a team. */
  readonly members: readonly string[];
  readonly roles: readonly string[];
  /** The entry of `models`; null for teams and remote agents. */
  readonly model: string | null;
  readonly version: string;
}

/** What the agents are, with the tools that they have now. */
export function reportAgents(
  { definitions, written, wanted }: LoadedAgents,
  toolbox: Pick<Toolbox, 'tools'>,
): readonly AgentReport[] {
  return definitions.map((definition, index) => ({
    name: definition.name,
    kind: definition.kind,
    mode: definition.kind === 'team' ? definition.mode : null,
    from: written[index]?.from ?? '',
    tools: [
      ...toolsOf(definition, toolbox),
      ...(written[index]?.hosted ?? []).map(({ name }) => name),
      ...(written[index]?.mcpServers ?? []).map(({ name }) => `MCP server ${name}`),
    ],
    members: definition.kind === 'team' ? definition.members : [],
    roles: definition.requiredRoles,
    model: wanted.get(definition.name)?.entry ?? null,
    version: definition.version,
  }));
}

function toolsOf(definition: AgentDefinition, { tools }: Pick<Toolbox, 'tools'>): readonly string[] {
  if (definition.kind !== 'specialist') return [];
  const isNamed = globPredicate(definition.tools);
  return [...tools.filter(({ name }) => isNamed(name)), ...definition.ownTools].map(({ name }) => name);
}
