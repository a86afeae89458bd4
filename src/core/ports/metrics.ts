import type { TurnErrorCode } from '../errors/error-codes.ts';
import type { ActionStatus, ChannelName, ConfirmationOutcome, TokenUsage, TurnStatus } from '../events/turn-event.ts';
import type { SecuritySeries } from '../events/security-event.ts';

/**
 * What the core counts (contract/operations.md#metrics, `/metrics`). Called once per turn, call or connection, never per token. No label
 * comes from a user, a page or arguments: `action` is a registered tool name, `model` a configured one.
 */
export interface Metrics {
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
    readonly provider: string;
    readonly model: string;
    readonly durationMs: number;
    /** `undefined` when the call went well. */
    readonly error: string | undefined;
    readonly inputTokens: number;
    readonly outputTokens: number;
  }): void;
  /** `durationMs` includes the wait for the confirmation. */
  toolCalled(call: { readonly action: string; readonly status: ActionStatus; readonly durationMs: number }): void;
  /** One run of the action itself, without the wait for its confirmation. */
  toolRan(run: { readonly action: string; readonly durationMs: number }): void;
  /** One call of a callback, its retries included; `paused`: it was not asked because it failed too often. */
  callbackAsked(call: {
    readonly callback: string;
    readonly type: 'manifest' | 'action' | 'toolResult';
    readonly outcome: 'answered' | 'failed' | 'paused';
  }): void;
  confirmationRequested(): void;
  confirmationResolved(resolution: {
    readonly outcome: ConfirmationOutcome;
    readonly by: 'user' | 'rule' | 'system';
    readonly waitedMs: number;
  }): void;
  /**
   * One message or request too many (`rateLimitPerUser`, `endpoints.*.rateLimit`, `server.maxRequestsPerAddress`, uploads), or
   * one connection or running turn too many of one caller (`server.maxConnectionsPer…`, `server.maxTurnsPer…`).
   */
  rateLimited(what: 'message' | 'request' | 'connection' | 'turn'): void;
  /** One line of the security log. */
  securityEvent(event: SecuritySeries): void;
  /** The keys of the token issuer could not be read (contract/identity.md#tokens). */
  issuerFailed(): void;
  /** `change` is +1 or -1. */
  connectionsChanged(channel: ChannelName, change: 1 | -1): void;
  /** One commit to the disk, and how many changes waited for it. */
  storageCommitted(commit: { readonly changes: number; readonly durationMs: number }): void;
  /** Rows that were deleted because their time to be kept is over (`retention`). */
  purged(what: 'journal', rows: number): void;
  /** The storage could not do something; `thread`: one of its threads ended by itself. */
  storageFailed(what: 'write' | 'read' | 'probe' | 'thread'): void;
  /** One request was answered over HTTP. `route` is the pattern of its address, empty where there is none. */
  requestAnswered(answer: { readonly route: string; readonly status: number }): void;
  /** Shows at 0, from now on, what may be counted of something later. */
  expect(subject: MeteredSubject): void;
}

/** Something that is known by its name before anything of it is counted. */
export type MeteredSubject =
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string }
  | { readonly kind: 'callback'; readonly callback: string }
  | { readonly kind: 'route'; readonly route: string };

/** What goes on at this moment: it is read, not counted. */
export interface LiveNumbers {
  readonly runningTurns: Readonly<Record<ChannelName, number>>;
  /** Confirmations that wait for their answer. */
  readonly openQuestions: number;
  /** How long the oldest of them has waited; 0 without one. */
  readonly oldestQuestionMs: number;
}
