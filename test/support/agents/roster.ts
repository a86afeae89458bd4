import type {
  AgentDefinition,
  SpecialistDefinition,
  TeamDefinition,
  TeamMode,
  TeamOptions,
} from '../../../src/core/agents/agent-definition.ts';
import { Roster, type RosterAgent } from '../../../src/core/agents/roster.ts';
import type { ChatModel } from '../../../src/core/ports/chat-model.ts';
import type { TurnServices } from '../../../src/core/turn/live/turn-services.ts';

type Named = Pick<AgentDefinition, 'name'> & Partial<AgentDefinition>;

const common = { requiredRoles: [], version: 'v1' } as const;

/** A specialist that says what it is for by its name. */
export function specialist(
  { name, ...given }: Pick<Named, 'name'> & Partial<Omit<SpecialistDefinition, 'kind'>>,
  model: ChatModel,
): RosterAgent {
  const definition: SpecialistDefinition = {
    ...common,
    kind: 'specialist',
    name,
    description: `Answers as ${name}.`,
    instructions: `You are ${name}.`,
    tools: [],
    ownTools: [],
    skills: [],
    ...given,
  };
  return { definition, model };
}

/** A team with the default options of the contract. */
export function team(
  mode: TeamMode,
  {
    name,
    members,
    options = {},
  }: { readonly name: string; readonly members: readonly string[]; readonly options?: Partial<TeamOptions> },
  model: ChatModel,
): RosterAgent {
  const definition: TeamDefinition = {
    ...common,
    kind: 'team',
    name,
    description: `The team ${name}.`,
    mode,
    members,
    options: {
      maxRounds: 12,
      chainOnlyAgentResponses: false,
      aggregator: 'concat',
      manager: 'roundRobin',
      start: members[0] ?? '',
      handoffs: [],
      returnToPrevious: false,
      maxStalls: 3,
      maxResets: 2,
      ...options,
    },
  };
  return { definition, model };
}

/** The agents of a test, as the services of its turns. */
export function agentsOf(
  agents: readonly RosterAgent[],
  { showsFaults = false }: { readonly showsFaults?: boolean } = {},
): NonNullable<TurnServices['agents']> {
  return { roster: new Roster(agents), rules: 'Be true.', showsFaults };
}
