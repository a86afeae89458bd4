import type { BucketSeries, MetricFamily } from '../shared/metric-family.ts';

/** Writes a metric in the Prometheus text format. */
export function familyText(family: MetricFamily): string {
  const { name, help, kind } = family;
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`];
  if (family.kind === 'histogram') {
    for (const series of family.series) lines.push(...bucketLines(family, series));
  } else {
    for (const { labels, value } of family.series) lines.push(sample(name, labelled(family.labelNames, labels), value));
  }
  return lines.join('\n');
}

function bucketLines(
  { name, labelNames, buckets }: Extract<MetricFamily, { readonly kind: 'histogram' }>,
  { labels, counts, count, sum }: BucketSeries,
): readonly string[] {
  const shown = labelled(labelNames, labels);
  let below = 0;
  const lines = buckets.map((bound, index) => {
    below += counts[index] ?? 0;
    return sample(`${name}_bucket`, joined(`le="${String(bound)}"`, shown), below);
  });
  lines.push(sample(`${name}_bucket`, joined('le="+Inf"', shown), count));
  lines.push(sample(`${name}_sum`, shown, sum), sample(`${name}_count`, shown, count));
  return lines;
}

function labelled(names: readonly string[], values: readonly string[]): string {
  return values.map((value, index) => `${names[index] ?? ''}="${escaped(value)}"`).join(',');
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${String(value)}`;
}

function joined(label: string, labels: string): string {
  return labels === '' ? label : `${label},${labels}`;
}

/** Escapes a label value. The name of a model may be any text of a provider. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
