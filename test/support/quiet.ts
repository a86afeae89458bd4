import type { Logger } from '../../src/core/ports/logger.ts';
import type { Metrics } from '../../src/core/ports/metrics.ts';

/** A logger that keeps its lines for the test. */
export function recordingLogger(): Logger & { readonly lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const write =
    (level: string) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields, message });
    };
  const logger = {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  };
  return logger;
}

/** Metrics that record what was counted. */
export function recordingMetrics(): Metrics & { readonly counted: { what: keyof Metrics; value: unknown }[] } {
  const counted: { what: keyof Metrics; value: unknown }[] = [];
  const count =
    (what: keyof Metrics) =>
    (value?: unknown, change?: unknown): void => {
      counted.push({ what, value: change === undefined ? value : [value, change] });
    };
  return {
    counted,
    // `this` may be a copy of these metrics with replaced functions.
    of() {
      return this;
    },
    turnEnded: count('turnEnded'),
    modelCalled: count('modelCalled'),
    toolCalled: count('toolCalled'),
    callbackAsked: count('callbackAsked'),
    knowledgeSearched: count('knowledgeSearched'),
    guardrailFailed: count('guardrailFailed'),
    confirmationRequested: count('confirmationRequested'),
    confirmationResolved: count('confirmationResolved'),
    rateLimited: count('rateLimited'),
    securityEvent: count('securityEvent'),
    connectionOpened: count('connectionOpened'),
    connectionEnded: count('connectionEnded'),
    connectionReturned: count('connectionReturned'),
    snapshotHandled: count('snapshotHandled'),
    filesDropped: count('filesDropped'),
    feedbackGiven: count('feedbackGiven'),
    storageCommitted: count('storageCommitted'),
    storageFailed: count('storageFailed'),
    toolRan: count('toolRan'),
    requestAnswered: count('requestAnswered'),
    expect: count('expect'),
    issuerFailed: count('issuerFailed'),
    toolLeftOut: count('toolLeftOut'),
    purged: count('purged'),
    factsCaptured: count('factsCaptured'),
    budgetUsedUp: count('budgetUsedUp'),
  };
}

/** Metrics that put the calls of models into a list. */
export function metricsOfCalls(counted: Parameters<Metrics['modelCalled']>[0][]): Metrics {
  return { ...recordingMetrics(), modelCalled: (call) => void counted.push(call) };
}
