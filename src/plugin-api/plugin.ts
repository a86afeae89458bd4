import type { ActionDefinition, ActionLog, ActionUser } from './action.ts';
import type { SpecialistDefinition, TeamDefinition } from './agents.ts';
import type { AnsweringAgent } from './answering-agent.ts';
import type { DemoList } from './demo-list.ts';
import type { ReplyFeedback } from './feedback.ts';
import type { HistoryMessage } from './history.ts';
import type { PluginProviders } from './knowledge.ts';
import type { McpCaller, McpRequest } from './mcp-caller.ts';
import type { PipelineModel } from './pipeline.ts';
import type { FilteredSkill, SkillDefinition } from './skills.ts';

/** A page of the host application the model may send the user to (contract/plugins.md#plugins). */
export interface PageDefinition {
  readonly name: string;
  readonly title: string;
  /** Relative to the host application, or https. May hold `{name}` placeholders. */
  readonly url: string;
  readonly description: string;
  /** Names that the model may add to the query of `url`, beside the placeholders. */
  readonly query?: readonly string[];
  readonly requiredRoles?: readonly string[];
  /** CSS selector of the element that the onboarding tour points at. */
  readonly selector?: string;
  /** The side of that element on which the step is shown. Left out, a side with enough room. */
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
}

/** What `transformClaims` adds to a user. It cannot remove anything. */
export interface AddedClaims {
  readonly roles?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Policies in code (contract/plugins.md#plugins). Each may be sync or async. The YAML forms of the same names apply too. A tool asks when
 * `requiresApproval` of any source says so. Transformers run in the order of the plugins.
 */
export interface PluginHooks {
  /** True asks for confirmation before the tool runs, whatever the tool declares. */
  readonly requiresApproval?: (toolName: string) => boolean | Promise<boolean>;
  /** True declares one of this plugin's own tools read-only. */
  readonly isReadOnlyAction?: (toolName: string) => boolean | Promise<boolean>;
  /**
   * Approves calls of this plugin's own actions that would ask the user. The first rule that returns true approves the call. Rules apply
   * only with `hitlMode: Native`, after the rules of the YAML file. Roles are checked first.
   */
  readonly autoApprovalRules?: readonly ((call: RuledActionCall) => boolean | Promise<boolean>)[];
  /** Transforms or redacts a tool's result before the model reads it. */
  readonly onToolResult?: (toolName: string, result: unknown) => unknown;
  /** The message that users see for a tool's exception. Null or no result shows a fixed text. */
  readonly onException?: (error: Error) => string | null | undefined | Promise<string | null | undefined>;
  /**
   * Adds roles and claims to a signed-in user, for example from your own database. It is called for every request and connection with a
   * token. When it throws, the request or connection is refused.
   */
  readonly transformClaims?: (user: ActionUser) => AddedClaims | undefined | Promise<AddedClaims | undefined>;
  /**
   * Who makes a request at the MCP endpoint, in place of `mcpCallerPrincipal` and of tokens: by an API key, for example. Null refuses the
   * request, and so do an exception, another result and 5 seconds without an answer. Only one plugin of a server may have this. It is asked
   * for every request; `signal` aborts when the time is over or the caller has gone.
   */
  readonly mcpCallerPrincipal?: (
    request: McpRequest,
    signal: AbortSignal,
  ) => McpCaller | null | undefined | Promise<McpCaller | null | undefined>;
  /**
   * Whether a message is safe; false refuses it. It is called for each message before any part of an answer is shown or any action runs. An
   * exception, or a result other than true and false, is no verdict (`safetyCheckFailure`). `signal` aborts when the verdict is no longer
   * needed.
   */
  readonly inputGuardrail?: (text: string, signal: AbortSignal) => boolean | Promise<boolean>;
  /**
   * Whether a reply is safe; false withholds it. It is called for each whole reply before any part of the reply is shown. While a plugin
   * has this hook, replies are therefore not shown while they are written. An exception, or a result other than true and false, is no
   * verdict (`safetyCheckFailure`). `signal` aborts when the verdict is no longer needed.
   */
  readonly outputGuardrail?: (text: string, signal: AbortSignal) => boolean | Promise<boolean>;
  /**
   * Whether `strongChatClient` answers a message, with `routingStrategy: Custom`. Every plugin and `useStrongModel` of the YAML file are
   * asked, and one yes is enough. After an exception, or without an answer within 5 s, `chatClient` answers.
   */
  readonly useStrongModel?: (text: string) => boolean | Promise<boolean>;
  /**
   * Replaces `useStrongModel`. It gets the conversation with the new message at its end. `signal` aborts when the answer is no longer
   * needed.
   */
  readonly useStrongModelAsync?: (
    messages: readonly HistoryMessage[],
    signal: AbortSignal,
  ) => boolean | Promise<boolean>;
  /**
   * Puts a model around the model that answers users, including its retries and fallbacks. Each plugin gets the model of the plugins before
   * it. It is called when the server starts, before `start`, and at each reload. The returned model serves all conversations.
   */
  readonly configureChatClientPipeline?: (model: PipelineModel) => PipelineModel | Promise<PipelineModel>;
  /**
   * Called when a user has rated a reply, has changed the rating, or has taken it back. Nobody waits for it. When it throws or takes longer than
   * 30 seconds, the log says so, and the rating is kept all the same.
   */
  readonly onFeedback?: (feedback: ReplyFeedback) => void | Promise<void>;
  /** Whether a skill of `skillSources` is offered, whatever plugin its source belongs to. A skill for which it throws is not offered. */
  readonly skillFilter?: (skill: FilteredSkill) => boolean | Promise<boolean>;
}

/** The call that a rule decides about. */
export interface RuledActionCall {
  /** The tool name. */
  readonly tool: string;
  /** The arguments of the call, checked against the action's schema. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly user: ActionUser;
}

/** What the server passes to `start`. */
export interface PluginHost {
  readonly appName: string;
  /** The plugin's own block `pluginOptions.NAME`, checked against `configSchema`; an empty object when absent. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly log: ActionLog;
}

/**
 * The plugin that a directory or file exports (contract/plugins.md#actions). It is plain data and functions; `definePlugin` only adds
 * types.
 */
export interface PluginDefinition {
  /** Unique in the server: `^[a-z][a-z0-9-]{0,63}$`. Names the block `pluginOptions.NAME` and log lines. */
  readonly name: string;
  readonly actions?: readonly ActionDefinition<never>[];
  /** LangChain tools. They run without a question unless `requiresApproval` matches. */
  readonly tools?: readonly object[];
  readonly pages?: readonly PageDefinition[];
  /** Agents that the coordinator hands requests to. */
  readonly specialists?: readonly SpecialistDefinition[];
  /** Agents that answer together. */
  readonly teams?: readonly TeamDefinition[];
  /** Instructions that the model loads when a task needs them, with `enableSkills`. */
  readonly skills?: readonly SkillDefinition[];
  /** LangChain chat models by name, used by `models.x: { plugin: NAME }`. */
  readonly models?: Readonly<Record<string, object>>;
  /** Agents by name, one of which may answer in place of a model: `agent: { plugin: NAME }`. */
  readonly agents?: Readonly<Record<string, AnsweringAgent>>;
  readonly hooks?: PluginHooks;
  readonly providers?: PluginProviders;
  /** The list that the demo page shows for this plugin, with `demoPage: true`. */
  readonly demo?: DemoList;
  /** JSON Schema of `pluginOptions.NAME`. */
  readonly configSchema?: object;
  /** May be async and may throw. An exception stops the start of the server with a message that names the plugin. */
  start?(host: PluginHost): void | Promise<void>;
  stop?(): void | Promise<void>;
}

/** Adds types to a plugin; returns it as it is. */
export function definePlugin(plugin: PluginDefinition): PluginDefinition {
  return plugin;
}
