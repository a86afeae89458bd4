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
    /** Null in a call over MCP: the model of another program has chosen the action, and there is no turn. */
    readonly turnId: string | null;
    readonly conversationId: string | null;
    readonly channel: 'hub' | 'sse' | 'in-process' | 'mcp' | 'openai' | 'a2a' | 'agui';
    readonly page: ActionPage | undefined;
    readonly log: ActionLog;
    /** Shown to the user as the feedback line while the action runs. */
    readonly progress: (text: string) => void;
  }
  /** A text in one language, or in several: `{ en: 'Orders', de: 'Bestellungen' }`. The tags are en, it, fr, de, es, pt, nl, pl, ja and zh. */
  export type LocalizedText =
    string | Readonly<Partial<Record<'en' | 'it' | 'fr' | 'de' | 'es' | 'pt' | 'nl' | 'pl' | 'ja' | 'zh', string>>>;
  /** The question about an action in its own words (contract/confirmations.md#words-of-a-question). */
  export interface ConfirmText {
    /** `Cancel order {orderNumber}?`: an argument that is a text or a number may stand in it. */
    readonly title?: LocalizedText;
    /** The button that approves, such as `Cancel the order`. */
    readonly approve?: LocalizedText;
    /** The button that declines, such as `Keep it`. */
    readonly decline?: LocalizedText;
  }
  /** A capability of the host application that the assistant may call (contract/plugins.md#actions). */
  export interface ActionDefinition<Arguments = Record<string, unknown>> {
    /** The tool name: `^[a-z][a-z0-9_]{0,63}$`, unique in the whole server. */
    readonly name: string;
    /** Shown to people. Left out, it is the name with spaces. */
    readonly title?: LocalizedText;
    /** What the model reads to decide, and what the user reads in the confirmation box. */
    readonly description: LocalizedText;
    /** Left out, the question has the title, and buttons of the widget. */
    readonly confirm?: ConfirmText;
    /** Arguments are checked against this schema before anything else happens. */
    readonly parameters: ParametersSchema;
    /** Declares that the action changes nothing. An action that declares neither this nor `requiresConfirmation` asks first. */
    readonly readOnly?: boolean;
    readonly requiresConfirmation?: boolean;
    /**
     * Declares that the effect of the action cannot be undone. The action always asks, whatever the rules say, and the question names the
     * danger. It cannot be used with `readOnly: true` or `requiresConfirmation: false`.
     */
    readonly destructive?: boolean;
    /** Lets the user change the arguments in the confirmation box. Changed arguments are checked like those of the model. */
    readonly editable?: boolean;
    /**
     * Declares that only you can write the results of the action and the messages of its errors. When the model has read any other text, only
     * the user can answer calls that ask; no rule can. A parameter with `sink: true` in its schema says where something goes, such as a
     * recipient. A call asks when its value comes neither from the user nor from a trusted result.
     */
    readonly trusted?: boolean;
    /** One of these roles is enough. Anonymous callers are refused. */
    readonly requiredRoles?: readonly string[];
    /**
     * Globs of tenants. Only users of these tenants are offered the action; a user without a tenant is not. Left out or empty, every user is.
     */
    readonly tenants?: readonly string[];
    /** Sentences in which users ask for the action. The tool filter finds the action by them, and the demo page shows each as a button. */
    readonly examples?: readonly string[];
    /** A duration such as `30s`. Default `60s`. */
    readonly timeout?: string;
    /** Returns any JSON value, or the result of `card`, `content`, `navigate` or `uiAction`. May throw: the message goes through `onException`. */
    execute(args: Arguments, context: ActionContext): unknown;
  }
  /** Adds types to an action; returns it as it is. */
  export function defineAction<Arguments = Record<string, unknown>>(
    action: ActionDefinition<Arguments>,
  ): ActionDefinition<Arguments>;

  /** An agent with instructions, a model and tools of its own (contract/agents.md#definitions). */
  export interface SpecialistDefinition {
    /** Unique among all agents; at most 64 characters, without a slash. `coordinator` is reserved. */
    readonly name: string;
    /** What the agent is good for. The coordinator decides by it whom to hand a request to. */
    readonly description: string;
    /** What the model is told before the conversation. */
    readonly instructions: string;
    /** An entry of `models`, by itself or with options for this agent alone. Left out, `chatClient`. */
    readonly model?:
      | string
      | {
          readonly id?: string;
          readonly options?: AgentModelOptions;
        };
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
    readonly handoffs?: readonly {
      readonly from: string;
      readonly to: string;
      readonly reason?: string;
    }[];
    /** `handoff`: the next message goes to the member that answered last. */
    readonly returnToPrevious?: boolean;
    /** `magentic`: how many rounds without progress bring a new plan. */
    readonly maxStalls?: number;
    /** `magentic`: how many new plans there may be. */
    readonly maxResets?: number;
  }

  /** What an agent may know of the turn in which it is asked (contract/agents.md#an-agent-that-answers). */
  export interface AgentContext {
    /** Aborts on Stop, when the time is up, and when the call has ended for another reason. Pass it on to whatever waits. */
    readonly signal: AbortSignal;
    /** What the server would tell a model: who it is, its language and its rules. */
    readonly instructions: string;
    /** The tools of the server that this user may be offered. Whoever asks for one of them yields an `AgentToolCall`. */
    readonly tools: readonly PipelineTool[];
    /** `none`: a tool that is asked for does not run. `required`: it must ask for a tool. */
    readonly toolChoice: 'auto' | 'none' | 'required';
    readonly user: ActionUser;
    readonly turnId: string;
    readonly conversationId: string;
    readonly channel: 'hub' | 'sse' | 'in-process' | 'openai' | 'a2a' | 'agui';
    readonly page: ActionPage | undefined;
    readonly log: ActionLog;
  }
  /**
   * Asks for a tool of the server. It runs after the stream has ended, with the same checks, roles and questions to the user as the call of a
   * model. `stream` is then called again, with the call and its result at the end of the messages.
   */
  export interface AgentToolCall {
    readonly toolCall: {
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    };
  }
  /** Says what the answer has taken, where the agent knows. What several of them say is added up. */
  export interface AgentUsage {
    readonly usage: {
      readonly inputTokens: number;
      readonly outputTokens: number;
    };
  }
  /** A piece of an answer. A text is shown to the user at once. */
  export type AgentPiece = string | AgentToolCall | AgentUsage;
  /** An agent that answers users in place of a model: `agent: { plugin: NAME }`. */
  export interface AnsweringAgent {
    /**
     * Answers a conversation, the newest message last. The answer ends with the iteration. After an exception the turn fails, and what was said
     * until then stays.
     */
    stream(messages: readonly PipelineMessage[], context: AgentContext): AsyncIterable<AgentPiece>;
  }

  /** The emphasis of a value in a column, such as the state of an order. */
  export type DemoTone = 'neutral' | 'info' | 'busy' | 'warning' | 'good' | 'bad';
  /** A column of a list on the demo page. */
  export interface DemoColumn {
    /** The member of a row that the column shows. */
    readonly name: string;
    readonly title: string;
    /** The tone of each value. Each value is shown as a label; a value that is not named here is neutral. */
    readonly tones?: Readonly<Record<string, DemoTone>>;
  }
  /** A list on the demo page with the data that this plugin's actions use. **Anybody who opens that page sees it.** */
  export interface DemoList {
    readonly title: string;
    /** A sentence below the title. */
    readonly description?: string;
    /** The columns, in this order. Left out, there is a column for every member of a row. The first column identifies a row. */
    readonly columns?: readonly DemoColumn[];
    /** The rows, as plain objects. It is called whenever the page is opened, and after each action. */
    rows(): readonly object[] | Promise<readonly object[]>;
    /** Restores the data of the start. The page calls it for "Start over". */
    reset?(): void | Promise<void>;
  }

  /** What a user thinks of a reply (contract/sessions.md#ratings). */
  export interface ReplyFeedback {
    readonly turnId: string;
    /** Empty when the conversation is not known any more. */
    readonly conversationId: string;
    /** Null: the user has taken a rating back. */
    readonly rating: 'good' | 'bad' | null;
    /** The user's own words, at most 1,000 characters; empty without any. Untrusted. */
    readonly comment: string;
    readonly user: ActionUser;
  }

  /** A message of a conversation. It is frozen, so a plugin cannot change what the model reads. */
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
   * Decides which messages of a conversation are kept (contract/sessions.md#a-reducer-of-your-own). It is called before each message of the
   * user. It returns those of the given messages that stay, in the same order. The first of them must be a message of the user, and each call
   * must stay together with its result. One reducer serves all conversations, so it must not keep data of one.
   */
  export type ChatReducer = (
    messages: readonly HistoryMessage[],
    context: {
      readonly signal: AbortSignal;
    },
  ) => readonly HistoryMessage[] | Promise<readonly HistoryMessage[]>;
  /** A conversation without its messages. Its title is sealed, so the plugin cannot read it. */
  export interface KeptConversationHead {
    readonly id: string;
    readonly title: string;
    /** The times of its beginning and of its last message, in epoch milliseconds. */
    readonly startedAt: number;
    readonly lastAt: number;
  }
  /** A conversation with its messages. */
  export interface KeptConversation extends KeptConversationHead {
    /** The sealed messages, turn by turn. The plugin cannot read this text. It has about 8 MiB at most. */
    readonly content: string;
  }
  /**
   * Keeps the conversations of signed-in users (contract/sessions.md#conversations-in-a-store-of-your-own): `providers.chatHistoryProvider`.
   * `userKey` identifies one user and includes the tenant. Data of one key must never be returned for another key. Each function has 3
   * seconds, and resolves only when its change is durable. After its signal has aborted, it must change nothing more. A function that throws
   * is called again.
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
    /** Keeps a conversation. It replaces a conversation with the same id. */
    save(userKey: string, conversation: KeptConversation, context: HistoryContext): void | Promise<void>;
    /** Deletes a conversation; with null, all conversations of the user. It is no fault when there is none. */
    remove(userKey: string, id: string | null, context: HistoryContext): void | Promise<void>;
  }
  /**
   * Makes a provider that keeps the conversations of one user, such as a client for the database of that user's tenant:
   * `providers.chatHistoryProviderFactory`. It is called when the provider is needed, and its result serves this user only. After 1,000 other
   * users it may be called again for the same user.
   */
  export type ChatHistoryProviderFactory = (userKey: string) => ChatHistoryProvider | Promise<ChatHistoryProvider>;
  /** The context of each call of a chat history provider. */
  export interface HistoryContext {
    /** Aborts when the call takes too long. */
    readonly signal: AbortSignal;
  }

  /** The question for a source of documents about one message (contract/knowledge.md#sources). */
  export interface KnowledgeSearch {
    /** The user's message. */
    readonly query: string;
    /** The most documents that the server uses (`ragResultCount`). More are of no use. */
    readonly maxResults: number;
    /** The user's messages and the replies of the last three turns, the oldest first. Empty over SSE. */
    readonly recentMessages: readonly string[];
    /** Null when the server knows no users. An anonymous visitor is a user that is not authenticated. */
    readonly user: ActionUser | null;
    /** The page the user is on, as the client told it. Untrusted. */
    readonly pageName: string | null;
    readonly pageData: unknown;
    /** Aborts when the turn is stopped, or when the search takes too long. */
    readonly signal: AbortSignal;
  }
  /** A document, or a part of one, that answers the question. */
  export interface KnowledgeDocument {
    readonly content: string;
    readonly title?: string;
    /** Where a reader can open it: `https:`, or relative to the host application. */
    readonly sourceUrl?: string;
    /** How well the document fits the question: a higher score is better. */
    readonly score: number;
    /** The kind of source. Clients get it with the citation. Left out, it is `document`. */
    readonly kind?: 'document' | 'web' | 'file';
    /** Facts about the document. The model reads them, and clients get them with the citation. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** One of these roles is enough to read the document. Left out or empty, everybody may read it. */
    readonly requiredRoles?: readonly string[];
    /** Globs of the tenants whose users may read the document. Left out or empty, the users of every tenant may. */
    readonly tenants?: readonly string[];
  }
  /** A source of documents: an entry of a plugin's `providers.ragSources` (contract/knowledge.md#sources). */
  export interface KnowledgeSourceDefinition {
    /** Unique in the server: `^[a-z][a-z0-9-]{0,63}$`. */
    readonly name: string;
    /** Finds documents. An error is logged, and the answer goes on without this source. */
    search(search: KnowledgeSearch): readonly KnowledgeDocument[] | Promise<readonly KnowledgeDocument[]>;
    /** The lowest score of a document that is used, on the scale of this source. 0 accepts all documents. Left out, it is 2. */
    readonly defaultMinScore?: number;
    /** The most seconds of a search. Left out, it is 3. */
    readonly timeoutSeconds?: number;
    /** The source is used only for users with one of these roles. */
    readonly requiredRoles?: readonly string[];
    /** Globs of tenants. The source is used only for users of these tenants. */
    readonly tenants?: readonly string[];
    /** Its documents are as trusted as the plugin itself. */
    readonly trusted?: boolean;
  }
  /** What a plugin provides besides actions (contract/plugins.md#plugins). */
  export interface PluginProviders {
    readonly ragSources?: readonly KnowledgeSourceDefinition[];
    readonly skillSources?: readonly SkillSourceDefinition[];
    /** Decides which messages of a conversation are kept, in place of `maxSessionMessages`. Only one plugin of a server may have it. */
    readonly chatReducer?: ChatReducer;
    /**
     * Keeps the conversations of signed-in users, in place of `chatHistoryProvider: storage`. Only one plugin of a server may have this or a
     * factory.
     */
    readonly chatHistoryProvider?: ChatHistoryProvider;
    /** Makes a chat history provider for each user. Only one plugin of a server may have this or a provider. */
    readonly chatHistoryProviderFactory?: ChatHistoryProviderFactory;
    /** Keeps what is remembered about users, in place of the storage of the server. Only one plugin of a server may have it. */
    readonly memoryStore?: MemoryStore;
  }

  /** A request at the MCP endpoint, as `mcpCallerPrincipal` sees it. It holds what the caller has sent to prove who it is: log none of it. */
  export interface McpRequest {
    /** By their names in small letters. A header that came twice has its values joined by commas. Cookies are left out. */
    readonly headers: Readonly<Record<string, string>>;
    /** The IP address of the caller, as `server.trustProxy` resolves it. */
    readonly address: string;
  }
  /** Who calls, as `mcpCallerPrincipal` says. */
  export interface McpCaller {
    /** Identifies the user or program, 1 to 255 characters. It is the same user as that of a token with this `sub`. */
    readonly id: string;
    /** Left out, the id is the name. */
    readonly name?: string;
    readonly roles?: readonly string[];
    readonly claims?: Readonly<Record<string, unknown>>;
  }

  /** One sentence that is remembered about a user (contract/memory.md#facts). */
  export interface RememberedFact {
    readonly id: string;
    readonly kind: 'identity' | 'preference' | 'fact';
    /** At most 300 characters. */
    readonly text: string;
    /** Epoch milliseconds. */
    readonly at: number;
    /** The turn and the conversation in which the user said it. */
    readonly turnId: string;
    readonly conversationId: string;
  }
  /**
   * Keeps what is remembered about users (contract/memory.md#storage): `providers.memoryStore`. `userKey` identifies one user and includes
   * the tenant. Data of one key must never be returned for another key. Each function has 3 seconds. An error is logged, and the user's turn
   * goes on.
   */
  export interface MemoryStore {
    /** All facts of a user, in any order. */
    list(userKey: string, context: MemoryContext): readonly RememberedFact[] | Promise<readonly RememberedFact[]>;
    /** Keeps a fact. It replaces a fact with the same id. */
    save(userKey: string, fact: RememberedFact, context: MemoryContext): void | Promise<void>;
    /** Forgets a fact; with null, all facts of the user. It is no fault when there is none. */
    remove(userKey: string, id: string | null, context: MemoryContext): void | Promise<void>;
  }
  /** The context of each call of a memory store. */
  export interface MemoryContext {
    /** Aborts when the call takes too long. */
    readonly signal: AbortSignal;
  }

  /** A message in the form that a chat model gets. It is frozen, so a plugin cannot change the conversation. */
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
  /** A call of a tool by the model. `arguments` is the JSON that the model wrote. */
  export interface PipelineToolCall {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
  }
  /** A tool in the form that a model gets. `parameters` is a JSON Schema. */
  export interface PipelineTool {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }
  /**
   * One call of a chat model. A plugin must pass the model beneath the request that it got, or a changed copy of it: `{ ...request,
   * instructions }`. Any other object is refused.
   */
  export interface PipelineRequest {
    readonly instructions: string;
    /** The conversation, its newest message last. */
    readonly messages: readonly PipelineMessage[];
    /** The array stays the same object while the tools stay the same. */
    readonly tools: readonly PipelineTool[];
    /** `none`: the model must answer in words. `required`: it must call a tool. */
    readonly toolChoice: 'auto' | 'none' | 'required';
    /** Aborts when the turn is stopped. The plugin must then end its work and reject. */
    readonly signal: AbortSignal;
  }
  /** Takes the text of a reply while it is written. The user sees the text that the sink gets. Throws after the call has ended. */
  export interface PipelineSink {
    text(piece: string): void;
  }
  /** The result of a call. */
  export interface PipelineReply {
    /** The whole text. When the sink got no text, the user sees this text at once. Otherwise the text that the sink got counts. */
    readonly text: string;
    /** Each call gets the same checks, roles and questions as a call that the model wrote. */
    readonly toolCalls: readonly PipelineToolCall[];
    /** Every call of the model beneath counts in budgets by itself. What is stated here beyond those calls counts too. */
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
   * A chat model with its retries and fallbacks (contract/models.md#own-layers). A plugin can put its own model around it:
   * `hooks.configureChatClientPipeline`.
   */
  export interface PipelineModel {
    /** The configured model id. */
    readonly model: string;
    readonly provider: string;
    /**
     * Answers a request. When a plugin passes on its own sink, the model beneath writes directly to the user. With another sink, the plugin
     * sees each piece of text and decides what to pass on. When no model answers, it rejects with an `Error` that has a `code`, such as
     * `model_unavailable`.
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
  export function definePlugin(plugin: PluginDefinition): PluginDefinition;

  /**
   * Results that do more than pass data to the model (contract/plugins.md#results). They are recognised by identity and not by shape: data
   * that only looks like such a result stays data.
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
  /** A part of a result in the form of the Model Context Protocol. `data` and `blob` are base64. */
  export type ContentPart =
    | {
        readonly type: 'text';
        readonly text: string;
      }
    | {
        readonly type: 'image' | 'audio';
        readonly data: string;
        readonly mimeType: string;
      }
    | {
        readonly type: 'resource';
        readonly resource: {
          readonly uri: string;
          readonly mimeType?: string;
        } & (
          | {
              readonly text: string;
            }
          | {
              readonly blob: string;
            }
        );
      };
  export interface ContentResult {
    readonly kind: 'content';
    readonly parts: readonly ContentPart[];
  }
  /** Shows an Adaptive Card beside the result. With `enableGenerativeCards: false` the model gets only the data. */
  export function card(value: unknown, adaptiveCard: unknown): CardResult;
  /** Sends the user to a page. `params` fill `{name}` in the page's `url`, encoded. Other `params` become the query. */
  export function navigate(page: string, params?: Readonly<Record<string, unknown>>): NavigationResult;
  /**
   * Asks the user's page to do something that it offers (`SetPage.actions` of the hub). The answer of the page becomes the result. When there
   * is no such page, as over SSE, the model is told so.
   */
  export function uiAction(name: string, args?: Readonly<Record<string, unknown>>): UiActionResult;
  /**
   * A result of several parts: texts, images, sounds and files. Callers over MCP get them as they are. The model of a turn reads the texts, and
   * is told that there is something else. At most 100 parts, and 8 Mi characters in all.
   */
  export function content(parts: readonly ContentPart[]): ContentResult;
  /** Whether `value` was made by `card`, `content`, `navigate` or `uiAction`, whichever instance of this module made it. */
  export function isBrandedResult(
    value: unknown,
  ): value is CardResult | ContentResult | NavigationResult | UiActionResult;

  /** Instructions for one kind of task, as code (contract/skills.md#plugins). */
  export interface SkillDefinition {
    /** Lower-case letters and digits with single hyphens between, at most 64. */
    readonly name: string;
    /** When to use the skill. The model reads only this text until it loads the skill. At most 1,024 characters. */
    readonly description: string;
    /** The instructions themselves, in Markdown. */
    readonly content: string;
    /** Further texts by the names that the instructions use, such as `references/limits.txt`. */
    readonly resources?: Readonly<Record<string, string>>;
    /** One of these roles is enough to use the skill. Left out or empty, everybody may use it. */
    readonly requiredRoles?: readonly string[];
    /** Globs of the tenants whose users may use the skill. Left out or empty, the users of every tenant may. */
    readonly tenants?: readonly string[];
  }
  /** A source of skills: an entry of a plugin's `providers.skillSources`. */
  export interface SkillSourceDefinition {
    /** The name in warnings and for `skillFilter`. */
    readonly name: string;
    /**
     * Returns the present skills. It is called whenever skills are read. When it throws, or takes more than 5 seconds, the skills of its last
     * answer stay.
     */
    skills(context: { readonly signal: AbortSignal }): readonly SkillDefinition[] | Promise<readonly SkillDefinition[]>;
  }
  /** The skill that `skillFilter` decides about. */
  export interface FilteredSkill {
    readonly name: string;
    readonly description: string;
    /** The folder of the skill, or the name of its source. */
    readonly source: string;
    readonly license?: string | undefined;
    readonly compatibility?: string | undefined;
    readonly allowedTools?: readonly string[] | undefined;
    readonly metadata: Readonly<Record<string, string>>;
  }
}
