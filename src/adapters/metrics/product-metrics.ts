import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Metrics } from '../../core/ports/metrics.ts';
import { cachedChildren } from './cached-children.ts';

const turnBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const firstTokenBuckets = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 30];
const toolBuckets = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
/** A person answers these, within `confirmationTimeout` (15 minutes). */
const waitBuckets = [1, 2, 5, 10, 20, 60, 120, 300, 600, 900];

type ProductMetrics = Omit<Metrics, 'modelCalled'>;

/** The metrics that begin `helperagent_` (wire.md 6): what happened in turns, tool calls, confirmations and connections. */
export function createProductMetrics(registry: Registry): ProductMetrics {
  return {
    ...turnMetrics(registry),
    ...toolMetrics(registry),
    ...callbackMetrics(registry),
    ...confirmationMetrics(registry),
    ...connectionMetrics(registry),
  };
}

function turnMetrics(registry: Registry): Pick<ProductMetrics, 'turnEnded'> {
  const registers = [registry];
  const turns = new Counter({
    name: 'helperagent_turns_total',
    help: 'Turns that ended, by channel and status.',
    labelNames: ['channel', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'helperagent_turn_duration_seconds',
    help: 'From the message to the end of its turn, by channel.',
    labelNames: ['channel'],
    buckets: turnBuckets,
    registers,
  });
  const firstTokens = new Histogram({
    name: 'helperagent_first_token_seconds',
    help: 'From the message to the first text of the reply, by channel.',
    labelNames: ['channel'],
    buckets: firstTokenBuckets,
    registers,
  });
  const tokens = new Counter({
    name: 'helperagent_tokens_total',
    help: 'Tokens of ended turns as the model reported them, by direction and model.',
    labelNames: ['direction', 'model'],
    registers,
  });
  const errors = new Counter({
    name: 'helperagent_errors_total',
    help: 'Turns that were refused or failed, by code.',
    labelNames: ['code'],
    registers,
  });
  const turnsOf = cachedChildren((...labels) => turns.labels(...labels));
  const durationsOf = cachedChildren((...labels) => durations.labels(...labels));
  const firstTokensOf = cachedChildren((...labels) => firstTokens.labels(...labels));
  const tokensOf = cachedChildren((...labels) => tokens.labels(...labels));
  const errorsOf = cachedChildren((...labels) => errors.labels(...labels));
  return {
    turnEnded({ channel, status, code, durationMs, firstTokenMs, usage }) {
      turnsOf(channel, status).inc();
      durationsOf(channel).observe(durationMs / 1000);
      if (firstTokenMs !== undefined) firstTokensOf(channel).observe(firstTokenMs / 1000);
      if (usage.inputTokens > 0) tokensOf('input', usage.model).inc(usage.inputTokens);
      if (usage.outputTokens > 0) tokensOf('output', usage.model).inc(usage.outputTokens);
      if (code !== undefined) errorsOf(code).inc();
    },
  };
}

function toolMetrics(registry: Registry): Pick<ProductMetrics, 'toolCalled'> {
  const registers = [registry];
  const calls = new Counter({
    name: 'helperagent_tool_calls_total',
    help: 'Tool calls that ended, by action and status.',
    labelNames: ['action', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'helperagent_tool_call_seconds',
    help: 'How long tool calls took, by action.',
    labelNames: ['action'],
    buckets: toolBuckets,
    registers,
  });
  const callsOf = cachedChildren((...labels) => calls.labels(...labels));
  const durationsOf = cachedChildren((...labels) => durations.labels(...labels));
  return {
    toolCalled({ action, status, durationMs }) {
      callsOf(action, status).inc();
      durationsOf(action).observe(durationMs / 1000);
    },
  };
}

function callbackMetrics(registry: Registry): Pick<ProductMetrics, 'callbackAsked'> {
  const calls = new Counter({
    name: 'helperagent_callback_calls_total',
    help: 'Calls of action callbacks, by callback, type and outcome.',
    labelNames: ['callback', 'type', 'outcome'],
    registers: [registry],
  });
  return {
    callbackAsked({ callback, type, outcome }) {
      calls.inc({ callback, type, outcome });
    },
  };
}

function confirmationMetrics(
  registry: Registry,
): Pick<ProductMetrics, 'confirmationRequested' | 'confirmationResolved'> {
  const registers = [registry];
  const requested = new Counter({
    name: 'helperagent_confirmations_requested_total',
    help: 'Confirmations that were put to a user.',
    registers,
  });
  const resolved = new Counter({
    name: 'helperagent_confirmations_total',
    help: 'Confirmations that ended, by outcome and by who ended them.',
    labelNames: ['outcome', 'by'],
    registers,
  });
  const waits = new Histogram({
    name: 'helperagent_confirmation_wait_seconds',
    help: 'From a confirmation request to its end.',
    buckets: waitBuckets,
    registers,
  });
  const resolvedOf = cachedChildren((...labels) => resolved.labels(...labels));
  return {
    confirmationRequested() {
      requested.inc();
    },
    confirmationResolved({ outcome, by, waitedMs }) {
      resolvedOf(outcome, by).inc();
      waits.observe(waitedMs / 1000);
    },
  };
}

function connectionMetrics(registry: Registry): Pick<ProductMetrics, 'connectionsChanged'> {
  const connections = new Gauge({
    name: 'helperagent_connections',
    help: 'Open connections, by channel.',
    labelNames: ['channel'],
    registers: [registry],
  });
  const connectionsOf = cachedChildren((...labels) => connections.labels(...labels));
  return {
    connectionsChanged(channel, change) {
      connectionsOf(channel).inc(change);
    },
  };
}
