import type { ActionDefinition, ActionLog, ActionUser } from './action.ts';
import type { DemoList } from './demo-list.ts';
import type { PluginProviders } from './knowledge.ts';
import type { PipelineModel } from './pipeline.ts';
import type { FilteredSkill, SkillDefinition } from './skills.ts';

/** A page of the host application the model may send the user to (contract/plugins.md#plugins). */
export interface PageDefinition {
  readonly name: string;
  readonly title: string;
  /** Relative to the host application, or https. May hold `{name}` placeholders. */
  readonly url: string;
  readonly description: string;
  readonly requiredRoles?: readonly string[];
  /** CSS selector of the element that the onboarding tour points at. */
  readonly selector?: string;
  /** Side of that element on which the step stands; left out, where there is room. */
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
}

/** What `transformClaims` adds to a user; nothing can be taken away. */
export interface AddedClaims {
  readonly roles?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Policies in code (contract/plugins.md#plugins). Each may be sync or async. The YAML forms of the same names run too:
 * `requiresApproval` of all sources is OR-ed, transformers run in plugin order.
 */
export interface PluginHooks {
  /** True asks for confirmation before the tool runs, whatever the tool declares. */
  readonly requiresApproval?: (toolName: string) => boolean | Promise<boolean>;
  /** True declares one of this plugin's own tools read-only. */
  readonly isReadOnlyAction?: (toolName: string) => boolean | Promise<boolean>;
  /**
   * Calls of this plugin's own actions that need no answer although they ask; the first that is true approves. They count
   * with `hitlMode: Native` only, after the rules of the YAML file; roles are checked first.
   */
  readonly autoApprovalRules?: readonly ((call: RuledActionCall) => boolean | Promise<boolean>)[];
  /** Transforms or redacts a tool's result before the model reads it. */
  readonly onToolResult?: (toolName: string, result: unknown) => unknown;
  /** The message users see for a tool's exception; null or nothing shows a fixed text. */
  readonly onException?: (error: Error) => string | null | undefined | Promise<string | null | undefined>;
  /**
   * Adds roles and claims to a signed-in user, such as those your own database knows. Asked for every request and
   * connection with a token; while it throws, they are refused.
   */
  readonly transformClaims?: (user: ActionUser) => AddedClaims | undefined | Promise<AddedClaims | undefined>;
  /**
   * Whether a message is safe; false refuses it. Asked for each message before anything of an answer is shown or done. Throwing, or any other
   * answer, is no verdict (`safetyCheckFailure`). `signal` aborts when nobody needs the verdict any more.
   */
  readonly inputGuardrail?: (text: string, signal: AbortSignal) => boolean | Promise<boolean>;
  /**
   * Whether a reply is safe; false withholds it. Asked about each whole reply before any of it is shown: as long as a plugin has it, replies
   * are not shown while they are written. Throwing, or any other answer, is no verdict (`safetyCheckFailure`). `signal` aborts when nobody
   * needs the verdict any more.
   */
  readonly outputGuardrail?: (text: string, signal: AbortSignal) => boolean | Promise<boolean>;
  /**
   * Makes a model around the one that answers users, its retries and fallbacks included. Each plugin is given what those before it have made.
   * Called when the server starts, before `start`, and with each reload; what it returns serves all conversations.
   */
  readonly configureChatClientPipeline?: (model: PipelineModel) => PipelineModel | Promise<PipelineModel>;
  /** Whether a skill of `skillSources` is offered, whoever's source it is. A skill for which it throws is not. */
  readonly skillFilter?: (skill: FilteredSkill) => boolean | Promise<boolean>;
}

/** What a rule decides about. */
export interface RuledActionCall {
  /** The tool name. */
  readonly tool: string;
  /** As they will run, checked against the action's schema. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly user: ActionUser;
}

/** What `start` is given. */
export interface PluginHost {
  readonly appName: string;
  /** The plugin's own block `pluginOptions.NAME`, checked against `configSchema`; an empty object when absent. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly log: ActionLog;
}

/** A directory or file of host actions (contract/plugins.md#actions). Plain data plus functions; `definePlugin` only adds types. */
export interface PluginDefinition {
  /** Unique in the server: `^[a-z][a-z0-9-]{0,63}$`. Names the block `pluginOptions.NAME` and log lines. */
  readonly name: string;
  readonly actions?: readonly ActionDefinition<never>[];
  /** LangChain tools. They ask for nothing unless `requiresApproval` matches. */
  readonly tools?: readonly object[];
  readonly pages?: readonly PageDefinition[];
  /** Instructions that the model loads when a task needs them, with `enableSkills`. */
  readonly skills?: readonly SkillDefinition[];
  /** LangChain chat models by name, used by `models.x: { plugin: NAME }`. */
  readonly models?: Readonly<Record<string, object>>;
  readonly hooks?: PluginHooks;
  readonly providers?: PluginProviders;
  /** What the demo page shows of it, with `demoPage: true`. */
  readonly demo?: DemoList;
  /** JSON Schema of `pluginOptions.NAME`. */
  readonly configSchema?: object;
  /** May be async and may throw: startup then fails naming the plugin. */
  start?(host: PluginHost): void | Promise<void>;
  stop?(): void | Promise<void>;
}

/** Adds types to a plugin; returns it as it is. */
export function definePlugin(plugin: PluginDefinition): PluginDefinition {
  return plugin;
}
