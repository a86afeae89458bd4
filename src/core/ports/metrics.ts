import type { SnapshotFault, TurnErrorCode } from '../errors/error-codes.ts';
import type { ActionStatus, ChannelName, ConfirmationOutcome, TokenUsage, TurnStatus } from '../events/turn-event.ts';
import type { SecuritySeries } from '../events/security-event.ts';

/**
 * What is counted of callers (contract/operations.md#metrics, `/metrics`). Called once per turn, call or connection, never per token. No
 * label comes from a user, a page or arguments: `action` is a registered tool name, `model` a configured one.
 */
export interface CallerMetrics {
  turnEnded(turn: {
    readonly channel: ChannelName;
    readonly status: TurnStatus;
    readonly code: TurnErrorCode | undefined;
    readonly durationMs: number;
    /** From the message to the first text; undefined when the turn showed none, or waited for its user before. */
    readonly firstTokenMs: number | undefined;
    readonly usage: TokenUsage;
  }): void;
  modelCalled(call: {
    /** `chat` unless it says otherwise. */
    readonly operation?: 'embeddings';
    readonly provider: string;
    readonly model: string;
    readonly durationMs: number;
    /** `undefined` when the call went well. */
    readonly error: string | undefined;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Of the input tokens, those that the provider has read from its cache; undefined when it does not say. */
    readonly cachedInputTokens?: number | undefined;
  }): void;
  /** `durationMs` includes the wait for the confirmation. */
  toolCalled(call: { readonly action: string; readonly status: ActionStatus; readonly durationMs: number }): void;
  /** One run of the action itself, without the wait for its confirmation. */
  toolRan(run: { readonly action: string; readonly durationMs: number }): void;
  /** One call of a callback, its retries included; `paused`: it was not asked because it failed too often. */
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
  confirmationRequested(question: { readonly action: string }): void;
  confirmationResolved(resolution: {
    readonly action: string;
    readonly outcome: ConfirmationOutcome;
    readonly by: 'user' | 'rule' | 'system';
    readonly waitedMs: number;
  }): void;
  /**
   * One message or request too many (`rateLimitPerUser`, `endpoints.*.rateLimit`, `server.maxRequestsPerAddress`, uploads), or
   * one connection or running turn too many of one caller (`server.maxConnectionsPer…`, `server.maxTurnsPer…`).
   */
  rateLimited(what: 'message' | 'request' | 'connection' | 'turn'): void;
  /** One call, or the message before its first call, that a budget has refused, or had the cheapest model answer. */
  budgetUsedUp(what: BudgetUsedUp): void;
  /** One line of the security log. */
  securityEvent(event: SecuritySeries): void;
  connectionOpened(channel: ChannelName): void;
  /** A connection has ended that was open for `ageMs`. */
  connectionEnded(channel: ChannelName, ageMs: number): void;
  /** A client is back: its broken line was taken up again, or a new connection of it goes on with its turn. */
  connectionReturned(channel: ChannelName, how: ConnectionReturn): void;
  /** A conversation was saved or put back; `refused` has the reason why it was not. */
  snapshotHandled(handled: SnapshotHandled): void;
  /** Files of one message did not reach the model. */
  filesDropped(reason: FileDrop, count: number): void;
}

/** All that is counted. What is counted here directly belongs to callers without a tenant, or to the server. */
export interface Metrics extends CallerMetrics {
  /**
   * The counters for what callers of this tenant do (contract/identity.md#tenants). Undefined: for those without a tenant. To be asked
   * for each time: nobody keeps them.
   */
  of(tenant: string | undefined): CallerMetrics;
  /** The keys of the token issuer could not be read (contract/identity.md#tokens). */
  issuerFailed(): void;
  /** One commit to the disk, and how many changes waited for it. */
  storageCommitted(commit: { readonly changes: number; readonly durationMs: number }): void;
  /** Rows that were deleted because their time to be kept is over (`retention`). */
  purged(what: 'journal' | 'memory' | 'conversations' | 'budgets', rows: number): void;
  /** The storage could not do something; `thread`: one of its threads ended by itself. */
  storageFailed(what: 'write' | 'read' | 'probe' | 'thread'): void;
  /** One request was answered over HTTP. `route` is the pattern of its address, empty where there is none. */
  requestAnswered(answer: { readonly route: string; readonly status: number }): void;
  /** Shows at 0, from now on, what may be counted of something later. */
  expect(subject: MeteredSubject): void;
}

/** A budget that was used up, by who spends it together (contract/limits.md#budgets). */
export interface BudgetUsedUp {
  readonly per: 'user' | 'role' | 'conversation' | 'day';
  readonly outcome: 'refused' | 'downgraded';
}

/** What a source of documents came to: documents that score enough, none, no answer in time, or a fault. */
export type KnowledgeOutcome = 'found' | 'nothing' | 'late' | 'failed';
/** What a message brought to the memory: changes, nothing, a fault of the model or the storage; `dropped`: it was not looked through. */
export type FactsOutcome = 'changed' | 'nothing' | 'failed' | 'dropped';
export type ConnectionReturn = 'line' | 'turn';

export type SnapshotHandled =
  { readonly what: 'saved' | 'restored' } | { readonly what: 'refused'; readonly reason: SnapshotRefusal };

/** Why a conversation was neither saved nor put back: a fault of the snapshot, of this moment, or of the storage. */
export type SnapshotRefusal = SnapshotFault | 'busy' | 'gone' | 'draining' | 'storage';

/** Why files are left out of a message, or refused together with it (contract/images.md). */
export type FileDrop =
  'disabled' | 'no_image' | 'type' | Extract<TurnErrorCode, 'too_many_images' | 'image_too_large' | 'overloaded'>;

/** Something that is known by its name before anything of it is counted. */
export type MeteredSubject =
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'model' | 'embeddings'; readonly provider: string; readonly model: string }
  | { readonly kind: 'callback'; readonly callback: string }
  | { readonly kind: 'knowledge'; readonly source: string }
  | { readonly kind: 'route'; readonly route: string };

/** What goes on for some callers at this moment. */
export interface LiveTurns {
  readonly runningTurns: Readonly<Record<ChannelName, number>>;
  /** Confirmations that wait for their answer. */
  readonly openQuestions: number;
  /** How long the oldest of them has waited; 0 without one. */
  readonly oldestQuestionMs: number;
}

/** What goes on at this moment: it is read, not counted. The turns and questions are those of callers without a tenant. */
export interface LiveNumbers extends LiveTurns {
  /** The same of each tenant for which something goes on. */
  readonly tenants?: ReadonlyMap<string, LiveTurns>;
  /** Of each folder of documents. */
  readonly documents?: readonly DocumentCounts[];
}

/** How much there is in a folder of documents. */
export interface DocumentCounts {
  readonly source: string;
  readonly documents: number;
  /** The parts in which documents are found. */
  readonly chunks: number;
  /** Files that were left out. */
  readonly faults: number;
  /** Of the chunks, those that have a vector. Left out: the folder has no model for vectors. */
  readonly vectors?: number;
}
