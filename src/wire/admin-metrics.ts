/** Figures that are summed up for the whole range, and for each hour or each step of five minutes. */
export interface MetricTotals {
  readonly turns: number;
  /** Tokens of all calls of models, as the providers counted them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input tokens that providers have read from their cache, as far as providers report it. */
  readonly cachedInputTokens: number;
  /** The cost of the calls of models with a price. Null when none of the called models has a price. */
  readonly cost: number | null;
  /** Messages that were refused, and replies that were withheld, because of their content. */
  readonly guardrailBlocks: number;
  /** Messages, requests, connections and turns that were refused because one caller had too many. */
  readonly rateLimited: number;
  /** Turns that failed. Refused turns are not included. */
  readonly errors: number;
  /** Replies that users rated. A rating that was changed counts as another one. */
  readonly goodRatings: number;
  readonly badRatings: number;
}

/** Kinds of errors, by the place to look for their cause. `limit`: a turn was refused. `access`: a credential or its user was refused. */
export const errorKinds = ['model', 'timeout', 'tool', 'limit', 'access', 'server'] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** Milliseconds, within 10 % of the true value. Null when there was nothing to measure. */
export interface HourlyLatency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly firstTokenP50: number | null;
  readonly firstTokenP95: number | null;
}

export interface HourlyFigures extends MetricTotals {
  /** When the hour, or the step, began. */
  readonly at: string;
  /** Turns by channel. */
  readonly channels: Readonly<Record<string, number>>;
  /** Cost by model. Models without a price are left out. */
  readonly costs: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<ErrorKind, number>>;
  readonly latency: HourlyLatency;
}

export interface ModelFigures {
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Null: `modelPricing` has no price for it. */
  readonly cost: number | null;
  readonly errors: number;
  /** Milliseconds of a call. */
  readonly p95: number | null;
}

export interface ActionFigures {
  readonly action: string;
  readonly calls: number;
  readonly failures: number;
  readonly declined: number;
  /** Milliseconds of a run, without the wait for its confirmation. */
  readonly p95: number | null;
  /** Null when the action is no longer offered. */
  readonly readOnly: boolean | null;
  /** The source of the action, such as `plugin order-desk`. Null when the action is no longer offered. */
  readonly from: string | null;
}

export interface ConfirmationFigures {
  /** Questions that were put to a user. */
  readonly asked: number;
  readonly approved: number;
  readonly declined: number;
  readonly expired: number;
  readonly cancelled: number;
  /** Approved by a rule, without a question. */
  readonly byRule: number;
  /** The median time from a question to the user's answer, in milliseconds. */
  readonly medianMs: number | null;
}

/** What users said when they were asked about one action. */
export interface ActionConfirmations extends ConfirmationFigures {
  readonly action: string;
}

/** The connections of a channel. */
export interface ConnectionFigures {
  readonly channel: string;
  /** The most connections at the same time. */
  readonly peak: number;
  readonly opened: number;
  /** Clients that came back, either to their connection or to their turn on a new connection. */
  readonly returned: number;
  /** The average duration of the connections that ended in the range, in milliseconds. Null when none ended. */
  readonly averageMs: number | null;
}

/** Conversations that were saved or restored. `refused` has a reason. */
export interface SnapshotFigures {
  readonly what: 'saved' | 'restored' | 'refused';
  readonly reason: string | null;
  readonly count: number;
}

/** The results of the calls to one callback. */
export interface CallbackFigures {
  readonly callback: string;
  readonly answered: number;
  readonly failed: number;
  /** Calls that were not made, because the callback had failed too often. */
  readonly paused: number;
}

/** Something that was refused or went wrong, and how often. */
export interface CountedFault {
  readonly kind: ErrorKind;
  /** A code of a turn, a reason of the security log, or `failed` and `unknown` of actions. */
  readonly code: string;
  readonly count: number;
}

/** How often calls of a model have failed for the same reason. */
export interface ModelFaultFigures {
  readonly model: string;
  readonly provider: string;
  /** Such as `model_unavailable`. */
  readonly error: string;
  /** The HTTP status of the provider; null where it has not answered. */
  readonly status: number | null;
  /** The provider's own code; null where it has told none. */
  readonly code: string | null;
  readonly count: number;
}

/** A turn that took long or cost much. Nothing that was said in it. */
export interface TurnFigures {
  /** As the log and the traces name it. */
  readonly turnId: string;
  /** When it ended. */
  readonly at: string;
  readonly channel: string;
  readonly status: 'completed' | 'stopped' | 'refused' | 'failed';
  readonly durationMs: number;
  /** The model that answered last, as its provider names it. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By the price of that model, when the turn ended. Null: it has no price. */
  readonly cost: number | null;
}

/** One entry of `budgets`, and what is taken of it in the running window, in its unit. */
export interface BudgetFigures {
  readonly per: 'user' | 'role' | 'conversation' | 'day';
  readonly role: string | null;
  readonly unit: 'tokens' | 'cost';
  readonly limit: number;
  readonly windowMs: number;
  readonly whenUsedUp: 'refuse' | 'downgrade';
  /** Null: each user, each conversation or each tenant spends by itself, so there is no one figure. */
  readonly spent: number | null;
  /** For calls that are under way. */
  readonly held: number | null;
  /** When the window ends, or would end if it began now. */
  readonly resetsAt: string | null;
}

/** What was counted in a range. */
export interface RangeFigures {
  /** The beginning of the first and the end of the last hour, or step, of the range. */
  readonly from: string;
  readonly to: string;
  /** The time between two entries of `hourly` in milliseconds: an hour or five minutes. */
  readonly stepMs: number;
  readonly totals: MetricTotals;
  /** Every hour or step of the range. Hours without any event are included. */
  readonly hourly: readonly HourlyFigures[];
  readonly models: readonly ModelFigures[];
  readonly actions: readonly Omit<ActionFigures, 'readOnly' | 'from'>[];
  readonly channels: readonly { readonly channel: string; readonly turns: number }[];
  readonly confirmations: ConfirmationFigures;
  /** The confirmations by action. Figures that an earlier version has counted are not included. */
  readonly actionConfirmations: readonly ActionConfirmations[];
  readonly latency: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
    /** The median time from the message to the first text. */
    readonly firstTokenMs: number | null;
  };
  /** Searches for documents, counted for each source. `hitRate` is the share of searches that found a document; null without a search. */
  readonly rag: { readonly searches: number; readonly hitRate: number | null };
  readonly faults: readonly CountedFault[];
  readonly modelFaults: readonly ModelFaultFigures[];
  readonly limited: readonly { readonly what: string; readonly count: number }[];
  readonly callbacks: readonly CallbackFigures[];
  /** The most connections at the same time, by channel. */
  readonly peaks: readonly { readonly channel: string; readonly connections: number }[];
  readonly connections: readonly ConnectionFigures[];
  readonly snapshots: readonly SnapshotFigures[];
  /** Files in messages that did not reach the model. */
  readonly files: readonly { readonly reason: string; readonly count: number }[];
  /** Ten turns each, of the last 24 hours of this process. Refused turns are left out. */
  readonly slowest: readonly TurnFigures[];
  readonly dearest: readonly TurnFigures[];
}

/** What there is in a folder of documents. */
export interface FolderFigures {
  readonly source: string;
  readonly documents: number;
  /** Documents that cannot be read, or are too large. */
  readonly leftOut: number;
  /** Files of kinds that are not read. */
  readonly passedOver: number;
  /** The first 20 of both, by their names in the folder, which are cut where they are long. */
  readonly files: readonly {
    readonly file: string;
    /** Completes a sentence that begins with "it". */
    readonly reason: string;
  }[];
}

/** The present state. */
export interface LiveFigures {
  readonly connections: number;
  /** The connections by channel, and the average time since they were opened. */
  readonly channels: readonly {
    readonly channel: string;
    readonly connections: number;
    readonly averageAgeMs: number;
  }[];
  readonly turns: number;
  /** The number of questions that wait for a user, and the time of the oldest one. */
  readonly questions: { readonly count: number; readonly oldestAt: string | null };
  readonly storage: {
    readonly type: string;
    readonly state: 'ok' | 'failed';
    /** The time when figures were last stored; null when that has not happened since the start. */
    readonly savedAt: string | null;
    readonly retentionMs: number;
  };
  /** The callbacks and their states, as in `/readyz`. */
  readonly callbacks: readonly { readonly callback: string; readonly state: 'ok' | 'degraded' | 'failed' }[];
  /** The MCP servers and the agents on other servers, and how they are doing. */
  readonly mcpServers: readonly RemoteFigures[];
  readonly agents: readonly RemoteFigures[];
  /** The folders of documents that are searched. */
  readonly folders: readonly FolderFigures[];
  readonly killSwitch: KillSwitchFigures;
  /** The budgets that apply to the callers of these figures. */
  readonly budgets: readonly BudgetFigures[];
}

/** Something that this server connects to. */
export interface RemoteFigures {
  readonly name: string;
  readonly state: 'connecting' | 'connected' | 'failed' | 'disabled';
}

/** What the operator refuses now (contract/operations.md#kill-switch). */
export interface KillSwitchFigures {
  /** All actions that change something. */
  readonly writes: boolean;
  /** Patterns of the names of further actions. */
  readonly tools: readonly string[];
  /** Writes are refused from this page, and not only by the configuration. */
  readonly isSetHere: boolean;
  /** Whether the caller may set it from this page. */
  readonly canSet: boolean;
}

/** The body of `POST /helper/admin/kill-switch`. */
export interface KillSwitchBody {
  readonly writes: boolean;
}

/** The body of `GET /helper/admin/metrics` (contract/operations.md#dashboard). It holds counts and names, and nothing that users wrote. */
export interface AdminMetrics extends Omit<RangeFigures, 'actions'> {
  /**
   * The tenant of these figures; null for the figures of all callers. The figures of a tenant have no warnings, no folders, and only the
   * callbacks that the tenant has called. MCP servers and agents are left out of them too.
   */
  readonly tenant: string | null;
  readonly actions: readonly ActionFigures[];
  readonly live: LiveFigures;
  readonly server: {
    readonly version: string;
    /** The currency of all costs (ISO 4217); null: it is not configured. */
    readonly currency: string | null;
    readonly startedAt: string;
    readonly configuration: string;
    /** Settings that are on, as they are written in the configuration. */
    readonly options: readonly string[];
    /** The warnings that the server gave when it started (docs/reference/warnings.md). */
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
    /** Whether the caller may read `GET /helper/admin/security-log`. */
    readonly hasSecurityLog: boolean;
  };
}

/** The tables that can be asked for as CSV. */
export const csvTables = [
  'hourly',
  'models',
  'actions',
  'channels',
  'confirmations',
  'actionConfirmations',
  'faults',
  'modelFaults',
  'limited',
  'files',
  'connections',
  'snapshots',
  'callbacks',
  'folders',
  'leftOut',
  'slowest',
  'dearest',
  'budgets',
] as const;
export type CsvTable = (typeof csvTables)[number];
