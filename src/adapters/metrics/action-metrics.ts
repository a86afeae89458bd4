import type { LiveTurns, Metrics } from '../../core/ports/metrics.ts';
import {
  actionConfirmations,
  actionStatuses,
  answeredEnds,
  callbackOutcomes,
  callbackTypes,
  combined,
  confirmationEnds,
} from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

const toolBuckets = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
/** Bounds in seconds. People answer confirmations within `confirmationTimeout` (15 minutes). */
const waitBuckets = [1, 2, 5, 10, 20, 60, 120, 300, 600, 900];

type ToolMetrics = Pick<Metrics, 'toolCalled' | 'toolRan' | 'expect'>;

/** The outcomes of calls of actions, and how long the actions themselves took (contract/operations.md#metrics). */
export function toolMetrics(page: MetricsPage): ToolMetrics {
  const calls = page.counter({
    name: 'helperagent_tool_calls_total',
    help: 'Tool calls that ended, by action and status.',
    labelNames: ['action', 'status'],
  });
  const durations = page.histogram({
    name: 'helperagent_tool_call_seconds',
    help: 'How long tool calls took, the wait for the user included, by action.',
    labelNames: ['action'],
    buckets: [...toolBuckets, 300, 900],
  });
  const runs = page.histogram({
    name: 'helperagent_tool_run_seconds',
    help: 'How long the actions themselves took, without the wait for the user, by action.',
    labelNames: ['action'],
    buckets: toolBuckets,
  });
  return {
    expect(subject) {
      if (subject.kind !== 'action') return;
      for (const status of actionStatuses) calls.expect(subject.action, status);
      durations.expect(subject.action);
      runs.expect(subject.action);
    },
    toolCalled({ action, status, durationMs }) {
      calls.add(1, action, status);
      durations.observe(durationMs / 1000, action);
    },
    toolRan({ action, durationMs }) {
      runs.observe(durationMs / 1000, action);
    },
  };
}

/** Whether the host applications behind actions answer (contract/operations.md#metrics). */
export function callbackMetrics(page: MetricsPage): Pick<Metrics, 'callbackAsked' | 'expect'> {
  const calls = page.counter({
    name: 'helperagent_callback_calls_total',
    help: 'Calls of action callbacks, by callback, type and outcome.',
    labelNames: ['callback', 'type', 'outcome'],
  });
  return {
    expect(subject) {
      if (subject.kind !== 'callback') return;
      for (const labels of combined([subject.callback], callbackTypes, callbackOutcomes)) calls.expect(...labels);
    },
    callbackAsked({ callback, type, outcome }) {
      calls.add(1, callback, type, outcome);
    },
  };
}

/** How many confirmations users were asked for, and how long they took (contract/operations.md#metrics). `live` is read at each scrape. */
export function confirmationMetrics(
  page: MetricsPage,
  live: () => LiveTurns,
): Pick<Metrics, 'confirmationRequested' | 'confirmationResolved' | 'expect'> {
  page.reading({ name: 'helperagent_open_questions', help: 'Confirmations that wait for their answer now.' }, () => [
    [live().openQuestions],
  ]);
  page.reading(
    {
      name: 'helperagent_oldest_open_question_seconds',
      help: 'How long the oldest of them has waited; 0 without one.',
    },
    () => [[live().oldestQuestionMs / 1000]],
  );
  const requested = page.counter({
    name: 'helperagent_confirmations_requested_total',
    help: 'Confirmations that were put to a user.',
  });
  const resolved = page.counter({
    name: 'helperagent_confirmations_total',
    help: 'Confirmations that ended, by outcome and by who ended them.',
    labelNames: ['outcome', 'by'],
    known: confirmationEnds,
  });
  const waits = page.histogram({
    name: 'helperagent_confirmation_wait_seconds',
    help: 'From a confirmation request to its end, by outcome; those that a rule approved were never asked.',
    labelNames: ['outcome'],
    known: combined(answeredEnds),
    buckets: waitBuckets,
  });
  const ofActions = confirmationsOfActions(page);
  return {
    expect: (subject) => {
      ofActions.expect(subject);
    },
    confirmationRequested(question) {
      requested.add(1);
      ofActions.confirmationRequested(question);
    },
    confirmationResolved(resolution) {
      const { outcome, by, waitedMs } = resolution;
      resolved.add(1, outcome, by);
      if (by !== 'rule') waits.observe(waitedMs / 1000, outcome);
      ofActions.confirmationResolved(resolution);
    },
  };
}

/** The metrics of confirmations by action: which actions ask their users, and what the users answer. */
function confirmationsOfActions(
  page: MetricsPage,
): Pick<Metrics, 'confirmationRequested' | 'confirmationResolved' | 'expect'> {
  const counts = page.counter({
    name: 'helperagent_action_confirmations_total',
    help: 'Confirmations by action: how many were asked, and how they ended.',
    labelNames: ['action', 'outcome'],
  });
  const answers = page.histogram({
    name: 'helperagent_action_answer_seconds',
    help: 'From a confirmation request to the answer of its user, by action.',
    labelNames: ['action'],
    buckets: waitBuckets,
  });
  return {
    expect(subject) {
      if (subject.kind !== 'action') return;
      for (const outcome of actionConfirmations) counts.expect(subject.action, outcome);
      answers.expect(subject.action);
    },
    confirmationRequested({ action }) {
      counts.add(1, action, 'asked');
    },
    confirmationResolved({ action, outcome, by, waitedMs }) {
      counts.add(1, action, by === 'rule' ? 'approved_by_rule' : outcome);
      if (by === 'user' && outcome !== 'cancelled') answers.observe(waitedMs / 1000, action);
    },
  };
}
