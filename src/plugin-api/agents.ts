import type { ActionDefinition } from './action.ts';

/** An agent with instructions, a model and tools of its own (contract/agents.md#definitions). */
export interface SpecialistDefinition {
  /** Unique among all agents; at most 64 characters, without a slash. `coordinator` is reserved. */
  readonly name: string;
  /** What the agent is good for. The coordinator decides by it whom to hand a request to. */
  readonly description: string;
  /** What the model is told before the conversation. */
  readonly instructions: string;
  /** An entry of `models`, by itself or with options for this agent alone. Left out, `chatClient`. */
  readonly model?: string | { readonly id?: string; readonly options?: AgentModelOptions };
  /** Names of actions and tools of the server, and globs over them. */
  readonly tools?: readonly string[];
  /** Actions that only this agent has. Their names are unique in the server. */
  readonly actions?: readonly ActionDefinition<never>[];
  /** Names of the skills that the agent may load. */
  readonly skills?: readonly string[];
  /** A user needs one of these roles to reach the agent. Left out or empty, everybody reaches it. */
  readonly requiredRoles?: readonly string[];
  /** A JSON Schema that the reply must fit. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** Options of the model for one agent. Left out, those of its entry of `models` apply. */
export interface AgentModelOptions {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxOutputTokens?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  /** Further fields under the names of the provider. */
  readonly additionalProperties?: Readonly<Record<string, unknown>>;
}

/** Agents that answer together (contract/agents.md#definitions). */
export interface TeamDefinition {
  /** Unique among all agents; at most 64 characters, without a slash. `coordinator` is reserved. */
  readonly name: string;
  readonly description: string;
  readonly mode: 'sequential' | 'concurrent' | 'groupChat' | 'handoff' | 'magentic';
  /** Names of specialists, remote agents or teams. */
  readonly members: readonly string[];
  readonly options?: TeamOptionsDefinition;
  /** A user needs one of these roles to reach the team. Left out or empty, everybody reaches it. */
  readonly requiredRoles?: readonly string[];
}

/** Options of a team. Each mode reads only those that belong to it. */
export interface TeamOptionsDefinition {
  /** How many times members are asked at most. */
  readonly maxRounds?: number;
  /** After how many tokens of replies the team ends. */
  readonly maxTokens?: number;
  /** `sequential`: a member sees only the reply before its own. */
  readonly chainOnlyAgentResponses?: boolean;
  /** `concurrent`: what is made of the replies. */
  readonly aggregator?: 'concat' | 'last' | 'model';
  /** `groupChat`, `magentic`: who leads: `roundRobin`, or the name of an agent. */
  readonly manager?: string;
  /** `handoff`: the member that begins. */
  readonly start?: string;
  /** `handoff`: who may hand over to whom. */
  readonly handoffs?: readonly { readonly from: string; readonly to: string; readonly reason?: string }[];
  /** `handoff`: the next message goes to the member that answered last. */
  readonly returnToPrevious?: boolean;
  /** `magentic`: how many rounds without progress bring a new plan. */
  readonly maxStalls?: number;
  /** `magentic`: how many new plans there may be. */
  readonly maxResets?: number;
}
