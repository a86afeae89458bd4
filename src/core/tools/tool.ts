import type { Logger } from '../ports/logger.ts';
import type { SeenUser } from '../ports/seen-user.ts';
import type { CurrentPage } from '../request/turn-request.ts';
import type { ChannelName } from '../events/turn-event.ts';

/** Where a tool comes from. Policies differ by it: only declared actions are "undeclared writes" (contract/confirmations.md#which-actions-ask). */
export type ToolSource = 'action' | 'tool' | 'built-in' | 'page' | 'hosted';

/** Who calls, as an action sees it (contract/plugins.md#actions). */
export type ToolUser = SeenUser;

/** What a tool may know of the call it serves (contract/plugins.md#actions, `context`). */
export interface ToolContext {
  readonly user: ToolUser;
  /** Aborted by Stop, by the tool's own timeout and when the turn ends. */
  readonly signal: AbortSignal;
  /** Stable across retries: an idempotency key. */
  readonly callId: string;
  readonly turnId: string;
  readonly conversationId: string;
  readonly channel: ChannelName;
  readonly page: CurrentPage | undefined;
  /** The `Authorization` header the caller came with, for callbacks that are given it (contract/plugins.md#callbacks). Never logged. */
  readonly authorization?: string;
  /** The caller's W3C trace context, for callbacks. */
  readonly traceparent?: string;
  /** The same with the span that stands for this call: it goes out as it is. Absent where no turn is followed. */
  readonly span?: string;
  readonly log: Logger;
  /** Shown as the feedback line while the tool runs. */
  readonly progress: (text: string) => void;
}

/** What a tool hands back: the data for the model, and what is shown or done beside it. */
export interface ToolResult {
  readonly value: unknown;
  /** An Adaptive Card, not yet validated. */
  readonly card?: unknown;
  /** What the user's page is asked to do; its answer is what the model is told (contract/plugins.md#actions). */
  readonly uiAction?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly navigate?: { readonly page: string; readonly params: Readonly<Record<string, unknown>> };
}

export type ArgumentCheck =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      /** One line per fault, naming the argument: read by the model. */
      readonly faults: readonly string[];
      /** The same faults by the rules of the schema that are broken, for words that a user reads. */
      readonly brokenRules?: readonly BrokenRule[];
    };

/** A rule of a JSON Schema that an argument breaks. */
export interface BrokenRule {
  /** Like `lines[0].amount`; empty for the arguments as a whole. */
  readonly path: string;
  /** As JSON Schema calls it: `minLength`, `enum`, … */
  readonly keyword: string;
  /** What the rule allows. */
  readonly limit?: string;
}

/** Anything the model may call. Stateless. */
export interface Tool {
  readonly name: string;
  /** For people; falls back to the name with spaces. */
  readonly title: string;
  readonly description: string;
  /** What users say when they want it. */
  readonly examples?: readonly string[];
  /** JSON Schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly source: ToolSource;
  /** As declared; undefined when the author said nothing. */
  readonly readOnly: boolean | undefined;
  /** As declared; undefined when the author said nothing. */
  readonly requiresConfirmation: boolean | undefined;
  /** Declared to do what cannot be undone: then `requiresConfirmation` is true, and no rule answers for the user. */
  readonly destructive?: boolean;
  /** Declared to return only what its author vouches for (contract/provenance.md#origins). */
  readonly trusted?: true;
  /** Whether the user may change the arguments before approving (contract/confirmations.md#answering). */
  readonly editable: boolean;
  /** Any one of them suffices; empty means everybody. */
  readonly requiredRoles: readonly string[];
  /** Globs of the tenants whose users it is for; empty or left out, everybody's. */
  readonly tenants?: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** The plugin that owns it, or `callback:NAME`: for policies that reach only their own actions, and for logs. */
  readonly owner: string;
  /**
   * Whether a call may be made twice under one call id: the system behind the tool answers a known id with the stored
   * result.
   */
  readonly repeatable?: boolean;
  /** Whether a run that nobody waits for any more has certainly done nothing. Left out, nobody knows. */
  isUntouched?(): boolean;
  checkArguments(value: unknown): ArgumentCheck;
  /** May throw: but for the faults of `tool-faults.ts` it is the tool's own exception (contract/errors.md#faults-of-actions, `onException`). */
  execute(argumentsValue: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}
