/** What is summed up for the whole range, and again for each hour. */
export interface MetricTotals {
  readonly turns: number;
  /** Tokens of all calls of models, as the providers counted them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What the calls of models with a price have cost; null when none of those that were called has one. */
  readonly cost: number | null;
  /** Always 0: this version has no guardrails. */
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
  /** When the hour began. */
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

/** What was counted in a range of hours. */
export interface RangeFigures {
  /** The range in whole hours: its first one, and the end of its last one. */
  readonly from: string;
  readonly to: string;
  readonly totals: MetricTotals;
  /** Every hour of the range, also those in which nothing happened. */
  readonly hourly: readonly HourlyFigures[];
  readonly models: readonly ModelFigures[];
  readonly actions: readonly Omit<ActionFigures, 'readOnly' | 'from'>[];
  readonly channels: readonly { readonly channel: string; readonly turns: number }[];
  readonly confirmations: ConfirmationFigures;
  readonly latency: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
    /** The median from the message to the first text. */
    readonly firstTokenMs: number | null;
  };
  /** This version searches no documents: 0 and null. */
  readonly rag: { readonly searches: number; readonly hitRate: number | null };
  readonly faults: readonly CountedFault[];
  readonly limited: readonly { readonly what: string; readonly count: number }[];
  readonly callbacks: readonly CallbackFigures[];
  /** Most connections at a time, by channel. */
  readonly peaks: readonly { readonly channel: string; readonly connections: number }[];
}

/** How things stand at this moment. */
export interface LiveFigures {
  readonly connections: number;
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
  readonly actions: readonly ActionFigures[];
  readonly live: LiveFigures;
  readonly server: { readonly version: string; readonly startedAt: string; readonly configuration: string };
}

/** The tables that can be asked for as CSV. */
export const csvTables = [
  'hourly',
  'models',
  'actions',
  'channels',
  'confirmations',
  'faults',
  'limited',
  'callbacks',
] as const;
export type CsvTable = (typeof csvTables)[number];
