import type { RemoteAgentDefinition, SpecialistDefinition, TeamDefinition, TeamOptions } from './agent-definition.ts';
import type { HostedOffer } from '../ports/hosted-tools.ts';

/** The options of a model that an agent sets for itself. Left out, those of the entry of `models` apply. */
export interface OwnModelOptions {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly seed?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** Further fields under the names of the provider. */
  readonly additionalProperties?: Readonly<Record<string, unknown>> | undefined;
}

/** The model of a specialist as it is written down. */
export interface WrittenModel {
  /** An entry of `models`, or the name that the provider has for the model of one. Left out: `chatClient`. */
  readonly id?: string | undefined;
  readonly options: OwnModelOptions;
  /** The definition says how another host reaches the model. So `chatClient` answers where no entry of `models` has it. */
  readonly isForeign?: boolean | undefined;
}

/** A place in a text. Lines and columns count from 1. */
export interface WrittenPlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Key path in the document, or below the plugin. */
  readonly path: string;
}

/** An MCP server that only one specialist has, reached over HTTP (contract/agents.md#own-mcp-servers). */
export interface WrittenMcpServer {
  /** Unique among the MCP servers of its agent. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The only tools that are taken. Left out, all. */
  readonly allowedTools?: readonly string[];
  /** Whether every call asks its user. */
  readonly asksAlways: boolean;
  /** Tools of which every call asks its user. */
  readonly askedTools: readonly string[];
}

/** A team whose options have no defaults yet. */
export interface WrittenTeam extends Omit<TeamDefinition, 'options'> {
  readonly options: Partial<TeamOptions>;
}

/** An agent as somebody has written it down. The names that it uses have not been looked up yet. */
export interface WrittenAgent {
  readonly definition: SpecialistDefinition | WrittenTeam | RemoteAgentDefinition;
  /** The tools of its provider that a specialist has. Left out, none. */
  readonly hosted?: readonly HostedOffer['tools'][number][] | undefined;
  /** The MCP servers that only this specialist has. Left out, none. */
  readonly mcpServers?: readonly WrittenMcpServer[] | undefined;
  /** Of a specialist only. */
  readonly model?: WrittenModel | undefined;
  /** Where it comes from, for people: `agents/billing.agent.yaml`, `plugin order-desk`. */
  readonly from: string;
  /** Where a member such as `tools[0].name` stands. An empty path is the agent itself. */
  place(path: string): WrittenPlace;
  /** Where each of its tools stands in a file. Left out, they stand under `tools` of a plugin's agent. */
  readonly toolPaths?: readonly string[] | undefined;
  /** The id of its model for messages, where the value itself may not be shown. */
  readonly modelText?: string | undefined;
  /** Members that have no effect on this server. */
  readonly ignored: readonly string[];
}
