import type { HostedUse } from './hosted/hosted-use.ts';
import type { Tool } from '../tools/tool.ts';

/** An agent as an operator or a plugin has defined it (contract/agents.md#definitions). */
export type AgentDefinition = SpecialistDefinition | TeamDefinition | RemoteAgentDefinition;

interface DefinedAgent {
  /** Unique among all agents. `coordinator` is reserved. It holds no slash. */
  readonly name: string;
  /** What the coordinator reads to decide whom to hand a request to. */
  readonly description: string;
  /** A user needs only one of these roles. Empty: everybody may reach the agent. */
  readonly requiredRoles: readonly string[];
  /** A digest of the definition. It names what answered in the log line of a turn. */
  readonly version: string;
}

/** An agent with instructions, a model and tools of its own. */
export interface SpecialistDefinition extends DefinedAgent {
  readonly kind: 'specialist';
  readonly instructions: string;
  /** Names of tools of the server, and globs over them. The specialist has no other tools of the server. */
  readonly tools: readonly string[];
  /** Tools that only this specialist has. No other agent and no other channel has them. */
  readonly ownTools: readonly Tool[];
  /** Names of MCP servers whose tools only this specialist has. Left out, there are none. */
  readonly ownServers?: readonly string[];
  /** Names of the skills that the specialist may load. */
  readonly skills: readonly string[];
  /** What the provider of its model runs itself for it, without what the kill switch stops now. Left out, nothing. */
  readonly hosted?: (() => HostedUse | undefined) | undefined;
  /** A JSON Schema that the reply must fit. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** How a team works (contract/agents.md#teams). */
export type TeamMode = 'sequential' | 'concurrent' | 'groupChat' | 'handoff' | 'magentic';

/** Agents that answer together. Members are specialists, remote agents or teams. */
export interface TeamDefinition extends DefinedAgent {
  readonly kind: 'team';
  readonly mode: TeamMode;
  /** At least one name. A name stands there once. */
  readonly members: readonly string[];
  readonly options: TeamOptions;
}

/** The options of a team, with their defaults filled in. Each mode reads only those that belong to it. */
export interface TeamOptions {
  /** How many times members are asked at most. */
  readonly maxRounds: number;
  /** How many output tokens all replies of the team may have together; the team then ends. Left out: any number. */
  readonly maxTokens?: number | undefined;
  /** `sequential`: a member sees only the reply of the one before, not the conversation. */
  readonly chainOnlyAgentResponses: boolean;
  /** `concurrent`: what is made of the replies. */
  readonly aggregator: 'concat' | 'last' | 'model';
  /** `groupChat`: who chooses the next speaker. `magentic`: who plans. A name of an agent, or `roundRobin`. */
  readonly manager: string;
  /** `handoff`: who begins. */
  readonly start: string;
  /** `handoff`: who may hand over to whom. Empty: each member to every other. */
  readonly handoffs: readonly Handoff[];
  /** `handoff`: whether a conversation stays with the member that answered last. */
  readonly returnToPrevious: boolean;
  /** `magentic`: how many rounds without progress bring a new plan. */
  readonly maxStalls: number;
  /** `magentic`: how many new plans there may be. */
  readonly maxResets: number;
}

/** One way that a conversation may take in a team of mode `handoff`. */
export interface Handoff {
  readonly from: string;
  readonly to: string;
  /** When to take it. The model reads it. */
  readonly reason?: string | undefined;
}

/** An agent on another server, reached by A2A (contract/agents.md#remote-agents). */
export interface RemoteAgentDefinition extends DefinedAgent {
  readonly kind: 'remote';
  /** The base address of the server; its card is at a well-known path below it. */
  readonly agentCardUrl: string;
  /** Sent to the origin of the card only. */
  readonly headers: Readonly<Record<string, string>>;
}
