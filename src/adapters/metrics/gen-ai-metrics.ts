import type { Metrics } from '../../core/ports/metrics.ts';
import { modelErrors } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

/**
 * Names, labels and buckets of the OpenTelemetry semantic conventions for generative AI, version 1.41.1, in Prometheus spelling. They are
 * repeated here because the published constants are deprecated.
 */
const callLabels = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const;
const durationBuckets = Array.from({ length: 14 }, (_unused, index) => Math.round(0.01 * 2 ** index * 100) / 100);
const mostCodes = 50;
const tokenBuckets = Array.from({ length: 14 }, (_unused, index) => 4 ** index);

/**
 * The metrics of calls of a model (contract/operations.md#metrics): those of the conventions, and further ones for which the conventions
 * have no name. Token counts are the provider's own, never estimates.
 */
export function createGenAiMetrics(page: MetricsPage): Pick<Metrics, 'modelCalled' | 'expect'> {
  const durations = page.histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'How long a model call took, retries included; error_type is empty when it went well.',
    labelNames: [...callLabels, 'error_type'],
    buckets: durationBuckets,
  });
  const usage = page.histogram({
    name: 'gen_ai_client_token_usage',
    help: 'Tokens of one model call, by type.',
    labelNames: [...callLabels, 'gen_ai_token_type'],
    buckets: tokenBuckets,
  });
  const cached = page.counter({
    name: 'helperagent_cached_input_tokens_total',
    help: 'Input tokens that the provider has read from its cache, where it says so, by model.',
    labelNames: ['model'],
  });
  const faults = page.counter({
    name: 'helperagent_model_faults_total',
    help: 'Calls of models that have failed, by model, error, HTTP status and the code of the provider.',
    labelNames: ['provider', 'model', 'error', 'status', 'code'],
  });
  const codes = new Set<string>();
  /** Providers make up their codes, so only so many become labels. */
  const codeLabel = (code: string): string => {
    if (codes.size < mostCodes) codes.add(code);
    return codes.has(code) ? code : 'other';
  };
  return {
    expect(subject) {
      if (subject.kind !== 'model' && subject.kind !== 'embeddings') return;
      const { kind, provider, model } = subject;
      const operation = kind === 'model' ? 'chat' : kind;
      for (const error of modelErrors) durations.expect(operation, provider, model, error);
      if (kind === 'model') cached.expect(model);
      for (const type of kind === 'model' ? ['input', 'output'] : ['input']) {
        usage.expect(operation, provider, model, type);
      }
    },
    modelCalled({ operation = 'chat', provider, model, durationMs, error, cachedInputTokens = 0, ...tokens }) {
      const { inputTokens, outputTokens, status, providerCode = '' } = tokens;
      if (error !== undefined && error !== 'stopped')
        faults.add(1, provider, model, error, String(status ?? ''), codeLabel(providerCode));
      durations.observe(durationMs / 1000, operation, provider, model, error ?? '');
      if (inputTokens > 0) usage.observe(inputTokens, operation, provider, model, 'input');
      if (outputTokens > 0) usage.observe(outputTokens, operation, provider, model, 'output');
      if (cachedInputTokens > 0) cached.add(cachedInputTokens, model);
    },
  };
}
