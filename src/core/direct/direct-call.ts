import type { RepeatedCall } from '../confirmations/confirmation-request.ts';
import type { ActionStatus } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { ContentPart } from '../tools/content-part.ts';
import type { LogLine } from '../ports/logger.ts';
import type { DirectChannelName } from '../tools/tool.ts';

/** An action that a caller may call without a turn. */
export interface OfferedAction {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of type object, with its `$schema` where the action declares one. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  /** The user is asked on a page before the action runs. */
  readonly asks: boolean;
  readonly destructive: boolean;
}

/** Who calls, and how. */
export interface DirectCaller {
  readonly channel: DirectChannelName;
  /** The user whose roles decide, and whom the action sees. */
  readonly principal: Principal;
  /** For whom calls are counted. */
  readonly counted: Principal;
  /** The caller's own `Authorization` header, for callbacks that pass it on. Never kept, never logged. */
  readonly authorization?: string | undefined;
  readonly traceparent?: string | undefined;
  /** The trace context of the span that stands for the call. Undefined where calls are not traced. */
  readonly span?: string | undefined;
  /** Whether the user can be asked on a page (contract/mcp-server.md#confirmations). Nobody asks a caller who is not signed in. */
  readonly canConfirm: boolean;
  /** A hash of the token of the caller. Whoever answers a question of this caller must have signed in with another token. */
  readonly credential?: string | undefined;
  /** What the calling program is called, as it says itself or as its token names it. Never trusted. */
  readonly program?: string | undefined;
}

/** One call of an action by its caller's own model. */
export interface DirectCall {
  readonly name: string;
  readonly argumentsValue: unknown;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
  /** Gets each line that the action logs until it has ended. Left out, the lines are in the log of the server alone. */
  readonly logged?: ((line: LogLine) => void) | undefined;
  /** The question that an earlier call of the same action was answered with, as the client names it. Never trusted. */
  readonly question?: string | undefined;
  /** What the client says that its user did with the address of that question. */
  readonly reply?: 'opened' | 'declined' | 'dismissed' | undefined;
}

/** A question that waits for its user on a page of this server. */
export interface WaitingQuestion {
  readonly actionId: string;
  readonly title: string;
  /** The user has opened the page already, as far as the client knows. */
  readonly isOpened: boolean;
  /** How far the same call of this user has come before. */
  readonly repeats: RepeatedCall | undefined;
}

/**
 * What came of a call: the result after `onToolResult`, as text and, where it is an object, as data; or what the model is told in its
 * place; or a question that its user has to answer first.
 */
export type DirectOutcome =
  | {
      readonly status: 'succeeded';
      readonly text: string;
      readonly data?: Readonly<Record<string, unknown>> | undefined;
      /** The result in parts, where the action has made it of some. */
      readonly content?: readonly ContentPart[] | undefined;
    }
  | { readonly status: ActionStatus; readonly told: string }
  | { readonly status: 'waiting'; readonly question: WaitingQuestion }
  /** The client names a question that is not one of this user about this call. */
  | { readonly status: 'unknown-question' };

/** An outcome that ends a call. */
export type EndedOutcome = Extract<DirectOutcome, { readonly text: string } | { readonly told: string }>;
