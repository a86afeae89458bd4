import { setImmediate as nextLoop } from 'node:timers/promises';
import {
  type CountedFault,
  type ErrorKind,
  errorKinds,
  type HourlyFigures,
  type MetricTotals,
  type ModelFigures,
  type RangeFigures,
} from '../../wire/admin-metrics.ts';
import { guardrailCodes } from '../../core/guardrails/guardrail-block.ts';
import { percentile } from './durations.ts';
import { hoursAtOnce } from './hour-book.ts';
import {
  actionConfirmationsOf,
  callbacksOf,
  confirmationsOf,
  connectionsOf,
  counted,
  modelFaultsOf,
  searchesOf,
  snapshotsOf,
} from './range-tables.ts';
import { type HourValues, sumOf } from './stored-hour.ts';
import { Tally } from './tally.ts';

/** Prices for a million tokens, by model. */
export type ModelPrices = Readonly<Record<string, { readonly inputPer1M: number; readonly outputPer1M: number }>>;

/**
 * A range of hours, or of steps, of `stepMs` each. `from` is the beginning of the first one and `to` the end of the last one (epoch
 * milliseconds).
 */
export interface AskedRange {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Sums up the values of a range. Costs are computed with the current prices. */
export async function reportRange(
  hours: ReadonlyMap<number, HourValues>,
  { from, to, stepMs }: AskedRange,
  prices: ModelPrices,
): Promise<Omit<RangeFigures, 'slowest' | 'dearest'>> {
  const all = new Tally(sumOf(hours.values()));
  const ats = Array.from(
    { length: Math.max(0, Math.round((to - from) / stepMs)) },
    (_, index) => from + index * stepMs,
  );
  const hourly: HourlyFigures[] = [];
  for (const [index, at] of ats.entries()) {
    // Other work of the event loop, such as streams of chats, runs between the groups of hours.
    if (index % hoursAtOnce === 0) await nextLoop();
    hourly.push(hourlyOf(at, new Tally(hours.get(at) ?? new Map<string, number>()), prices));
  }
  const turnMs = all.buckets('turnMs');
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    stepMs,
    totals: totalsOf(all, prices),
    hourly,
    models: modelsOf(all, prices),
    actions: actionsOf(all),
    channels: all.names('turns').map((channel) => ({ channel, turns: all.sum('turns', channel) })),
    confirmations: confirmationsOf(all),
    actionConfirmations: actionConfirmationsOf(all),
    latency: {
      p50: percentile(turnMs, 0.5),
      p95: percentile(turnMs, 0.95),
      p99: percentile(turnMs, 0.99),
      firstTokenMs: percentile(all.buckets('firstTextMs'), 0.5),
    },
    rag: searchesOf(all),
    faults: faultsOf(all),
    modelFaults: modelFaultsOf(all),
    limited: counted(all, 'limited').map(([what, count]) => ({ what, count })),
    callbacks: callbacksOf(all),
    connections: connectionsOf(all),
    snapshots: snapshotsOf(all),
    files: counted(all, 'files').map(([reason, count]) => ({ reason, count })),
    peaks: all.names('peak').map((channel) => ({ channel, connections: all.highest('peak', channel) })),
  };
}

function totalsOf(tally: Tally, prices: ModelPrices): MetricTotals {
  return {
    turns: tally.sum('turns'),
    inputTokens: tally.sum('inputTokens'),
    outputTokens: tally.sum('outputTokens'),
    cachedInputTokens: tally.sum('cachedTokens'),
    cost: costOf(tally, prices),
    guardrailBlocks: blockedTurns(tally),
    rateLimited: tally.sum('limited'),
    errors: failedTurns(tally),
    goodRatings: tally.sum('feedback', 'good'),
    badRatings: tally.sum('feedback', 'bad'),
  };
}

function blockedTurns(tally: Tally): number {
  return guardrailCodes.reduce((sum, code) => sum + tally.sum('faults', code), 0);
}

function failedTurns(tally: Tally): number {
  return tally.names('turns').reduce((sum, channel) => sum + tally.sum('turns', channel, 'failed'), 0);
}

function hourlyOf(at: number, tally: Tally, prices: ModelPrices): HourlyFigures {
  const turnMs = tally.buckets('turnMs');
  const firstTextMs = tally.buckets('firstTextMs');
  const costs = tally.names('calls').flatMap((model) => {
    const cost = costOfModel(tally, model, prices);
    return cost === null ? [] : [[model, cost] as const];
  });
  const faults = faultsOf(tally);
  const kinds = errorKinds.map(
    (kind) => [kind, faults.filter((fault) => fault.kind === kind).reduce((sum, { count }) => sum + count, 0)] as const,
  );
  return {
    at: new Date(at).toISOString(),
    ...totalsOf(tally, prices),
    channels: Object.fromEntries(tally.names('turns').map((channel) => [channel, tally.sum('turns', channel)])),
    costs: Object.fromEntries(costs),
    // `kinds` has one entry for each kind.
    kinds: Object.fromEntries(kinds) as Record<ErrorKind, number>,
    latency: {
      p50: percentile(turnMs, 0.5),
      p95: percentile(turnMs, 0.95),
      firstTokenP50: percentile(firstTextMs, 0.5),
      firstTokenP95: percentile(firstTextMs, 0.95),
    },
  };
}

function modelsOf(tally: Tally, prices: ModelPrices): readonly ModelFigures[] {
  return tally.names('calls').map((model) => ({
    model,
    calls: tally.sum('calls', model),
    inputTokens: tally.sum('inputTokens', model),
    outputTokens: tally.sum('outputTokens', model),
    cachedInputTokens: tally.sum('cachedTokens', model),
    cost: costOfModel(tally, model, prices),
    errors: tally.sum('callErrors', model),
    p95: percentile(tally.buckets('callMs', model), 0.95),
  }));
}

/** Null when none of the called models has a price. */
function costOf(tally: Tally, prices: ModelPrices): number | null {
  const costs = tally.names('calls').flatMap((model) => costOfModel(tally, model, prices) ?? []);
  if (costs.length === 0) return tally.names('calls').length === 0 && Object.keys(prices).length > 0 ? 0 : null;
  return rounded(costs.reduce((sum, cost) => sum + cost, 0));
}

function costOfModel(tally: Tally, model: string, prices: ModelPrices): number | null {
  if (!Object.hasOwn(prices, model)) return null;
  const { inputPer1M = 0, outputPer1M = 0 } = prices[model] ?? {};
  return rounded(
    (tally.sum('inputTokens', model) * inputPer1M + tally.sum('outputTokens', model) * outputPer1M) / 1_000_000,
  );
}

/** Rounds a cost, because sums of binary fractions have meaningless digits at their end. */
function rounded(cost: number): number {
  return Math.round(cost * 1_000_000) / 1_000_000;
}

function actionsOf(tally: Tally): RangeFigures['actions'] {
  return tally.names('actions').map((action) => ({
    action,
    calls: tally.sum('actions', action),
    failures: tally.sum('actions', action, 'failed') + tally.sum('actions', action, 'unknown'),
    declined: tally.sum('actions', action, 'declined'),
    p95: percentile(tally.buckets('actionMs', action), 0.95),
  }));
}

/** The kind of fault for a code of a turn, which tells where to look for the cause. Every other code is a fault of this server. */
const kindOfCode: Readonly<Record<string, ErrorKind>> = {
  model_unavailable: 'model',
  model_refused: 'model',
  model_misconfigured: 'model',
  model_quota_exceeded: 'model',
  model_no_reply: 'model',
  reply_cut: 'model',
  model_timeout: 'timeout',
  tool_loop_limit: 'tool',
};

function faultsOf(tally: Tally): readonly CountedFault[] {
  const ofTurns = tally.names('faults').flatMap((code): CountedFault[] => {
    const refused = tally.sum('faults', code, 'refused');
    const others = tally.sum('faults', code) - refused;
    return [
      { kind: kindOfCode[code] ?? 'server', code, count: others },
      { kind: kindOfCode[code] ?? 'limit', code, count: refused },
    ];
  });
  const ofActions = (['failed', 'unknown'] as const).map((status): CountedFault => {
    const count = tally.names('actions').reduce((sum, action) => sum + tally.sum('actions', action, status), 0);
    return { kind: 'tool', code: status, count };
  });
  const ofAccess = counted(tally, 'access').map(([code, count]): CountedFault => ({ kind: 'access', code, count }));
  return [...ofTurns, ...ofActions, ...ofAccess].filter(({ count }) => count > 0);
}
