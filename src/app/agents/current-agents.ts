import type { AgentDefinition, RemoteAgentDefinition } from '../../core/agents/agent-definition.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { OpenModels } from '../reload/live-model.ts';
import type { LoadedAgents } from './load-agents.ts';

/** The agents beside the coordinator. A turn keeps those that it began with. */
export interface CurrentAgents {
  readonly definitions: readonly AgentDefinition[];
  /** The models of specialists and teams, by the name of the agent. A team has that of `chatClient`. */
  readonly models: ReadonlyMap<string, ChatModel>;
}

/** Joins the definitions with the models that were opened for them. */
export function currentAgents({ definitions }: LoadedAgents, { agents, chat }: OpenModels): CurrentAgents {
  const answering = definitions.filter(({ kind }) => kind !== 'remote');
  return { definitions, models: new Map(answering.map(({ name }) => [name, agents?.get(name) ?? chat])) };
}

/** The agents on other servers among these. */
export function remoteIn({ definitions }: Pick<LoadedAgents, 'definitions'>): readonly RemoteAgentDefinition[] {
  return definitions.filter((definition) => definition.kind === 'remote');
}
