import type { CallerMetrics, MeteredSubject, Metrics } from '../../core/ports/metrics.ts';

/** The most names whose series are made together. Every further name gets each of its series with the first count. */
const mostNames = 1000;

/**
 * Makes all series of an action, a model, a callback or a source together, when one of them is counted for the first time. The others begin
 * at 0, so Prometheus sees their first fault. A tenant has no series of things that it does not use.
 */
export function expectingMetrics(metrics: CallerMetrics & Pick<Metrics, 'expect'>): CallerMetrics {
  const met = new Set<string>();
  const meet = (name: string, subject: MeteredSubject): void => {
    const key = `${subject.kind} ${name}`;
    if (met.has(key) || met.size >= mostNames) return;
    met.add(key);
    metrics.expect(subject);
  };
  return {
    ...metrics,
    toolCalled(call) {
      meet(call.action, { kind: 'action', action: call.action });
      metrics.toolCalled(call);
    },
    confirmationRequested(question) {
      meet(question.action, { kind: 'action', action: question.action });
      metrics.confirmationRequested(question);
    },
    modelCalled(call) {
      meet(call.model, { kind: call.operation ?? 'model', provider: call.provider, model: call.model });
      metrics.modelCalled(call);
    },
    callbackAsked(call) {
      meet(call.callback, { kind: 'callback', callback: call.callback });
      metrics.callbackAsked(call);
    },
    knowledgeSearched(search) {
      meet(search.source, { kind: 'knowledge', source: search.source });
      metrics.knowledgeSearched(search);
    },
  };
}
