// What a plugin imports from helper. Written by helper init; a newer version of the server brings its own.

declare module 'helper' {
  /** A JSON Schema of type object, or a Zod object, which is turned into one. */
  export type ParametersSchema = object;
  /** Who calls. Anonymous callers have an empty `id` and no roles. */
  export interface ActionUser {
    /** The user's key, for example `ann` or `sub:ann` (contract/identity.md#users). */
    readonly id: string;
    readonly name: string;
    readonly roles: readonly string[];
    readonly claims: Readonly<Record<string, unknown>>;
    readonly isAuthenticated: boolean;
    /** Absent without `tenancy.claim`. With it the same `id` in another tenant is another user. */
    readonly tenant?: string;
  }
  /** The page the user is on, as the client reported it. Untrusted. */
  export interface ActionPage {
    readonly name: string;
    readonly title?: string;
    readonly url?: string;
    readonly data?: unknown;
  }
  /** Writes to the server's log. Objects come first. */
  export interface ActionLog {
    debug(fields: object, message: string): void;
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  }
  /** What an action may know of the call it serves (contract/plugins.md#actions). */
  export interface ActionContext {
    readonly user: ActionUser;
    /** Aborted by Stop, by the action's timeout, and when the user has gone. Pass it on to whatever waits. */
    readonly signal: AbortSignal;
    /** Stable across retries of the same call: use it as an idempotency key. */
    readonly callId: string;
    readonly turnId: string;
    readonly conversationId: string;
    readonly channel: 'hub' | 'sse' | 'in-process';
    readonly page: ActionPage | undefined;
    readonly log: ActionLog;
    /** Shown to the user as the feedback line while the action runs. */
    readonly progress: (text: string) => void;
  }
  /** A capability of the host application that the assistant may call (contract/plugins.md#actions). */
  export interface ActionDefinition<Arguments = Record<string, unknown>> {
    /** The tool name: `^[a-z][a-z0-9_]{0,63}$`, unique in the whole server. */
    readonly name: string;
    /** For people; the name with spaces when left out. */
    readonly title?: string;
    /** What the model reads to decide, and what the user reads in the confirmation box. */
    readonly description: string;
    /** Arguments are checked against it before anything else happens. */
    readonly parameters: ParametersSchema;
    /** Declares that the action changes nothing. One that declares neither this nor `requiresConfirmation` asks first. */
    readonly readOnly?: boolean;
    readonly requiresConfirmation?: boolean;
    /**
     * Says that what it does cannot be undone. It always asks, whatever rules there are, and the question says so. Not beside
     * `readOnly: true` or `requiresConfirmation: false`.
     */
    readonly destructive?: boolean;
    /** Lets the user change the arguments in the confirmation box; what comes back is checked like the model's own. */
    readonly editable?: boolean;
    /**
     * Says that nobody but you can write into what it returns, and into the messages of its errors. Where the model has read anything
     * else, calls that ask are answered by the user and by no rule. A parameter with `sink: true` in its schema says where something goes,
     * such as a recipient: a value that neither the user nor a trusted result has given is asked about.
     */
    readonly trusted?: boolean;
    /** Any one of them suffices. Refused for anonymous callers. */
    readonly requiredRoles?: readonly string[];
    /** Globs of the tenants whose users are offered it; left out or empty, every tenant's are. Nobody without a tenant is. */
    readonly tenants?: readonly string[];
    /** What users say when they want it, in their words: tools are found by it, and the demo page has each as a button. */
    readonly examples?: readonly string[];
    /** A duration such as `30s`. Default `60s`. */
    readonly timeout?: string;
    /** Any JSON value, or what `card`, `navigate` and `uiAction` make. May throw: the message goes through `onException`. */
    execute(args: Arguments, context: ActionContext): unknown;
  }
  /** Adds types to an action; returns it as it is. */
  export function defineAction<Arguments = Record<string, unknown>>(
    action: ActionDefinition<Arguments>,
  ): ActionDefinition<Arguments>;

  /** How a value of a column stands out, as the state of an order does. */
  export type DemoTone = 'neutral' | 'info' | 'busy' | 'warning' | 'good' | 'bad';
  /** A column of a list on the demo page. */
  export interface DemoColumn {
    /** The member of a row that it shows. */
    readonly name: string;
    readonly title: string;
    /** Shows each value as a label in the tone that is named for it, else in a neutral one. */
    readonly tones?: Readonly<Record<string, DemoTone>>;
  }
  /** A list on the demo page: what the actions of this plugin work on. **Anybody who opens that page sees it.** */
  export interface DemoList {
    readonly title: string;
    /** A sentence below the title. */
    readonly description?: string;
    /** What a row shows, in this order; every member of it when left out. The first column tells rows apart. */
    readonly columns?: readonly DemoColumn[];
    /** The rows: plain objects. Asked whenever the page is opened and after each action. */
    rows(): readonly object[] | Promise<readonly object[]>;
    /** Puts everything back to how it was at the start: "Start over" on the page. */
    reset?(): void | Promise<void>;
  }

  /** A message of a conversation. Frozen: it is the same for the model, whatever a plugin does with it. */
  export type HistoryMessage =
    | {
        readonly role: 'user';
        readonly text: string;
      }
    | {
        readonly role: 'assistant';
        readonly text: string;
        readonly toolCalls: readonly HistoryToolCall[];
      }
    | {
        readonly role: 'tool';
        readonly text: string;
        readonly callId: string;
        readonly name: string;
      };
  /** A call in a message of the assistant. The message with role `tool` and the same `callId` has its result. */
  export interface HistoryToolCall {
    readonly id: string;
    readonly name: string;
    /** JSON as the model wrote it. */
    readonly arguments: string;
  }
  /**
   * Decides which messages of a conversation are kept, before each message of its user (contract/sessions.md#a-reducer-of-your-own). Gives back those
   * of the given messages that stay, in their order, beginning with one of the user, and each call together with its result.
   * It serves all conversations, so it keeps nothing of its own.
   */
  export type ChatReducer = (
    messages: readonly HistoryMessage[],
    context: {
      readonly signal: AbortSignal;
    },
  ) => readonly HistoryMessage[] | Promise<readonly HistoryMessage[]>;
  /** A conversation without what was said in it. Its title is sealed: text without a meaning to the plugin. */
  export interface KeptConversationHead {
    readonly id: string;
    readonly title: string;
    /** When it began, and when its last message was: epoch milliseconds. */
    readonly startedAt: number;
    readonly lastAt: number;
  }
  /** A conversation with what was said in it. */
  export interface KeptConversation extends KeptConversationHead {
    /** Text without a meaning to the plugin, of about 8 MiB at most. What was said is sealed in it, turn by turn. */
    readonly content: string;
  }
  /**
   * Keeps the conversations of signed-in users (contract/sessions.md#conversations-in-a-store-of-your-own): `providers.chatHistoryProvider`.
   * `userKey` tells one user from all others and holds the tenant: nothing of one key may ever be given for another. Each function has 3
   * seconds, and resolves once its change is durable; behind an aborted signal it changes nothing more. One that throws is called again.
   */
  export interface ChatHistoryProvider {
    /** All conversations of a user, in any order. */
    list(
      userKey: string,
      context: HistoryContext,
    ): readonly KeptConversationHead[] | Promise<readonly KeptConversationHead[]>;
    /** A conversation as it was saved last; null or undefined where there is none. */
    read(
      userKey: string,
      id: string,
      context: HistoryContext,
    ): KeptConversation | null | undefined | Promise<KeptConversation | null | undefined>;
    /** Keeps a conversation. One with the same id is replaced. */
    save(userKey: string, conversation: KeptConversation, context: HistoryContext): void | Promise<void>;
    /** Deletes a conversation; with null all of the user's. What is not there is no fault. */
    remove(userKey: string, id: string | null, context: HistoryContext): void | Promise<void>;
  }
  /**
   * Makes what keeps the conversations of one user, such as a client of the database of that user's tenant:
   * `providers.chatHistoryProviderFactory`. It is called when it is needed, and what it gives is used for this user alone. After 1,000 other
   * users it may be called again.
   */
  export type ChatHistoryProviderFactory = (userKey: string) => ChatHistoryProvider | Promise<ChatHistoryProvider>;
  /** What each call of a chat history provider is given. */
  export interface HistoryContext {
    /** Aborts when the call takes too long. */
    readonly signal: AbortSignal;
  }

  /** What a source of documents is asked for one message (contract/knowledge.md#sources). */
  export interface KnowledgeSearch {
    /** The user's message. */
    readonly query: string;
    /** Most documents that are of use (`ragResultCount`). */
    readonly maxResults: number;
    /** The user's messages and the replies of the last three turns, the oldest first. Empty over SSE. */
    readonly recentMessages: readonly string[];
    /** Null when the server knows no users at all; not authenticated for an anonymous visitor. */
    readonly user: ActionUser | null;
    /** The page the user is on, as the client told it. Untrusted. */
    readonly pageName: string | null;
    readonly pageData: unknown;
    /** Aborts when the turn is stopped, or when the search takes too long. */
    readonly signal: AbortSignal;
  }
  /** A document that answers, or a part of one. */
  export interface KnowledgeDocument {
    readonly content: string;
    readonly title?: string;
    /** Where a reader can open it: `https:`, or relative to the host application. */
    readonly sourceUrl?: string;
    /** How well it fits: more is better. */
    readonly score: number;
    /** What it is: clients are told with the citation. Left out, a document. */
    readonly kind?: 'document' | 'web' | 'file';
    /** Facts: shown to the model, and sent to clients with the citation. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Any one of these roles may read it. Left out or empty, everybody may. */
    readonly requiredRoles?: readonly string[];
    /** Globs of the tenants whose users may read it. Left out or empty, every tenant's may. */
    readonly tenants?: readonly string[];
  }
  /** Something that documents are found in: an entry of a plugin's `providers.ragSources` (contract/knowledge.md#sources). */
  export interface KnowledgeSourceDefinition {
    /** Unique in the server: `^[a-z][a-z0-9-]{0,63}$`. */
    readonly name: string;
    /** Finds documents. What it throws is logged, and the answer goes on without this source. */
    search(search: KnowledgeSearch): readonly KnowledgeDocument[] | Promise<readonly KnowledgeDocument[]>;
    /** Least score of a document, on the scale of this source; 0 takes all. Left out, 2. */
    readonly defaultMinScore?: number;
    /** How long a search may take; 3 by default. */
    readonly timeoutSeconds?: number;
    /** Only users with any one of these roles are answered from it. */
    readonly requiredRoles?: readonly string[];
    /** Only users of these tenants are, by glob. */
    readonly tenants?: readonly string[];
    /** Its documents are as trusted as the plugin itself. */
    readonly trusted?: boolean;
  }
  /** What a plugin provides beside actions (contract/plugins.md#plugins). */
  export interface PluginProviders {
    readonly ragSources?: readonly KnowledgeSourceDefinition[];
    readonly skillSources?: readonly SkillSourceDefinition[];
    /** Decides which messages of a conversation are kept, in place of `maxSessionMessages`. One plugin of a server has it. */
    readonly chatReducer?: ChatReducer;
    /** Keeps the conversations of signed-in users, in place of `chatHistoryProvider: storage`. One plugin of a server has it, or a factory. */
    readonly chatHistoryProvider?: ChatHistoryProvider;
    /** The same by user. One plugin of a server has it, or a provider. */
    readonly chatHistoryProviderFactory?: ChatHistoryProviderFactory;
    /** Keeps what is remembered about users, in place of the storage of the server. One plugin of a server has it. */
    readonly memoryStore?: MemoryStore;
  }

  /** One sentence that is remembered about a user (contract/memory.md#facts). */
  export interface RememberedFact {
    readonly id: string;
    readonly kind: 'identity' | 'preference' | 'fact';
    /** At most 300 characters. */
    readonly text: string;
    /** Epoch milliseconds. */
    readonly at: number;
    /** The turn and the conversation in which it was said. */
    readonly turnId: string;
    readonly conversationId: string;
  }
  /**
   * Keeps what is remembered about users (contract/memory.md#storage): `providers.memoryStore`. `userKey` tells one user from all others
   * and holds the tenant: nothing of one key may ever be given for another. Each function has 3 seconds; one that throws changes nothing
   * for the user's turn, and is logged.
   */
  export interface MemoryStore {
    /** All facts of a user, in any order. */
    list(userKey: string, context: MemoryContext): readonly RememberedFact[] | Promise<readonly RememberedFact[]>;
    /** Keeps a fact. One with the same id is replaced. */
    save(userKey: string, fact: RememberedFact, context: MemoryContext): void | Promise<void>;
    /** Forgets a fact; with null everything of the user. What is not there is no fault. */
    remove(userKey: string, id: string | null, context: MemoryContext): void | Promise<void>;
  }
  /** What each call of a memory store is given. */
  export interface MemoryContext {
    /** Aborts when the call takes too long. */
    readonly signal: AbortSignal;
  }

  /** A message as a chat model is sent it. Frozen: it is the same for the conversation, whatever a plugin does with it. */
  export type PipelineMessage =
    | {
        readonly role: 'user';
        readonly text: string;
        readonly images?: readonly PipelineImage[];
      }
    | {
        readonly role: 'assistant';
        readonly text: string;
        readonly toolCalls: readonly PipelineToolCall[];
      }
    | {
        readonly role: 'tool';
        readonly text: string;
        readonly callId: string;
        readonly name: string;
      };
  /** A picture of a message. */
  export interface PipelineImage {
    readonly name: string;
    readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
    /** Base64. */
    readonly data: string;
  }
  /** A tool that a model calls. `arguments` is the JSON that it wrote. */
  export interface PipelineToolCall {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
  }
  /** A tool as a model is told of it. `parameters` is a JSON Schema. */
  export interface PipelineTool {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }
  /**
   * One call of a chat model. The model beneath takes the request that it is handed, or a copy with changes: `{ ...request, instructions }`. An
   * object made from nothing is refused.
   */
  export interface PipelineRequest {
    readonly instructions: string;
    /** The conversation, its newest message last. */
    readonly messages: readonly PipelineMessage[];
    /** The same array for as long as the tools are the same. */
    readonly tools: readonly PipelineTool[];
    /** `none`: the model must answer in words. `required`: it must call a tool. */
    readonly toolChoice: 'auto' | 'none' | 'required';
    /** Aborts when the turn is stopped: end what you do, and reject. */
    readonly signal: AbortSignal;
  }
  /** Takes the text of a reply while it is written. What it is given is what the user sees. Throws once the call is over. */
  export interface PipelineSink {
    text(piece: string): void;
  }
  /** What came of a call. */
  export interface PipelineReply {
    /** The whole text. Where nothing was given to the sink, it is shown at once; else what was given to the sink counts. */
    readonly text: string;
    /** Each goes through the same checks, roles and questions as if the model had written it. */
    readonly toolCalls: readonly PipelineToolCall[];
    readonly usage: {
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedInputTokens?: number;
    };
    /** The model's name as its provider reports it. */
    readonly model: string;
    readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  }
  /**
   * A chat model with its retries and fallbacks (contract/models.md#own-layers). A plugin makes another one around it:
   * `hooks.configureChatClientPipeline`.
   */
  export interface PipelineModel {
    /** The configured model id. */
    readonly model: string;
    readonly provider: string;
    /**
     * Answers a request. Handed the sink that it was called with, the model beneath writes straight to the user; with a sink of its own, a
     * plugin sees each piece and decides what of it goes on. Rejects with an `Error` that has a `code`, such as `model_unavailable`, where no
     * model answers.
     */
    run(request: PipelineRequest, sink: PipelineSink): Promise<PipelineReply>;
  }

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
  export function definePlugin(plugin: PluginDefinition): PluginDefinition;

  /**
   * Results that do more than hand data to the model (contract/plugins.md#results). They are branded by identity, not by shape: data
   * that merely looks like one stays data.
   */
  export interface CardResult {
    readonly kind: 'card';
    readonly value: unknown;
    readonly card: unknown;
  }
  export interface NavigationResult {
    readonly kind: 'navigate';
    readonly page: string;
    readonly params: Readonly<Record<string, unknown>>;
  }
  export interface UiActionResult {
    readonly kind: 'ui-action';
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }
  /** Shows an Adaptive Card beside the result. With `enableGenerativeCards: false` the model gets the data alone. */
  export function card(value: unknown, adaptiveCard: unknown): CardResult;
  /** Sends the user to a page: `params` fill `{name}` in its `url`, encoded; the rest becomes its query. */
  export function navigate(page: string, params?: Readonly<Record<string, unknown>>): NavigationResult;
  /**
   * Asks the page the user is on to do something it offers (`SetPage.actions` of the hub); the page's answer becomes the
   * result. Where there is no such page, as over SSE, the model is told so.
   */
  export function uiAction(name: string, args?: Readonly<Record<string, unknown>>): UiActionResult;
  /** Whether `value` was made by `card`, `navigate` or `uiAction`, whichever instance of this module made it. */
  export function isBrandedResult(value: unknown): value is CardResult | NavigationResult | UiActionResult;

  /** Instructions for one kind of task, as code (contract/skills.md#plugins). */
  export interface SkillDefinition {
    /** Lower-case letters and digits with single hyphens between, at most 64. */
    readonly name: string;
    /** When to use it: all that the model reads until it loads the skill. At most 1,024 characters. */
    readonly description: string;
    /** The instructions themselves, in Markdown. */
    readonly content: string;
    /** Texts that the instructions name, by their names, such as `references/limits.txt`. */
    readonly resources?: Readonly<Record<string, string>>;
    /** Any one of these roles may use it. Left out or empty, everybody may. */
    readonly requiredRoles?: readonly string[];
    /** Globs of the tenants whose users may use it. Left out or empty, every tenant's may. */
    readonly tenants?: readonly string[];
  }
  /** Something that skills come from: an entry of a plugin's `providers.skillSources`. */
  export interface SkillSourceDefinition {
    /** For warnings and for `skillFilter`. */
    readonly name: string;
    /**
     * Gives the skills of now; asked as often as skills are read. When it throws, or takes more than 5 seconds, those that it gave before
     * stay.
     */
    skills(context: { readonly signal: AbortSignal }): readonly SkillDefinition[] | Promise<readonly SkillDefinition[]>;
  }
  /** What `skillFilter` is asked about. */
  export interface FilteredSkill {
    readonly name: string;
    readonly description: string;
    /** The folder, or the name of the source, that offers it. */
    readonly source: string;
    readonly license?: string | undefined;
    readonly compatibility?: string | undefined;
    readonly allowedTools?: readonly string[] | undefined;
    readonly metadata: Readonly<Record<string, string>>;
  }
}
