import type { CallerMetrics, LiveTurns, Metrics } from '../../core/ports/metrics.ts';
import { blockOf } from '../../core/guardrails/guardrail-block.ts';
import { channels, combined, feedbackSeries, guardrailBlocks, turnErrorCodes, turnStatuses } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

const turnBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const firstTokenBuckets = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 30];

/** The outcomes of turns, and the turns under way (contract/operations.md#metrics). `live` is read at each scrape. */
export function turnMetrics(page: MetricsPage, live: () => LiveTurns): Pick<Metrics, 'turnEnded' | 'expect'> {
  page.reading(
    { name: 'helperagent_running_turns', help: 'Turns that run now, by channel.', labelNames: ['channel'] },
    () => channels.map((channel) => [live().runningTurns[channel], channel] as const),
  );
  const turns = page.counter({
    name: 'helperagent_turns_total',
    help: 'Turns that ended, by channel and status.',
    labelNames: ['channel', 'status'],
    known: combined(channels, turnStatuses),
  });
  const durations = page.histogram({
    name: 'helperagent_turn_duration_seconds',
    help: 'From the message to the end of its turn, by channel; those that were refused are left out.',
    labelNames: ['channel'],
    known: combined(channels),
    buckets: turnBuckets,
  });
  const firstTokens = page.histogram({
    name: 'helperagent_first_token_seconds',
    help: 'From the message to the first text of the reply, by channel, unless the user was asked before it.',
    labelNames: ['channel'],
    known: combined(channels),
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
    known: combined(turnErrorCodes),
  });
  const blocked = page.counter({
    name: 'helperagent_guardrail_blocks_total',
    help: 'Messages that were refused and replies that were withheld because of what stands in them, by guardrail.',
    labelNames: ['guardrail'],
    known: combined(guardrailBlocks),
  });
  return {
    expect(subject) {
      if (subject.kind === 'model')
        for (const direction of ['input', 'output']) tokens.expect(direction, subject.model);
    },
    turnEnded({ channel, status, code, durationMs, firstTokenMs, usage }) {
      turns.add(1, channel, status);
      // A refusal takes almost no time, so it would make the server look faster than it is.
      if (status !== 'refused') durations.observe(durationMs / 1000, channel);
      if (firstTokenMs !== undefined) firstTokens.observe(firstTokenMs / 1000, channel);
      if (usage.inputTokens > 0) tokens.add(usage.inputTokens, 'input', usage.model);
      if (usage.outputTokens > 0) tokens.add(usage.outputTokens, 'output', usage.model);
      if (code === undefined) return;
      errors.add(1, code);
      const block = blockOf(code);
      if (block !== undefined) blocked.add(1, block);
    },
  };
}

/** What users think of replies (contract/operations.md#metrics). */
export function feedbackMetrics(page: MetricsPage): Pick<CallerMetrics, 'feedbackGiven'> {
  const ratings = page.counter({
    name: 'helperagent_feedback_total',
    help: 'Ratings that users gave to replies, and those that they took back.',
    labelNames: ['rating'],
    known: combined(feedbackSeries),
  });
  return {
    feedbackGiven(rating) {
      ratings.add(1, rating);
    },
  };
}

/** What got no verdict of its checks (contract/guardrails.md#messages). */
export function guardrailMetrics(page: MetricsPage): Pick<Metrics, 'guardrailFailed'> {
  const failures = page.counter({
    name: 'helperagent_guardrail_failures_total',
    help: 'Messages and replies that got no verdict of their checks, by guardrail.',
    labelNames: ['guardrail'],
    known: combined(guardrailBlocks),
  });
  return {
    guardrailFailed(guardrail) {
      failures.add(1, guardrail);
    },
  };
}
