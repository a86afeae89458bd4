import type { MetricFamily } from '../shared/metric-family.ts';
import { cachedChildren, type Children } from './cached-children.ts';

export interface MetricOptions {
  readonly name: string;
  /** One line of text. */
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Label values of the series that are made in advance. */
  readonly known?: readonly (readonly string[])[];
}

/** Makes a series in advance, with the value 0. Prometheus cannot see the first count of a series that begins at 1. */
interface Expecting {
  expect(...labels: string[]): void;
}

/** A number for each combination of label values, which are given in the order of `labelNames`. */
export interface Tally extends Expecting {
  add(amount: number, ...labels: string[]): void;
}

/** A histogram for each combination of label values, which are given in the order of `labelNames`. */
export interface Distribution extends Expecting {
  observe(value: number, ...labels: string[]): void;
}

/**
 * Metrics that are counted many times a second and read a few times a minute. A series consists of plain numbers, found by its label
 * values. All other work waits until the metrics are read.
 */
export class MetricsPage {
  readonly #families: (() => MetricFamily)[] = [];
  readonly #tenant: string | undefined;

  /** With `tenant`, this label is the last one of all series. Histograms then have no series in advance, because there are many tenants. */
  constructor(tenant?: string) {
    this.#tenant = tenant;
  }

  counter(options: MetricOptions): Tally {
    const { name, help, labelNames = [] } = options;
    const { all, made } = seriesOf(options, (labels) => ({ labels: this.#labels(labels), value: 0 }));
    this.#families.push(() => ({ name, help, labelNames, kind: 'counter', series: made }));
    return {
      add(amount, ...labels) {
        all.of(...labels).value += counted(amount);
      },
      expect: (...labels) => {
        all.expect(...labels);
      },
    };
  }

  /** A gauge that is read together with the metrics. Each row is a value and its label values. */
  reading({ name, help, labelNames = [] }: MetricOptions, read: () => readonly Reading[]): void {
    this.#families.push(() => {
      const series = read().map(([value, ...labels]) => ({ labels: this.#labels(labels), value }));
      return { name, help, labelNames, kind: 'gauge', series };
    });
  }

  /** `buckets` are upper bounds, in ascending order. */
  histogram(options: MetricOptions & { readonly buckets: readonly number[] }): Distribution {
    const { name, help, labelNames = [], buckets } = options;
    const { all, made } = seriesOf(this.#tenant === undefined ? options : { ...options, known: [] }, (labels) => ({
      labels: this.#labels(labels),
      counts: buckets.map(() => 0),
      count: 0,
      sum: 0,
    }));
    this.#families.push(() => ({ name, help, labelNames, kind: 'histogram', buckets, series: made }));
    return {
      observe(observed, ...labels) {
        const value = counted(observed);
        const series = all.of(...labels);
        const bucket = buckets.findIndex((bound) => value <= bound);
        if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.count += 1;
        series.sum += value;
      },
      expect: (...labels) => {
        if (this.#tenant === undefined) all.expect(...labels);
      },
    };
  }

  /** All metrics with their present values. The counts in the result go on, so a caller that keeps it MUST copy it. */
  families(): readonly MetricFamily[] {
    return this.#families.map((family) => family());
  }

  #labels(labels: readonly string[]): readonly string[] {
    return this.#tenant === undefined ? labels : [...labels, this.#tenant];
  }
}

/** What a sum grows by. A sum that falls would look like a restart, so a time that a clock which was set back makes negative counts as 0. */
function counted(amount: number): number {
  return Math.max(0, amount);
}

/** A value and its label values. */
export type Reading = readonly [value: number, ...labels: string[]];

/** The series of a metric: a way to find one, and the list of all in the order in which they were made. */
function seriesOf<Series>(
  { labelNames = [], known = labelNames.length === 0 ? [[]] : [] }: MetricOptions,
  create: (labels: readonly string[]) => Series,
): { readonly all: Children<Series>; readonly made: readonly Series[] } {
  const made: Series[] = [];
  const all = cachedChildren((...labels) => {
    const series = create(labels);
    made.push(series);
    return series;
  });
  for (const values of known) all.expect(...values);
  return { all, made };
}
