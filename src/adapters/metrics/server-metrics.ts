import type { LiveNumbers, Metrics } from '../../core/ports/metrics.ts';
import { combined, rateLimits, securitySeries, statusClasses, storageOperations } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

/** Bounds in seconds, from a write into memory to a disk that is in trouble. */
const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

type DoorMetrics = Pick<Metrics, 'rateLimited' | 'securityEvent'>;

/** Who entered, and who was refused (contract/operations.md#metrics). */
export function doorMetrics(page: MetricsPage): DoorMetrics {
  const refused = page.counter({
    name: 'helperagent_rate_limited_total',
    help: 'Messages, requests, connections and turns that were refused as too many of one caller, by which of them.',
    labelNames: ['what'],
    known: combined(rateLimits),
  });
  const events = page.counter({
    name: 'helperagent_security_events_total',
    help: 'Lines of the security log: refused credentials and callers, and how questions ended, by what and reason.',
    labelNames: ['what', 'reason'],
    known: securitySeries,
  });
  return {
    rateLimited(what) {
      refused.add(1, what);
    },
    securityEvent({ what, reason }) {
      events.add(1, what, reason);
    },
  };
}

/** Whether tokens can be checked (contract/operations.md#metrics). */
export function issuerMetrics(page: MetricsPage): Pick<Metrics, 'issuerFailed'> {
  const failures = page.counter({
    name: 'helperagent_issuer_failures_total',
    help: 'How often the keys of the token issuer could not be read.',
  });
  return {
    issuerFailed() {
      failures.add(1);
    },
  };
}

/** Which tools models go without (contract/operations.md#metrics). */
export function leftOutMetrics(page: MetricsPage): Pick<Metrics, 'toolLeftOut'> {
  const leftOut = page.counter({
    name: 'helperagent_tools_left_out_total',
    help: 'Tools that models go without because their providers refuse them, by model and action.',
    labelNames: ['model', 'action'],
  });
  return {
    toolLeftOut({ model, action }) {
      leftOut.add(1, model, action);
    },
  };
}

/** How requests were answered (contract/operations.md#metrics). */
export function httpMetrics(page: MetricsPage): Pick<Metrics, 'requestAnswered' | 'expect'> {
  const answers = page.counter({
    name: 'helperagent_http_responses_total',
    help: 'Requests that were answered, by the pattern of their address and the class of the status.',
    labelNames: ['route', 'class'],
    known: combined([''], statusClasses),
  });
  return {
    expect(subject) {
      if (subject.kind === 'route') for (const kind of statusClasses) answers.expect(subject.route, kind);
    },
    requestAnswered({ route, status }) {
      answers.add(1, route, statusClasses[Math.floor(status / 100) - 2] ?? '5xx');
    },
  };
}

/** How long commits take, how often the storage fails, and how many old rows are deleted (contract/operations.md#metrics). */
export function storageMetrics(page: MetricsPage): Pick<Metrics, 'storageCommitted' | 'storageFailed' | 'purged'> {
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
    known: combined(storageOperations),
  });
  const purged = page.counter({
    name: 'helperagent_purged_rows_total',
    help: 'Rows that were deleted because their time to be kept was over, by kind.',
    labelNames: ['kind'],
    known: [['journal'], ['memory']],
  });
  return {
    purged(kind, rows) {
      purged.add(rows, kind);
    },
    storageCommitted({ changes, durationMs }) {
      durations.observe(durationMs / 1000);
      batches.observe(changes);
    },
    storageFailed(what) {
      failures.add(1, what);
    },
  };
}

/** Whether this replica reaches the others (contract/replicas.md#away). `live` is read at each scrape. There is no series without others. */
export function busMetrics(page: MetricsPage, live: () => LiveNumbers): void {
  const help = 'Whether this replica reaches the others: 1 if so, 0 if not.';
  page.reading({ name: 'helperagent_bus_up', help }, () => {
    const { isBusUp } = live();
    return isBusUp === undefined ? [] : [[Number(isBusUp)] as const];
  });
}
