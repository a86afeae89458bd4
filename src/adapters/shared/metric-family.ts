/** One number of a metric. */
export interface NumberSeries {
  /** Label values, in the order of the metric's `labelNames`. There are fewer values when the last labels do not apply. */
  readonly labels: readonly string[];
  readonly value: number;
}

/** The values of one series of a histogram. */
export interface BucketSeries {
  readonly labels: readonly string[];
  /** The number of values in each bucket. Values above the last bound are in no bucket. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** A metric with its values at one moment. */
export type MetricFamily = {
  /** The name in Prometheus spelling. */
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
