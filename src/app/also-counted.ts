import type { HourlyCounts } from '../adapters/hourly-metrics/count-hourly.ts';
import type { HourlyMetrics } from '../adapters/hourly-metrics/hourly-metrics.ts';
import type { CallerMetrics, Metrics } from '../core/ports/metrics.ts';

/**
 * Metrics that count in `all`. What the dashboard shows is counted in `hourly` too. The calls of a tenant's caller are counted twice in
 * `hourly`: for all callers, and for the tenant.
 */
export function alsoCounted(all: Metrics, hourly: Pick<HourlyMetrics, 'counts' | 'countsOf'>): Metrics {
  const counted: Metrics = {
    ...all,
    ...both(all, hourly.counts),
    of(tenant) {
      if (tenant === undefined) return counted;
      const ofAll = both(all.of(tenant), hourly.counts);
      const own = hourly.countsOf(tenant);
      return own === undefined ? ofAll : both(ofAll, own);
    },
  };
  return counted;
}

function both(all: CallerMetrics, hourly: HourlyCounts): CallerMetrics {
  return { ...all, ...ofTurns(all, hourly), ...ofVisits(all, hourly) };
}

type Counted<Name extends keyof HourlyCounts> = Pick<HourlyCounts, Name>;

/** The metrics of turns. */
function ofTurns(
  all: CallerMetrics,
  hourly: HourlyCounts,
): Counted<
  | 'turnEnded'
  | 'modelCalled'
  | 'toolCalled'
  | 'toolRan'
  | 'callbackAsked'
  | 'knowledgeSearched'
  | 'confirmationRequested'
  | 'confirmationResolved'
> {
  return {
    turnEnded(turn) {
      all.turnEnded(turn);
      hourly.turnEnded(turn);
    },
    modelCalled(call) {
      all.modelCalled(call);
      hourly.modelCalled(call);
    },
    toolCalled(call) {
      all.toolCalled(call);
      hourly.toolCalled(call);
    },
    toolRan(run) {
      all.toolRan(run);
      hourly.toolRan(run);
    },
    callbackAsked(call) {
      all.callbackAsked(call);
      hourly.callbackAsked(call);
    },
    knowledgeSearched(search) {
      all.knowledgeSearched(search);
      hourly.knowledgeSearched(search);
    },
    confirmationRequested(question) {
      all.confirmationRequested(question);
      hourly.confirmationRequested(question);
    },
    confirmationResolved(resolution) {
      all.confirmationResolved(resolution);
      hourly.confirmationResolved(resolution);
    },
  };
}

/** The metrics of callers, connections and refusals. */
function ofVisits(all: CallerMetrics, hourly: HourlyCounts): Omit<HourlyCounts, keyof ReturnType<typeof ofTurns>> {
  return {
    rateLimited(what) {
      all.rateLimited(what);
      hourly.rateLimited(what);
    },
    securityEvent(event) {
      all.securityEvent(event);
      hourly.securityEvent(event);
    },
    connectionOpened(channel) {
      all.connectionOpened(channel);
      hourly.connectionOpened(channel);
    },
    connectionEnded(channel, ageMs) {
      all.connectionEnded(channel, ageMs);
      hourly.connectionEnded(channel, ageMs);
    },
    connectionReturned(channel, how) {
      all.connectionReturned(channel, how);
      hourly.connectionReturned(channel, how);
    },
    snapshotHandled(handled) {
      all.snapshotHandled(handled);
      hourly.snapshotHandled(handled);
    },
    filesDropped(reason, count) {
      all.filesDropped(reason, count);
      hourly.filesDropped(reason, count);
    },
    feedbackGiven(rating) {
      all.feedbackGiven(rating);
      hourly.feedbackGiven(rating);
    },
  };
}
