import type { Metrics } from '../../core/ports/metrics.ts';
import { OpenConnections } from '../shared/open-connections.ts';
import { combined, connectionChannels, connectionReturns, fileDrops, snapshotSeries } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

/** Bounds in seconds, from a short visit to a page that stays open for a day. */
const lastingBuckets = [1, 10, 60, 300, 900, 3600, 14_400, 43_200, 86_400];

type ConnectionCounts = Pick<Metrics, 'connectionOpened' | 'connectionEnded' | 'connectionReturned'>;

/** Who is connected, for how long, and who had to connect again (contract/operations.md#metrics). */
export function connectionMetrics(page: MetricsPage): ConnectionCounts {
  const open = new OpenConnections();
  const labelNames = ['channel'];
  page.reading({ name: 'helperagent_connections', help: 'Open connections, by channel.', labelNames }, () =>
    connectionChannels.map((channel) => [open.count(channel), channel]),
  );
  page.reading(
    {
      name: 'helperagent_connection_age_seconds',
      help: 'How long the open connections have been so, on average, by channel; 0 without one.',
      labelNames,
    },
    () => connectionChannels.map((channel) => [open.averageAgeMs(channel) / 1000, channel]),
  );
  const opened = page.counter({
    name: 'helperagent_connections_opened_total',
    help: 'Connections that were opened, by channel.',
    labelNames,
    known: combined(connectionChannels),
  });
  const lasted = page.histogram({
    name: 'helperagent_connection_duration_seconds',
    help: 'How long connections lasted that have ended, by channel.',
    labelNames,
    known: combined(connectionChannels),
    buckets: lastingBuckets,
  });
  const returned = page.counter({
    name: 'helperagent_connections_returned_total',
    help: 'Clients that came back, by channel and by what they went on with: their line, or a turn on a new connection.',
    labelNames: ['channel', 'how'],
    known: [...combined(['hub'], connectionReturns), ['sse', 'turn']],
  });
  return {
    connectionOpened(channel) {
      open.opened(channel);
      opened.add(1, channel);
    },
    connectionEnded(channel, ageMs) {
      open.ended(channel, ageMs);
      lasted.observe(ageMs / 1000, channel);
    },
    connectionReturned(channel, how) {
      returned.add(1, channel, how);
    },
  };
}

/** The outcomes of saved conversations and of sent files (contract/operations.md#metrics). */
export function sessionMetrics(page: MetricsPage): Pick<Metrics, 'snapshotHandled' | 'filesDropped'> {
  const snapshots = page.counter({
    name: 'helperagent_snapshots_total',
    help: 'Conversations that were saved or put back, and those that were refused, by reason.',
    labelNames: ['what', 'reason'],
    known: snapshotSeries,
  });
  const dropped = page.counter({
    name: 'helperagent_files_dropped_total',
    help: 'Files of messages that did not reach the model, by reason.',
    labelNames: ['reason'],
    known: combined(fileDrops),
  });
  return {
    snapshotHandled(handled) {
      snapshots.add(1, handled.what, handled.what === 'refused' ? handled.reason : '');
    },
    filesDropped(reason, count) {
      dropped.add(count, reason);
    },
  };
}
