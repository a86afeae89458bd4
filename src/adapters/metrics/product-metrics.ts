import type { Metrics } from '../../core/ports/metrics.ts';
import type { MetricsPage } from './metrics-page.ts';

const turnBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const firstTokenBuckets = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 30];
const toolBuckets = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
/** A person answers these, within `confirmationTimeout` (15 minutes). */
const waitBuckets = [1, 2, 5, 10, 20, 60, 120, 300, 600, 900];

/** From a write into memory to a disk that is in trouble. */
const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

type ProductMetrics = Omit<Metrics, 'modelCalled'>;

/** The metrics that begin `helperagent_` (contract/operations.md#metrics): what happened in turns, tool calls, confirmations and connections. */
export function createProductMetrics(page: MetricsPage): ProductMetrics {
  return {
    ...turnMetrics(page),
    ...toolMetrics(page),
    ...callbackMetrics(page),
    ...confirmationMetrics(page),
    ...rateMetrics(page),
    ...securityMetrics(page),
    ...connectionMetrics(page),
    ...storageMetrics(page),
  };
}

function turnMetrics(page: MetricsPage): Pick<ProductMetrics, 'turnEnded'> {
  const turns = page.counter({
    name: 'helperagent_turns_total',
    help: 'Turns that ended, by channel and status.',
    labelNames: ['channel', 'status'],
  });
  const durations = page.histogram({
    name: 'helperagent_turn_duration_seconds',
    help: 'From the message to the end of its turn, by channel.',
    labelNames: ['channel'],
    buckets: turnBuckets,
  });
  const firstTokens = page.histogram({
    name: 'helperagent_first_token_seconds',
    help: 'From the message to the first text of the reply, by channel.',
    labelNames: ['channel'],
    buckets: firstTokenBuckets,
  });
  const tokens = page.counter({
    name: 'helperagent_tokens_total',
    help: 'Tokens of ended turns as the model reported them, by direction and model.',
    labelNames: ['direction', 'model'],
  });
  const errors = page.counter({
    name: 'helperagent_errors_total',
    help: 'Turns that were refused or failed, by code.',
    labelNames: ['code'],
  });
  return {
    turnEnded({ channel, status, code, durationMs, firstTokenMs, usage }) {
      turns.add(1, channel, status);
      durations.observe(durationMs / 1000, channel);
      if (firstTokenMs !== undefined) firstTokens.observe(firstTokenMs / 1000, channel);
      if (usage.inputTokens > 0) tokens.add(usage.inputTokens, 'input', usage.model);
      if (usage.outputTokens > 0) tokens.add(usage.outputTokens, 'output', usage.model);
      if (code !== undefined) errors.add(1, code);
    },
  };
}

function toolMetrics(page: MetricsPage): Pick<ProductMetrics, 'toolCalled'> {
  const calls = page.counter({
    name: 'helperagent_tool_calls_total',
    help: 'Tool calls that ended, by action and status.',
    labelNames: ['action', 'status'],
  });
  const durations = page.histogram({
    name: 'helperagent_tool_call_seconds',
    help: 'How long tool calls took, by action.',
    labelNames: ['action'],
    buckets: toolBuckets,
  });
  return {
    toolCalled({ action, status, durationMs }) {
      calls.add(1, action, status);
      durations.observe(durationMs / 1000, action);
    },
  };
}

function callbackMetrics(page: MetricsPage): Pick<ProductMetrics, 'callbackAsked'> {
  const calls = page.counter({
    name: 'helperagent_callback_calls_total',
    help: 'Calls of action callbacks, by callback, type and outcome.',
    labelNames: ['callback', 'type', 'outcome'],
  });
  return {
    callbackAsked({ callback, type, outcome }) {
      calls.add(1, callback, type, outcome);
    },
  };
}

function confirmationMetrics(
  page: MetricsPage,
): Pick<ProductMetrics, 'confirmationRequested' | 'confirmationResolved'> {
  const requested = page.counter({
    name: 'helperagent_confirmations_requested_total',
    help: 'Confirmations that were put to a user.',
  });
  const resolved = page.counter({
    name: 'helperagent_confirmations_total',
    help: 'Confirmations that ended, by outcome and by who ended them.',
    labelNames: ['outcome', 'by'],
  });
  const waits = page.histogram({
    name: 'helperagent_confirmation_wait_seconds',
    help: 'From a confirmation request to its end.',
    buckets: waitBuckets,
  });
  return {
    confirmationRequested() {
      requested.add(1);
    },
    confirmationResolved({ outcome, by, waitedMs }) {
      resolved.add(1, outcome, by);
      waits.observe(waitedMs / 1000);
    },
  };
}

function rateMetrics(page: MetricsPage): Pick<ProductMetrics, 'rateLimited'> {
  const refused = page.counter({
    name: 'helperagent_rate_limited_total',
    help: 'Messages, requests, connections and turns that were refused as too many of one caller, by which of them.',
    labelNames: ['what'],
  });
  return {
    rateLimited(what) {
      refused.add(1, what);
    },
  };
}

function securityMetrics(page: MetricsPage): Pick<ProductMetrics, 'securityEvent'> {
  const events = page.counter({
    name: 'helperagent_security_events_total',
    help: 'Lines of the security log: refused credentials and callers, approvals and declines, by what and reason.',
    labelNames: ['what', 'reason'],
  });
  return {
    securityEvent({ what, reason }) {
      events.add(1, what, reason);
    },
  };
}

function connectionMetrics(page: MetricsPage): Pick<ProductMetrics, 'connectionsChanged'> {
  const connections = page.gauge({
    name: 'helperagent_connections',
    help: 'Open connections, by channel.',
    labelNames: ['channel'],
  });
  return {
    connectionsChanged(channel, change) {
      connections.add(change, channel);
    },
  };
}

function storageMetrics(page: MetricsPage): Pick<ProductMetrics, 'storageCommitted' | 'storageFailed'> {
  const durations = page.histogram({
    name: 'helperagent_storage_commit_seconds',
    help: 'How long commits to the disk took.',
    buckets: commitBuckets,
  });
  const batches = page.histogram({
    name: 'helperagent_storage_commit_changes',
    help: 'How many changes became durable with one commit.',
    buckets: batchBuckets,
  });
  const failures = page.counter({
    name: 'helperagent_storage_failures_total',
    help: 'What the storage could not do, by operation.',
    labelNames: ['operation'],
  });
  return {
    storageCommitted({ changes, durationMs }) {
      durations.observe(durationMs / 1000);
      batches.observe(changes);
    },
    storageFailed(what) {
      failures.add(1, what);
    },
  };
}
