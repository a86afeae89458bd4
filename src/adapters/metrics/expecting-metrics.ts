import type { CallerMetrics, MeteredSubject, Metrics } from '../../core/ports/metrics.ts';

/** Names that are looked after. What has a further name has series with the first count of each, as everything else has. */
const mostNames = 1000;

/**
 * Has the series of an action, a model, a callback or a source made together, once something is counted of one of them: a series that is
 * there at 0 shows its first fault, and no tenant has series of what it does not use.
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
