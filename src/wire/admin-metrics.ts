/** What is summed up for the whole range, and again for each hour of it, or each step of five minutes. */
export interface MetricTotals {
  readonly turns: number;
  /** Tokens of all calls of models, as the providers counted them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input tokens, those that providers have read from their cache, as far as they say. */
  readonly cachedInputTokens: number;
  /** What the calls of models with a price have cost; null when none of those that were called has one. */
  readonly cost: number | null;
  /** Messages that were refused and replies that were withheld because of what stands in them. */
  readonly guardrailBlocks: number;
  /** Messages, requests, connections and turns that were too many of one caller. */
  readonly rateLimited: number;
  /** Turns that failed. Those that were refused are not among them. */
  readonly errors: number;
}

/** What went wrong, by where to look. `limit`: a turn was refused; `access`: a credential or its bearer was. */
export const errorKinds = ['model', 'timeout', 'tool', 'limit', 'access', 'server'] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** Milliseconds; each is null when there was nothing to measure, and within 10 % of the true value. */
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
  /** Cost by model, of the models with a price alone. */
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
  /** Null: the action is not offered any more. */
  readonly readOnly: boolean | null;
  /** Where it comes from, such as `plugin order-desk`; null: it is not offered any more. */
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
  /** From the question to the user's answer. */
  readonly medianMs: number | null;
}

/** What users said when they were asked about one action. */
export interface ActionConfirmations extends ConfirmationFigures {
  readonly action: string;
}

/** The connections of a channel. */
export interface ConnectionFigures {
  readonly channel: string;
  /** Most at a time. */
  readonly peak: number;
  readonly opened: number;
  /** Clients that came back: to their line, or to their turn on a new connection. */
  readonly returned: number;
  /** How long those lasted that ended in the range, on average, in milliseconds; null when none did. */
  readonly averageMs: number | null;
}

/** Conversations that were saved or put back; `refused` has a reason. */
export interface SnapshotFigures {
  readonly what: 'saved' | 'restored' | 'refused';
  readonly reason: string | null;
  readonly count: number;
}

/** A callback by what its calls came to. */
export interface CallbackFigures {
  readonly callback: string;
  readonly answered: number;
  readonly failed: number;
  /** Not asked, because it failed too often. */
  readonly paused: number;
}

/** Something that was refused or went wrong, and how often. */
export interface CountedFault {
  readonly kind: ErrorKind;
  /** A code of a turn, a reason of the security log, or `failed` and `unknown` of actions. */
  readonly code: string;
  readonly count: number;
}

/** What was counted in a range. */
export interface RangeFigures {
  /** The range in whole hours, or steps: when its first one began, and the end of its last one. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds between two entries of `hourly`: those of an hour, or of five minutes. */
  readonly stepMs: number;
  readonly totals: MetricTotals;
  /** Every hour of the range, or every step, also those in which nothing happened. */
  readonly hourly: readonly HourlyFigures[];
  readonly models: readonly ModelFigures[];
  readonly actions: readonly Omit<ActionFigures, 'readOnly' | 'from'>[];
  readonly channels: readonly { readonly channel: string; readonly turns: number }[];
  readonly confirmations: ConfirmationFigures;
  /** The same by action. What an earlier version has counted is not here. */
  readonly actionConfirmations: readonly ActionConfirmations[];
  readonly latency: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
    /** The median from the message to the first text. */
    readonly firstTokenMs: number | null;
  };
  /** Searches for documents, each source counted; `hitRate` is the share of those that found any, null without a search. */
  readonly rag: { readonly searches: number; readonly hitRate: number | null };
  readonly faults: readonly CountedFault[];
  readonly limited: readonly { readonly what: string; readonly count: number }[];
  readonly callbacks: readonly CallbackFigures[];
  /** Most connections at a time, by channel. */
  readonly peaks: readonly { readonly channel: string; readonly connections: number }[];
  readonly connections: readonly ConnectionFigures[];
  readonly snapshots: readonly SnapshotFigures[];
  /** Files of messages that did not reach the model. */
  readonly files: readonly { readonly reason: string; readonly count: number }[];
}

/** How things stand at this moment. */
export interface LiveFigures {
  readonly connections: number;
  /** The same by channel, with how long they have been open on average. */
  readonly channels: readonly {
    readonly channel: string;
    readonly connections: number;
    readonly averageAgeMs: number;
  }[];
  readonly turns: number;
  /** Questions that wait for a user, and since when the oldest does. */
  readonly questions: { readonly count: number; readonly oldestAt: string | null };
  readonly storage: {
    readonly type: string;
    readonly state: 'ok' | 'failed';
    /** When figures were last stored; null: not since the start. */
    readonly savedAt: string | null;
    readonly retentionMs: number;
  };
  /** Callbacks, as `/readyz` has them. */
  readonly callbacks: readonly { readonly callback: string; readonly state: 'ok' | 'degraded' | 'failed' }[];
}

/** The body of `GET /helper/admin/metrics` (contract/operations.md#dashboard). It holds counts and names, and nothing that users wrote. */
export interface AdminMetrics extends Omit<RangeFigures, 'actions'> {
  /** Whose figures these are; null: all callers' together. A tenant is told no warnings, and of callbacks those that it has called. */
  readonly tenant: string | null;
  readonly actions: readonly ActionFigures[];
  readonly live: LiveFigures;
  readonly server: {
    readonly version: string;
    readonly startedAt: string;
    readonly configuration: string;
    /** Settings that are on, as they are written in the configuration. */
    readonly options: readonly string[];
    /** What the server has warned of when it started (docs/reference/warnings.md). */
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
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
  'limited',
  'files',
  'connections',
  'snapshots',
  'callbacks',
] as const;
export type CsvTable = (typeof csvTables)[number];
