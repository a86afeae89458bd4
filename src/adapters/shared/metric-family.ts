/** One number of a metric. */
export interface NumberSeries {
  /** Label values, in the order of the metric's `labelNames`: fewer where the last labels do not apply. */
  readonly labels: readonly string[];
  readonly value: number;
}

/** What one series of a histogram has seen. */
export interface BucketSeries {
  readonly labels: readonly string[];
  /** How many values fell into each bucket; those above the last bound are in none. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** A metric as it stands at one moment. */
export type MetricFamily = {
  /** In Prometheus spelling. */
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
} & (
  | { readonly kind: 'counter' | 'gauge'; readonly series: readonly NumberSeries[] }
  | {
      readonly kind: 'histogram';
      /** Upper bounds, in ascending order. */
      readonly buckets: readonly number[];
      readonly series: readonly BucketSeries[];
    }
);
