import type { DocumentCounts, LiveNumbers, Metrics } from '../../core/ports/metrics.ts';
import { knowledgeOutcomes } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

/** Bounds in seconds. By default a source is given at most 3 s; a search that takes longer than its limit is given up. */
const searchBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 3, 10];

/** The numbers of documents in folders (contract/operations.md#metrics). `live` is read at each scrape. */
export function documentMetrics(page: MetricsPage, live: () => LiveNumbers): void {
  const gauge = (name: string, help: string, read: (counts: DocumentCounts) => number): void => {
    page.reading({ name, help, labelNames: ['source'] }, () =>
      (live().documents ?? []).map((counts) => [read(counts), counts.source] as const),
    );
  };
  gauge('helperagent_knowledge_documents', 'Documents in a folder, by source.', ({ documents }) => documents);
  gauge(
    'helperagent_knowledge_chunks',
    'Parts in which documents of a folder are found, by source.',
    ({ chunks }) => chunks,
  );
  page.reading(
    {
      name: 'helperagent_knowledge_vectors',
      help: 'Parts of a folder that have a vector by its embedding model, and those that have none yet, by source.',
      labelNames: ['source', 'state'],
    },
    () =>
      (live().documents ?? []).flatMap(({ source, chunks, vectors }) =>
        vectors === undefined
          ? []
          : [[vectors, source, 'made'] as const, [Math.max(0, chunks - vectors), source, 'missing'] as const],
      ),
  );
  gauge('helperagent_knowledge_faults', 'Files of a folder that are left out, by source.', ({ faults }) => faults);
  gauge(
    'helperagent_knowledge_passed_over',
    'Files of a folder whose kinds are not read, by source.',
    ({ passedOver }) => passedOver,
  );
}

/** The searches in sources of documents, and their outcomes (contract/operations.md#metrics). */
export function knowledgeMetrics(page: MetricsPage): Pick<Metrics, 'knowledgeSearched' | 'expect'> {
  const searches = page.counter({
    name: 'helperagent_knowledge_searches_total',
    help: 'Searches of sources of documents, by source and outcome.',
    labelNames: ['source', 'outcome'],
  });
  const durations = page.histogram({
    name: 'helperagent_knowledge_search_seconds',
    help: 'How long sources of documents took to answer, or were waited for, by source.',
    labelNames: ['source'],
    buckets: searchBuckets,
  });
  return {
    expect(subject) {
      if (subject.kind !== 'knowledge') return;
      for (const outcome of knowledgeOutcomes) searches.expect(subject.source, outcome);
      durations.expect(subject.source);
    },
    knowledgeSearched({ source, outcome, durationMs }) {
      searches.add(1, source, outcome);
      durations.observe(durationMs / 1000, source);
    },
  };
}
