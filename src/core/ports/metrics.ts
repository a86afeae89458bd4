import type { LeftOutReason, SnapshotFault, TurnErrorCode } from '../errors/error-codes.ts';
import type { ActionStatus, ChannelName, ConfirmationOutcome, TokenUsage, TurnStatus } from '../events/turn-event.ts';
import type { SecuritySeries } from '../events/security-event.ts';

/** A channel with connections: those of turns, and the MCP server with its listeners. */
export type ConnectionChannel = ChannelName | 'mcp';

/**
 * Counts what callers do (contract/operations.md#metrics, `/metrics`). A method is called once per turn, call or connection, never per
 * token. No label comes from a user, a page or arguments: `action` is a registered tool name, and `model` is a configured model.
 */
export interface CallerMetrics {
  turnEnded(turn: {
    /** For the figures of single turns. No label has it. */
    readonly turnId: string;
    readonly channel: ChannelName;
    readonly status: TurnStatus;
    readonly code: TurnErrorCode | undefined;
    readonly durationMs: number;
    /**
     * Milliseconds from the message to the first text. Undefined when the turn showed no text, or when an earlier run has recorded a part
     * of it.
     */
    readonly firstTokenMs: number | undefined;
    readonly usage: TokenUsage;
  }): void;
  modelCalled(call: {
    /** Absent for the operation `chat`. */
    readonly operation?: 'embeddings';
    readonly provider: string;
    readonly model: string;
    readonly durationMs: number;
    /** `undefined` when the call went well. */
    readonly error: string | undefined;
    /** The HTTP status with which the provider refused the call. */
    readonly status?: number | undefined;
    /** The provider's own code for its fault. */
    readonly providerCode?: string | undefined;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** The part of `inputTokens` that the provider read from its cache. Undefined when the provider does not say. */
    readonly cachedInputTokens?: number | undefined;
  }): void;
  /** `durationMs` includes the wait for the confirmation. */
  toolCalled(call: { readonly action: string; readonly status: ActionStatus; readonly durationMs: number }): void;
  /** One run of the action itself, without the wait for its confirmation. */
  toolRan(run: { readonly action: string; readonly durationMs: number }): void;
  /** Counts one call of a callback, including its retries. `paused`: the callback was not asked because it failed too often. */
  callbackAsked(call: {
    readonly callback: string;
    readonly type: 'manifest' | 'action' | 'toolResult' | 'search' | 'guardrail';
    readonly outcome: 'answered' | 'failed' | 'paused';
  }): void;
  /** One search of one source for one message (contract/knowledge.md#sources). */
  knowledgeSearched(search: {
    readonly source: string;
    readonly outcome: KnowledgeOutcome;
    readonly durationMs: number;
  }): void;
  /** One attempt to find facts in what a user has said (contract/memory.md#capture). */
  factsCaptured(outcome: FactsOutcome): void;
  /** A user has rated a reply, has changed the rating, or has taken it back. */
  feedbackGiven(rating: FeedbackSeries): void;
  /** A message or a reply got no verdict of its checks, whether it passed or not (contract/guardrails.md#messages). */
  guardrailFailed(guardrail: 'input' | 'output' | 'scope'): void;
  confirmationRequested(question: { readonly action: string }): void;
  confirmationResolved(resolution: {
    readonly action: string;
    readonly outcome: ConfirmationOutcome;
    readonly by: 'user' | 'rule' | 'system';
    readonly waitedMs: number;
  }): void;
  /**
   * Counts one message or request above a limit (`rateLimitPerUser`, `endpoints.*.rateLimit`, `server.maxRequestsPerAddress`, uploads), or
   * one connection or running turn above a limit of one caller (`server.maxConnectionsPer…`, `server.maxTurnsPer…`).
   */
  rateLimited(what: 'message' | 'request' | 'connection' | 'turn'): void;
  /** Counts one call, or one message before its first call, that a budget has refused or has given to the cheapest model. */
  budgetUsedUp(what: BudgetUsedUp): void;
  /** One line of the security log. */
  securityEvent(event: SecuritySeries): void;
  connectionOpened(channel: ConnectionChannel): void;
  /** A connection has ended that was open for `ageMs`. */
  connectionEnded(channel: ConnectionChannel, ageMs: number): void;
  /** A client is back. `line`: its broken line was taken up again. `turn`: a new connection of the client goes on with its turn. */
  connectionReturned(channel: ChannelName, how: ConnectionReturn): void;
  /** A conversation was saved or put back; `refused` has the reason why it was not. */
  snapshotHandled(handled: SnapshotHandled): void;
  /** Files of one message did not reach the model. */
  filesDropped(reason: FileDrop, count: number): void;
}

/** All counters. The counters of this object itself are those of callers without a tenant, and of the server. */
export interface Metrics extends CallerMetrics {
  /**
   * The counters for what callers of this tenant do (contract/identity.md#tenants). Undefined stands for callers without a tenant. Callers
   * MUST ask for the counters each time, and not keep them.
   */
  of(tenant: string | undefined): CallerMetrics;
  /** The keys of the token issuer could not be read (contract/identity.md#tokens). */
  issuerFailed(): void;
  /** The provider of a model refuses a tool, so the model goes without it. Counted once for each declaration of the tool. */
  toolLeftOut(refused: { readonly model: string; readonly action: string }): void;
  /** One commit to the disk, and how many changes waited for it. */
  storageCommitted(commit: { readonly changes: number; readonly durationMs: number }): void;
  /** Rows that were deleted because their time to be kept is over (`retention`). */
  purged(what: 'journal' | 'memory' | 'conversations' | 'budgets' | 'tasks' | 'vectors', rows: number): void;
  /** The storage could not do something; `thread`: one of its threads ended by itself. */
  storageFailed(what: 'write' | 'read' | 'probe' | 'thread'): void;
  /** One request was answered over HTTP. `route` is the pattern of its address, empty where there is none. */
  requestAnswered(answer: { readonly route: string; readonly status: number }): void;
  /** From now on, shows the counters of this subject with the value 0, before anything of the subject is counted. */
  expect(subject: MeteredSubject): void;
}

/** A budget that was used up. `per` says who spends the budget together (contract/limits.md#budgets). */
export interface BudgetUsedUp {
  readonly per: 'user' | 'role' | 'conversation' | 'day';
  readonly outcome: 'refused' | 'downgraded';
}

/** The outcome of a search in one source: documents with a sufficient score, no documents, no answer in time, or a fault. */
export type KnowledgeOutcome = 'found' | 'nothing' | 'late' | 'failed';
/**
 * The result of looking for facts in a message: changes, nothing, or a fault of the model or the storage. `dropped`: nobody looked for
 * facts in it.
 */
export type FactsOutcome = 'changed' | 'nothing' | 'failed' | 'dropped';
/** What a user has said of a reply. `withdrawn`: a rating was taken back. */
export type FeedbackSeries = 'good' | 'bad' | 'withdrawn';
export type ConnectionReturn = 'line' | 'turn';

export type SnapshotHandled =
  { readonly what: 'saved' | 'restored' } | { readonly what: 'refused'; readonly reason: SnapshotRefusal };

/**
 * Why a conversation was not saved or not put back. The fault lies in the snapshot, in the state of the server at this moment, or in the
 * storage.
 */
export type SnapshotRefusal = SnapshotFault | 'busy' | 'gone' | 'draining' | 'storage';

/** Why files are left out of a message, or refused together with it (contract/images.md and contract/files.md). */
export type FileDrop =
  | LeftOutReason
  | Extract<
      TurnErrorCode,
      'too_many_images' | 'image_too_large' | 'too_many_files' | 'file_too_large' | 'file_unreadable' | 'overloaded'
    >;

/** Something that is known by its name before anything of it is counted. */
export type MeteredSubject =
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'model' | 'embeddings'; readonly provider: string; readonly model: string }
  | { readonly kind: 'callback'; readonly callback: string }
  | { readonly kind: 'knowledge'; readonly source: string }
  | { readonly kind: 'route'; readonly route: string };

/** The turns and questions of some callers at this moment. */
export interface LiveTurns {
  readonly runningTurns: Readonly<Record<ChannelName, number>>;
  /** Confirmations that wait for their answer. */
  readonly openQuestions: number;
  /** Milliseconds for which the oldest open question has waited. 0 when no question is open. */
  readonly oldestQuestionMs: number;
}

/** Numbers of this moment, which are read and not counted. The turns and questions here are those of callers without a tenant. */
export interface LiveNumbers extends LiveTurns {
  /** The turns and questions of each tenant that has any. */
  readonly tenants?: ReadonlyMap<string, LiveTurns>;
  /** The counts of each folder of documents. */
  readonly documents?: readonly DocumentCounts[];
  /** Whether this replica reaches the others. Undefined where there are no others. */
  readonly isBusUp?: boolean | undefined;
}

/** How much there is in a folder of documents. */
export interface DocumentCounts {
  readonly source: string;
  readonly documents: number;
  /** The parts in which documents are found. */
  readonly chunks: number;
  /** Files that were left out. */
  readonly faults: number;
  /** Files of kinds that are not read. */
  readonly passedOver: number;
  /** The number of `chunks` that have a vector. Absent when the folder has no model for vectors. */
  readonly vectors?: number;
}
