import type { ConfirmWords, WordsByLanguage } from '../events/action-words.ts';
import type { Logger } from '../ports/logger.ts';
import type { SeenUser } from '../ports/seen-user.ts';
import type { CurrentPage } from '../request/turn-request.ts';
import type { ChannelName } from '../events/turn-event.ts';

/** Where a tool comes from. Policies differ by it: only declared actions are "undeclared writes" (contract/confirmations.md#which-actions-ask). */
export type ToolSource = 'action' | 'tool' | 'built-in' | 'page' | 'hosted' | 'mcp';

/** Who calls, as an action sees it (contract/plugins.md#actions). */
export type ToolUser = SeenUser;

/** The ways in by which calls of actions come without a turn (contract/mcp-server.md). */
export type DirectChannelName = 'mcp';

/** What a tool may know of the call it serves (contract/plugins.md#actions, `context`). */
export interface ToolContext {
  readonly user: ToolUser;
  /** Aborted by Stop, by the tool's own timeout and when the turn ends. */
  readonly signal: AbortSignal;
  /** The same across retries, so that a tool can use it as an idempotency key. */
  readonly callId: string;
  /** Null in a call that comes without a turn (contract/mcp-server.md#calls). */
  readonly turnId: string | null;
  readonly conversationId: string | null;
  readonly channel: ChannelName | DirectChannelName;
  readonly page: CurrentPage | undefined;
  /** The `Authorization` header the caller came with, for callbacks that are given it (contract/plugins.md#callbacks). Never logged. */
  readonly authorization?: string;
  /** The caller's W3C trace context, for callbacks. */
  readonly traceparent?: string;
  /** The trace context with the span of this call. It is sent unchanged. Absent where the turn is not traced. */
  readonly span?: string;
  /** The call was approved, by its user or by a rule. So a tool whose declaration others may change is run only as it was approved. */
  readonly isApproved?: true;
  readonly log: Logger;
  /** Shown as the feedback line while the tool runs. */
  readonly progress: (text: string) => void;
}

/** What a tool hands back: the data for the model, and what is shown or done beside it. */
export interface ToolResult {
  readonly value: unknown;
  /** The value is a list of `ContentPart`. */
  readonly isContent?: true;
  /** An Adaptive Card, not yet validated. */
  readonly card?: unknown;
  /** What the user's page is asked to do. The model is told the answer of the page (contract/plugins.md#actions). */
  readonly uiAction?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly navigate?: { readonly page: string; readonly params: Readonly<Record<string, unknown>> };
}

export type ArgumentCheck =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      /** One line per fault, naming the argument: read by the model. */
      readonly faults: readonly string[];
      /** The same faults as the rules of the schema that are broken. The words that a user reads are made from them. */
      readonly brokenRules?: readonly BrokenRule[];
    };

/** A rule of a JSON Schema that an argument breaks. */
export interface BrokenRule {
  /** Like `lines[0].amount`; empty for the arguments as a whole. */
  readonly path: string;
  /** The keyword of the rule in JSON Schema: `minLength`, `enum`, … */
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
  /** The question in the action's own words, in `language`. Left out, the question has the title. */
  readonly confirm?: ConfirmWords;
  /** The words in further languages. */
  readonly languages?: WordsByLanguage;
  /** The language of the server, where the words are in it. */
  readonly language?: string;
  /** What users say when they want the tool. */
  readonly examples?: readonly string[];
  /** JSON Schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The `$schema` of the parameters, as declared. Models are not told it, because some providers refuse it. */
  readonly dialect?: string;
  readonly source: ToolSource;
  /** As declared; undefined when the author said nothing. */
  readonly readOnly: boolean | undefined;
  /** As declared; undefined when the author said nothing. */
  readonly requiresConfirmation: boolean | undefined;
  /** The tool is declared to do what cannot be undone. `requiresConfirmation` is then true, and no rule answers for the user. */
  readonly destructive?: boolean;
  /** The operator says that a tool of an MCP server only reads. What the server says of that is not verified. */
  readonly vouchedReadOnly?: true;
  /** The tool is declared to return only what its author vouches for (contract/provenance.md#origins). */
  readonly trusted?: true;
  /** Whether the user may change the arguments before approving (contract/confirmations.md#answering). */
  readonly editable: boolean;
  /** A user needs only one of these roles. Empty: everybody may run the tool. */
  readonly requiredRoles: readonly string[];
  /** Globs of the tenants whose users may run the tool. Empty or left out: the users of every tenant. */
  readonly tenants?: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** The plugin that owns the tool, `callback:NAME` or `mcp:NAME`. Logs name it, and some policies apply only to the actions of one owner. */
  readonly owner: string;
  /**
   * Whether a call may be made twice under one call id: the system behind the tool answers a known id with the stored
   * result.
   */
  readonly repeatable?: boolean;
  /** A call of the tool hands over to other agents, which run in the same turn. Nothing else is run. */
  readonly handsOver?: true;
  /**
   * Identifies what is declared of the tool. An approval holds only while it stays the same. Left out, the declaration changes only when
   * the operator changes it.
   */
  readonly fingerprint?: string;
  /**
   * Whether the tool is still declared as it is here. A call that its user has approved does not run otherwise. Left out, the tool itself
   * looks when it runs, or its declaration stays the same for as long as the server runs.
   */
  readonly isCurrent?: () => boolean;
  /** Whether an abandoned run has certainly done nothing. When the method is left out, nobody knows. */
  isUntouched?(): boolean;
  checkArguments(value: unknown): ArgumentCheck;
  /**
   * May throw. An error that is none of the faults in `tool-faults.ts` is the tool's own exception
   * (contract/errors.md#faults-of-actions, `onException`).
   */
  execute(argumentsValue: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}
