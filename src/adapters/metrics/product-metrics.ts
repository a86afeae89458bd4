import type { LiveNumbers, Metrics } from '../../core/ports/metrics.ts';
import { callbackMetrics, confirmationMetrics, toolMetrics } from './action-metrics.ts';
import { connectionMetrics, sessionMetrics } from './connection-metrics.ts';
import { knowledgeMetrics } from './knowledge-metrics.ts';
import { memoryMetrics } from './memory-metrics.ts';
import type { MetricsPage } from './metrics-page.ts';
import { doorMetrics, httpMetrics, storageMetrics } from './server-metrics.ts';
import { turnMetrics } from './turn-metrics.ts';

/**
 * The metrics that begin `helperagent_` (contract/operations.md#metrics): what happened in turns, tool calls, confirmations and
 * connections. `live` is read at each scrape.
 */
export function createProductMetrics(page: MetricsPage, live: () => LiveNumbers): Omit<Metrics, 'modelCalled'> {
  const turns = turnMetrics(page, live);
  const tools = toolMetrics(page);
  const callbacks = callbackMetrics(page);
  const knowledge = knowledgeMetrics(page, live);
  const confirmations = confirmationMetrics(page, live);
  const http = httpMetrics(page);
  return {
    ...turns,
    ...tools,
    ...callbacks,
    ...confirmations,
    ...doorMetrics(page),
    ...connectionMetrics(page),
    ...sessionMetrics(page),
    ...knowledge,
    ...http,
    ...storageMetrics(page),
    ...memoryMetrics(page),
    expect(subject) {
      for (const metrics of [turns, tools, callbacks, confirmations, knowledge, http]) metrics.expect(subject);
    },
  };
}
