/**
 * Hub events as a client receives them (contract/events.md#members): PascalCase names, exactly one object argument each. The widget reads
 * these types; the hub channel proves at compile time that the core's events have these shapes.
 */
export interface TurnEventHead {
  readonly turnId: string;
  /** 1, 2, 3 … without gaps on the hub. */
  readonly seq: number;
}

/** Why a part of a message was left out: its kind is switched off, it is no picture that can be read, or its type is not taken. */
export type LeftOutReason = 'disabled' | 'no_image' | 'type';

export interface ConfirmationRequestedFields {
  readonly actionId: string;
  readonly callId: string;
  readonly action: string;
  readonly title: string;
  readonly description: string;
  /** The question in the words of the action, with arguments in it. Left out, it has the title. */
  readonly confirm?: ConfirmWords;
  /** The words of the action in further languages, by the first part of the language's tag. */
  readonly languages?: Readonly<Record<string, ActionWords>>;
  readonly arguments: readonly ConfirmationArgumentFields[];
  readonly agent: string;
  readonly reason: 'write' | 'declared' | 'policy' | 'mcp' | 'hosted' | 'influenced';
  readonly canRemember: boolean;
  readonly editable: boolean;
  /** The effect of the action cannot be undone, and the question says so. Absent when the action does not declare this. */
  readonly destructive?: true;
  readonly expiresAt?: string;
  /**
   * The sources of text that the model has read, other than the user, the operator and trusted actions. Absent when all text is trusted.
   */
  readonly influencedBy?: readonly Influence[];
  /**
   * The same action with the same arguments was asked for a moment ago. It was done; it was tried, and may have taken effect; or it is open
   * or runs. `at` is RFC 3339.
   */
  readonly repeats?: { readonly state: 'done' | 'tried' | 'open'; readonly at: string };
}

/** The title of a question and the labels of its buttons, as far as the action gives them. */
export interface ConfirmWords {
  readonly title?: string;
  readonly approve?: string;
  readonly decline?: string;
}

/** What people read of an action, in one language. What is left out is as it stands in the question. */
export interface ActionWords {
  readonly title?: string;
  readonly description?: string;
  readonly confirm?: ConfirmWords;
  /** The labels of arguments, by name. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One argument, as a line of a question. */
export interface ConfirmationArgumentFields {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  /** The value is a day or a moment (RFC 3339), by the schema of the action. */
  readonly format?: 'date' | 'date-time';
  /** The value is in no message of the user and in no trusted result. The question marks it. */
  readonly notFromUser?: true;
  /** The action does not declare this argument, so its name is no word of the action. It stands in a frame that says so. */
  readonly undeclared?: true;
}

/** The source of a text that the model has read, as a question names it. */
export interface Influence {
  readonly origin: 'user' | 'operator' | 'model' | 'action' | 'document' | 'web' | 'mcp' | 'remote' | 'page';
  /** The title of a document, an action or a page, for people. */
  readonly title?: string;
  /**
   * People are not shown it as a source: a page without data, or a tool server of which the model has read only what it says of its tools.
   */
  readonly silent?: true;
  /** The names of arguments with a value that stands in the text, and in nothing that the user or a trusted source has given. */
  readonly foundIn?: readonly string[];
}

/** The result of a call that would change something, from the journal. */
export interface Receipt {
  readonly callId: string;
  readonly action: string;
  readonly title: string;
  readonly status: 'succeeded' | 'failed' | 'declined' | 'refused' | 'cancelled' | 'unknown';
  /** RFC 3339. */
  readonly at: string;
}

/** What a user may still spend (contract/limits.md). */
export interface RemainingBudget {
  readonly remaining: number;
  readonly unit: 'tokens' | 'cost';
  /** RFC 3339. */
  readonly resetsAt: string;
}

/** A document that a reply uses (contract/knowledge.md#citations). */
export interface RagSource {
  /** The number of its citations in the reply: 1 stands for `[1]`. */
  readonly number: number;
  readonly id: string;
  readonly title: string;
  /** `https:`, or relative to the host application. */
  readonly url?: string;
  readonly score: number;
  readonly kind: 'document' | 'web' | 'file';
  readonly metadata?: Readonly<Record<string, string>>;
  /** Untrusted text. `from` and `to` mark the passage that the reply goes by; both are 0 where there is none. */
  readonly excerpt?: { readonly text: string; readonly from: number; readonly to: number };
}

export interface TurnHubEvents {
  TurnStarted: TurnEventHead & {
    readonly conversationId: string;
    /** The model that the message is put to, where it is known already. `TurnCompleted` has the one that answered. */
    readonly model?: string;
    readonly warnings?: readonly { readonly code: string; readonly name?: string; readonly reason?: LeftOutReason }[];
  };
  TextDelta: TurnEventHead & { readonly text: string; readonly agent: string };
  /** What the model has thought before the text or the calls that follow. It is no part of the reply, and is not kept. */
  ThoughtReady: TurnEventHead & { readonly text: string; readonly agent: string };
  /** The whole reply so far is replaced. */
  TextReplaced: TurnEventHead & { readonly text: string };
  ActionExecuting: TurnEventHead & {
    readonly callId: string;
    readonly action: string;
    readonly title: string;
    /** The title in further languages, by the first part of the language's tag. */
    readonly titles?: Readonly<Record<string, string>>;
    readonly agent: string;
    readonly arguments?: unknown;
  };
  ActionProgress: TurnEventHead & { readonly callId: string; readonly text: string };
  ActionCompleted: TurnEventHead & {
    readonly callId: string;
    readonly action: string;
    readonly status: 'succeeded' | 'failed' | 'declined' | 'refused' | 'cancelled' | 'unknown';
    readonly durationMs: number;
    /**
     * Present when a call was refused because a role was missing. It says in the language what the call would have done, and which role it
     * needs.
     */
    readonly title?: string;
    readonly message?: string;
  };
  ConfirmationRequested: TurnEventHead & ConfirmationRequestedFields;
  ConfirmationResolved: TurnEventHead & {
    readonly actionId: string;
    readonly outcome: 'approved' | 'declined' | 'expired' | 'cancelled';
    readonly by: 'user' | 'rule' | 'system';
    /** All arguments with which the action runs. Present when the user changed any. */
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
  /** An agent other than the coordinator works on the message. */
  AgentActivity: TurnEventHead & {
    readonly agent: string;
    readonly kind: 'specialist' | 'team' | 'remote';
    readonly phase: 'started' | 'speaking' | 'finished' | 'failed';
    readonly round?: number;
  };
  NavigationRequested: TurnEventHead & { readonly page: string; readonly url: string; readonly title: string };
  CardReady: TurnEventHead & { readonly cardId: string; readonly card: unknown };
  /** The documents that the reply uses. */
  RagSourcesReady: TurnEventHead & { readonly sources: readonly RagSource[] };
  TurnCompleted: TurnEventHead & {
    readonly status: 'completed' | 'stopped' | 'refused' | 'failed';
    readonly text: string;
    readonly code?: string;
    readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly model: string };
    readonly durationMs: number;
    /** Present when the turn ran, tried or was refused a call that would change something. */
    readonly receipts?: readonly Receipt[];
  };
  ErrorOccurred: TurnEventHead & {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly budget?: RemainingBudget;
    /** Seconds after which the same message is let through. Only for `rate_limited`. */
    readonly retryAfter?: number;
    /** Why a part of the message was left out. Only for `image_type_dropped` and `file_type_dropped`. */
    readonly reason?: LeftOutReason;
  };
}

/** An event of a turn with its name in `event`: an item of `StreamMessage`'s stream (contract/hub.md#methods), and of the in-process API. */
export type TurnStreamEvent = {
  [Name in keyof TurnHubEvents]: { readonly event: Name } & TurnHubEvents[Name];
}[keyof TurnHubEvents];

/**
 * The request to the page to run an action (contract/hub.md#methods). It is an invocation with a result. It is not one of the numbered
 * events, because it is never sent again.
 */
export interface UiActionRequested {
  readonly turnId: string;
  readonly callId: string;
  /** The name that the page gave with `SetPage`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How an agent on another server is doing (contract/events.md#events-of-the-connection). */
export interface RemoteAgentState {
  readonly name: string;
  /** Without user info and query. */
  readonly agentCardUrl: string;
  readonly status: 'connecting' | 'connected' | 'failed';
}

/** How an MCP server is doing that this server connects to (contract/events.md#events-of-the-connection). */
export interface McpServerState {
  readonly name: string;
  readonly status: 'connecting' | 'connected' | 'failed' | 'disabled';
  readonly toolCount: number;
  /** Why it failed. */
  readonly error?: string;
}

/** Events of the connection itself, beside any turn. */
export interface ConnectionHubEvents {
  /** The first event on every connection. */
  Connected: {
    readonly connectionId: string;
    readonly conversationId: string;
    readonly user: { readonly isAuthenticated: boolean; readonly name: string };
    readonly settings: {
      readonly language: string;
      readonly maxMessageLength: number;
      readonly enableImageInput: boolean;
      readonly maxImageBytes: number;
      readonly maxImagesPerMessage: number;
      readonly allowedImageTypes: readonly string[];
      readonly enableFileInput: boolean;
      readonly maxFileBytes: number;
      readonly maxFilesPerMessage: number;
      readonly allowedFileTypes: readonly string[];
      readonly hostedTools: readonly string[];
      readonly demo: boolean;
      /** Whether a client must tell its users that an AI answers. */
      readonly aiDisclosure: boolean;
      /** Whether the conversations of signed-in users are kept. */
      readonly conversations: boolean;
      /** Whether facts about users are remembered. */
      readonly memory: boolean;
      /** What is left to spend; absent without a budget. */
      readonly budget?: RemainingBudget;
    };
  };
  /** The tools that the provider of the model runs itself, where clients show them. */
  HostedToolsReady: { readonly tools: readonly string[] };
  /** The agents on other servers, where there are any: on each new connection, and after each change. */
  RemoteAgentStatusChanged: { readonly agents: readonly RemoteAgentState[] };
  /** The MCP servers, where there are any: on each new connection, and after each change. */
  McpStatusChanged: { readonly servers: readonly McpServerState[] };
  ServerDraining: { readonly inSeconds: number };
}

export type HubEvents = TurnHubEvents & ConnectionHubEvents;
