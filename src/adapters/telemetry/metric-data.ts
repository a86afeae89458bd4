import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { MetricFamily } from '../shared/metric-family.ts';
import { attribute, providerName } from './gen-ai.ts';

/** The beginning and the end of the counted time. */
export interface CountedTime {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Names of the conventions that differ from the Prometheus spelling by more than the unit. */
const conventionNames: Readonly<Record<string, { readonly name: string; readonly unit: string }>> = {
  gen_ai_client_operation_duration_seconds: { name: 'gen_ai.client.operation.duration', unit: 's' },
  gen_ai_client_token_usage: { name: 'gen_ai.client.token.usage', unit: '{token}' },
};
const conventionLabels: Readonly<Record<string, string>> = {
  gen_ai_operation_name: attribute.operation,
  gen_ai_provider_name: attribute.provider,
  gen_ai_request_model: attribute.requestModel,
  gen_ai_token_type: 'gen_ai.token.type',
  error_type: attribute.errorType,
};

/** A metric for OTLP. Numbers, labels and buckets are the same as on the Prometheus page, and cumulative. */
export function metricData(family: MetricFamily, time: CountedTime): MetricData {
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  const descriptor = { ...nameOf(family.name), description: family.help, valueType: ValueType.DOUBLE };
  const attributesOf = (labels: readonly string[]): Attributes => attributesOfSeries(family.labelNames, labels);
  switch (family.kind) {
    case 'counter': {
      const dataPoints = family.series.map(({ labels, value }) => ({
        ...time,
        attributes: attributesOf(labels),
        value,
      }));
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
    }
    case 'gauge': {
      const dataPoints = family.series.map(({ labels, value }) => ({
        ...time,
        attributes: attributesOf(labels),
        value,
      }));
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints };
    }
    case 'histogram': {
      const boundaries = [...family.buckets];
      const dataPoints = family.series.map(({ labels, counts, count, sum }) => {
        const above = count - counts.reduce((total, each) => total + each, 0);
        const value = { buckets: { boundaries, counts: [...counts, above] }, count, sum };
        return { ...time, attributes: attributesOf(labels), value };
      });
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints };
    }
  }
}

/**
 * The name for OTLP: `helperagent_guardrail_blocks_total` is `helperagent.guardrail_blocks` there. Prometheus adds `_total` and the unit
 * itself where it reads such names.
 */
function nameOf(name: string): { readonly name: string; readonly unit: string } {
  const known = conventionNames[name];
  if (known !== undefined) return known;
  const dotted = name.replace(/^helperagent_/, 'helperagent.').replace(/_(total|seconds)$/, '');
  return { name: dotted, unit: name.endsWith('_seconds') ? 's' : '' };
}

/** The labels of a series. Prometheus treats an empty label as a missing one, so it is left out. */
function attributesOfSeries(names: readonly string[], labels: readonly string[]): Attributes {
  const pairs = names.map((name, index) => {
    const key = conventionLabels[name] ?? name;
    const label = labels[index] ?? '';
    return [key, key === attribute.provider ? providerName(label) : label] as const;
  });
  return Object.fromEntries(pairs.filter(([, label]) => label !== ''));
}
