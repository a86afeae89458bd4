import type { HourlyCounts } from '../adapters/hourly-metrics/count-hourly.ts';
import type { Metrics } from '../core/ports/metrics.ts';

/** Metrics that count in `all`, and what the dashboard shows also in `hourly`. */
export function alsoCounted(all: Metrics, hourly: HourlyCounts): Metrics {
  return {
    ...all,
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
    confirmationRequested() {
      all.confirmationRequested();
      hourly.confirmationRequested();
    },
    confirmationResolved(resolution) {
      all.confirmationResolved(resolution);
      hourly.confirmationResolved(resolution);
    },
    rateLimited(what) {
      all.rateLimited(what);
      hourly.rateLimited(what);
    },
    securityEvent(event) {
      all.securityEvent(event);
      hourly.securityEvent(event);
    },
    connectionsChanged(channel, change) {
      all.connectionsChanged(channel, change);
      hourly.connectionsChanged(channel, change);
    },
  };
}
