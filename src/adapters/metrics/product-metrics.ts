import type { CallerMetrics, LiveNumbers, LiveTurns, Metrics } from '../../core/ports/metrics.ts';
import { budgetMetrics } from './budget-metrics.ts';
import { callbackMetrics, confirmationMetrics, toolMetrics } from './action-metrics.ts';
import { connectionMetrics, sessionMetrics } from './connection-metrics.ts';
import { createGenAiMetrics } from './gen-ai-metrics.ts';
import { documentMetrics, knowledgeMetrics } from './knowledge-metrics.ts';
import { memoryMetrics } from './memory-metrics.ts';
import type { MetricsPage } from './metrics-page.ts';
import {
  busMetrics,
  doorMetrics,
  httpMetrics,
  issuerMetrics,
  leftOutMetrics,
  storageMetrics,
} from './server-metrics.ts';
import { feedbackMetrics, guardrailMetrics, turnMetrics } from './turn-metrics.ts';

/**
 * The metrics of callers (contract/operations.md#metrics): turns, calls of tools and models, confirmations and connections. `live` is read
 * at each scrape.
 */
export function createCallerMetrics(page: MetricsPage, live: () => LiveTurns): CallerMetrics & Pick<Metrics, 'expect'> {
  const turns = turnMetrics(page, live);
  const tools = toolMetrics(page);
  const callbacks = callbackMetrics(page);
  const knowledge = knowledgeMetrics(page);
  const confirmations = confirmationMetrics(page, live);
  const models = createGenAiMetrics(page);
  return {
    ...turns,
    ...guardrailMetrics(page),
    ...feedbackMetrics(page),
    ...tools,
    ...callbacks,
    ...confirmations,
    ...doorMetrics(page),
    ...connectionMetrics(page),
    ...sessionMetrics(page),
    ...knowledge,
    ...memoryMetrics(page),
    ...budgetMetrics(page),
    ...models,
    expect(subject) {
      for (const metrics of [turns, tools, callbacks, confirmations, knowledge, models]) metrics.expect(subject);
    },
  };
}

/** The metrics of the server itself (contract/operations.md#metrics). `live` is read at each scrape. */
export function createServerMetrics(
  page: MetricsPage,
  live: () => LiveNumbers,
): Omit<Metrics, keyof CallerMetrics | 'of'> {
  documentMetrics(page, live);
  busMetrics(page, live);
  return { ...httpMetrics(page), ...issuerMetrics(page), ...leftOutMetrics(page), ...storageMetrics(page) };
}
