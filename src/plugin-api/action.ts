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
): ActionDefinition<Arguments> {
  return action;
}
