import type {
  ActionErrorCode,
  LeftOutReason,
  PartErrorCode,
  TurnErrorCode,
  TurnWarningCode,
} from '../errors/error-codes.ts';
import type { ConfirmWords, WordsByLanguage } from './action-words.ts';
import type { Origin } from './origin.ts';

/** Inbound ways to a turn (contract/events.md#one-sequence). */
export type ChannelName = 'hub' | 'sse' | 'in-process' | 'openai' | 'a2a' | 'agui';

/** How a tool call ended (contract/events.md#members). `unknown`: it may or may not have run, and the user is told to check. */
export type ActionStatus = 'succeeded' | 'failed' | 'declined' | 'refused' | 'cancelled' | 'unknown';

/** How a confirmation ended: exactly one of these, exactly once (contract/confirmations.md). */
export type ConfirmationOutcome = 'approved' | 'declined' | 'expired' | 'cancelled';

/** Who decided a confirmation (contract/events.md#members, `by`). */
export type ConfirmationDecider = 'user' | 'rule' | 'system';

/** How a turn ended (contract/events.md#members). */
export type TurnStatus = 'completed' | 'stopped' | 'refused' | 'failed';

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The model that answered, as the provider names it. */
  readonly model: string;
}

/** One line of a confirmation box: the raw JSON value under the parameter's title or name. */
export interface ConfirmationArgument {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  /** The schema of the action says that the value is a day or a moment (RFC 3339). */
  readonly format?: 'date' | 'date-time';
  /** The value stands in no message of the user and in no trusted result. */
  readonly notFromUser?: true;
  /** The action does not declare this argument: its schema leaves names open, and whoever asks has chosen the name. */
  readonly undeclared?: true;
}

/** A text that the model has read, as a question names it. */
export interface Influence {
  readonly origin: Origin;
  /** The name by which people know the document, the action or the page. */
  readonly title?: string;
  /**
   * Nobody is shown it as a source: a page without data, or a server of which the model has read nothing but what it says of its tools. It
   * still influences.
   */
  readonly silent?: true;
}

/** A text that the model has read, and what of a call stands in it. */
export interface AskedInfluence extends Influence {
  /** The arguments with a value that stands in the text, and in nothing that the user or a trusted source has given. */
  readonly foundIn?: readonly string[];
}

/**
 * Why a call asks first (contract/confirmations.md#which-actions-ask): an undeclared write, declared by the action, matched by a policy, a
 * tool of an MCP server or of the provider, or a call whose values the user has not given.
 */
export type ConfirmationReason = 'write' | 'declared' | 'policy' | 'mcp' | 'hosted' | 'influenced';

export interface ConfirmationRequest {
  readonly actionId: string;
  readonly callId: string;
  readonly action: string;
  readonly title: string;
  readonly description: string;
  /** The question in the words of the action. Left out, it has the title. */
  readonly confirm?: ConfirmWords;
  /** The same in the other languages of the action. */
  readonly languages?: WordsByLanguage;
  readonly arguments: readonly ConfirmationArgument[];
  readonly agent: string;
  readonly reason: ConfirmationReason;
  readonly canRemember: boolean;
  readonly editable: boolean;
  /** The effect of the call cannot be undone. Absent when this was not declared. */
  readonly destructive?: true;
  /** RFC 3339; absent when confirmations do not expire. */
  readonly expiresAt?: string;
  /** The sources of the untrusted text that the model has read. Absent when all text is trusted. */
  readonly influencedBy?: readonly AskedInfluence[];
  /** The same action with the same arguments was asked for before, a moment ago. */
  readonly repeats?: Repeated;
}

/** How far the same action with the same arguments has come: it was done, it was tried and may have taken effect, or it is open. */
export interface Repeated {
  readonly state: 'done' | 'tried' | 'open';
  /** RFC 3339. */
  readonly at: string;
}

/** What became of a call that would change something, by the journal (contract/events.md#members). */
export interface Receipt {
  readonly callId: string;
  readonly action: string;
  readonly title: string;
  readonly status: ActionStatus;
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

/** The kind of a document, for clients that draw its citation (contract/knowledge.md#citations). */
export type SourceKind = 'document' | 'web' | 'file';

/** A document that a reply is based on. */
export interface CitedSource {
  /** The number by which the reply cites the document: 1 stands for `[1]`. */
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  /** The score on the scale of the source that found the document. */
  readonly score: number;
  readonly kind: SourceKind;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly excerpt?: Excerpt;
}

/** A part of a document, as text. The passage that a reply goes by is marked. */
export interface Excerpt {
  readonly text: string;
  /** Where the passage begins and ends in `text`, in UTF-16 code units. Both are 0 where there is none. */
  readonly from: number;
  readonly to: number;
}

/** What kind of agent works, beside the coordinator. */
export type AgentKind = 'specialist' | 'team' | 'remote';

/**
 * What happens in a turn, in order (contract/events.md#order). Property names are those of the wire, so that an event is serialised
 * once and every channel frames the same JSON. `type` is ours: each channel maps it to its own name or leaves it out.
 */
export type TurnEvent =
  | {
      readonly type: 'turn-started';
      readonly conversationId: string;
      /** The model that the message is put to. Left out while somebody is still to be asked which model that is. */
      readonly model?: string;
      readonly warnings?: readonly {
        readonly code: TurnWarningCode;
        readonly name?: string;
        readonly reason?: LeftOutReason;
      }[];
    }
  | { readonly type: 'text-delta'; readonly text: string; readonly agent: string }
  /** What the model has thought before the text or the calls that follow. No conversation keeps it, and no model is sent it. */
  | { readonly type: 'thought-ready'; readonly text: string; readonly agent: string }
  /** The whole reply so far is replaced. */
  | { readonly type: 'text-replaced'; readonly text: string }
  | {
      readonly type: 'action-executing';
      readonly callId: string;
      readonly action: string;
      readonly title: string;
      /** The title in the other languages of the action. */
      readonly titles?: Readonly<Record<string, string>>;
      readonly agent: string;
      /** Present for read-only actions only. */
      readonly arguments?: unknown;
    }
  | { readonly type: 'action-progress'; readonly callId: string; readonly text: string }
  | {
      readonly type: 'action-completed';
      readonly callId: string;
      readonly action: string;
      readonly status: ActionStatus;
      readonly durationMs: number;
      /** Present for a call that was refused because the user lacks a role. */
      readonly title?: string;
      /** Which role it needs, in the configured language. */
      readonly message?: string;
    }
  | ({ readonly type: 'confirmation-requested' } & ConfirmationRequest)
  | {
      readonly type: 'confirmation-resolved';
      readonly actionId: string;
      readonly outcome: ConfirmationOutcome;
      readonly by: ConfirmationDecider;
      /** All arguments that the call runs with. Absent when the user changed none. */
      readonly arguments?: Readonly<Record<string, unknown>>;
    }
  | {
      /** An agent other than the coordinator works on the message (contract/agents.md#who-speaks). */
      readonly type: 'agent-activity';
      readonly agent: string;
      readonly kind: AgentKind;
      readonly phase: 'started' | 'speaking' | 'finished' | 'failed';
      /** Counts the rounds of a team from 1. Absent where there are no rounds. */
      readonly round?: number;
    }
  | { readonly type: 'navigation-requested'; readonly page: string; readonly url: string; readonly title: string }
  | { readonly type: 'card-ready'; readonly cardId: string; readonly card: unknown }
  | { readonly type: 'rag-sources-ready'; readonly sources: readonly CitedSource[] }
  | {
      readonly type: 'turn-completed';
      readonly status: TurnStatus;
      /** The text that the user was shown. */
      readonly text: string;
      readonly code?: TurnErrorCode;
      readonly usage: TokenUsage;
      readonly durationMs: number;
      /** Present for a turn that ran, tried or was refused a call that would change something. */
      readonly receipts?: readonly Receipt[];
    }
  | {
      readonly type: 'error-occurred';
      readonly code: TurnErrorCode | ActionErrorCode | PartErrorCode;
      /** In the configured language. */
      readonly message: string;
      readonly retryable: boolean;
      readonly budget?: RemainingBudget;
      /** Seconds after which the same message is let through. Only for `rate_limited`. */
      readonly retryAfter?: number;
      /** Why a part of the message was left out. Only for the codes of `TurnStarted.warnings`. */
      readonly reason?: LeftOutReason;
    };

export type TurnEventType = TurnEvent['type'];

/** An event as it was numbered and serialised once; `json` is `{"turnId":…,"seq":…,…fields}` without `type`. */
export interface RecordedEvent {
  readonly seq: number;
  readonly type: TurnEventType;
  readonly json: string;
}
