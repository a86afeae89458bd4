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
  readonly turnId: string;
  readonly conversationId: string;
  readonly channel: 'hub' | 'sse' | 'in-process';
  readonly page: ActionPage | undefined;
  readonly log: ActionLog;
  /** Shown to the user as the feedback line while the action runs. */
  readonly progress: (text: string) => void;
}

/** A capability of the host application that the assistant may call (contract/plugins.md#actions). */
export interface ActionDefinition<Arguments = Record<string, unknown>> {
  /** The tool name: `^[a-z][a-z0-9_]{0,63}$`, unique in the whole server. */
  readonly name: string;
  /** For people; the name with spaces when left out. */
  readonly title?: string;
  /** What the model reads to decide, and what the user reads in the confirmation box. */
  readonly description: string;
  /** Arguments are checked against it before anything else happens. */
  readonly parameters: ParametersSchema;
  /** Declares that the action changes nothing. One that declares neither this nor `requiresConfirmation` asks first. */
  readonly readOnly?: boolean;
  readonly requiresConfirmation?: boolean;
  /**
   * Says that what it does cannot be undone. It always asks, whatever rules there are, and the question says so. Not beside
   * `readOnly: true` or `requiresConfirmation: false`.
   */
  readonly destructive?: boolean;
  /** Lets the user change the arguments in the confirmation box; what comes back is checked like the model's own. */
  readonly editable?: boolean;
  /**
   * Says that nobody but you can write into what it returns, and into the messages of its errors. Where the model has read anything
   * else, calls that ask are answered by the user and by no rule. A parameter with `sink: true` in its schema says where something goes,
   * such as a recipient: a value that neither the user nor a trusted result has given is asked about.
   */
  readonly trusted?: boolean;
  /** Any one of them suffices. Refused for anonymous callers. */
  readonly requiredRoles?: readonly string[];
  /** Globs of the tenants whose users are offered it; left out or empty, every tenant's are. Nobody without a tenant is. */
  readonly tenants?: readonly string[];
  /** What users say when they want it, in their words: tools are found by it, and the demo page has each as a button. */
  readonly examples?: readonly string[];
  /** A duration such as `30s`. Default `60s`. */
  readonly timeout?: string;
  /** Any JSON value, or what `card`, `navigate` and `uiAction` make. May throw: the message goes through `onException`. */
  execute(args: Arguments, context: ActionContext): unknown;
}

/** Adds types to an action; returns it as it is. */
export function defineAction<Arguments = Record<string, unknown>>(
  action: ActionDefinition<Arguments>,
): ActionDefinition<Arguments> {
  return action;
}
