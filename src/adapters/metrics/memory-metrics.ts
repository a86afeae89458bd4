import type { Metrics } from '../../core/ports/metrics.ts';
import { combined, factsOutcomes } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

/** The messages that were searched for facts about their users, by outcome (contract/operations.md#metrics). */
export function memoryMetrics(page: MetricsPage): Pick<Metrics, 'factsCaptured'> {
  const captures = page.counter({
    name: 'helperagent_memory_captures_total',
    help: 'Messages that were looked through for facts to remember, by outcome.',
    labelNames: ['outcome'],
    known: combined(factsOutcomes),
  });
  return {
    factsCaptured(outcome) {
      captures.add(1, outcome);
    },
  };
}
