import { cachedChildren, type Children } from './cached-children.ts';

export interface MetricOptions {
  readonly name: string;
  /** One line. */
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Label values of series that are there from the start. */
  readonly known?: readonly (readonly string[])[];
}

/** Makes a series ahead, at 0: a series that begins at 1 looks to Prometheus as if nothing had happened. */
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
 * Metrics that are counted many times a second and read a few times a minute. A series is plain numbers, found by its
 * label values; everything else waits until the page is asked for.
 */
export class MetricsPage {
  readonly #sections: (() => string)[] = [];

  counter(options: MetricOptions): Tally {
    return this.#tally('counter', options);
  }

  gauge(options: MetricOptions): Tally {
    return this.#tally('gauge', options);
  }

  /** A gauge that is read when the page is asked for: each row is a value and its label values. */
  reading({ name, help, labelNames = [] }: MetricOptions, read: () => readonly Reading[]): void {
    this.#sections.push(() => {
      const lines = read().map(([value, ...labels]) => sample(name, labelled(labelNames, labels), value));
      return [...heading(name, help, 'gauge'), ...lines].join('\n');
    });
  }

  /** `buckets` are upper bounds, in ascending order. */
  histogram(options: MetricOptions & { readonly buckets: readonly number[] }): Distribution {
    const { name, buckets } = options;
    const create = (): BucketSeries => ({ counts: buckets.map(() => 0), count: 0, sum: 0 });
    const all = this.#series('histogram', options, create, (series, labels) => {
      let below = 0;
      const lines = buckets.map((bound, index) => {
        below += series.counts[index] ?? 0;
        return sample(`${name}_bucket`, joined(`le="${String(bound)}"`, labels), below);
      });
      lines.push(sample(`${name}_bucket`, joined('le="+Inf"', labels), series.count));
      lines.push(sample(`${name}_sum`, labels, series.sum), sample(`${name}_count`, labels, series.count));
      return lines.join('\n');
    });
    return {
      observe(value, ...labels) {
        const series = all.of(...labels);
        const bucket = buckets.findIndex((bound) => value <= bound);
        if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.count += 1;
        series.sum += value;
      },
      expect: (...labels) => {
        all.expect(...labels);
      },
    };
  }

  /** All metrics in the Prometheus text format. */
  render(): string {
    return this.#sections.map((section) => `${section()}\n`).join('\n');
  }

  #tally(type: string, options: MetricOptions): Tally {
    const create = (): { value: number } => ({ value: 0 });
    const all = this.#series(type, options, create, ({ value }, labels) => sample(options.name, labels, value));
    return {
      add(amount, ...labels) {
        all.of(...labels).value += amount;
      },
      expect: (...labels) => {
        all.expect(...labels);
      },
    };
  }

  /** Registers a metric, and returns how its series are found. */
  // eslint-disable-next-line max-params -- two values and what the two kinds of metric do differently
  #series<Series>(
    type: string,
    { name, help, labelNames = [], known = labelNames.length === 0 ? [[]] : [] }: MetricOptions,
    create: () => Series,
    render: (series: Series, labels: string) => string,
  ): Children<Series> {
    const made: { readonly series: Series; readonly labels: string }[] = [];
    const all = cachedChildren((...values) => {
      const series = create();
      made.push({ series, labels: labelled(labelNames, values) });
      return series;
    });
    for (const values of known) all.expect(...values);
    this.#sections.push(() => {
      const lines = made.map(({ series, labels }) => render(series, labels));
      return [...heading(name, help, type), ...lines].join('\n');
    });
    return all;
  }
}

/** A value and its label values. */
export type Reading = readonly [value: number, ...labels: string[]];

interface BucketSeries {
  /** How many values fell into each bucket. */
  readonly counts: number[];
  count: number;
  sum: number;
}

function heading(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelled(names: readonly string[], values: readonly string[]): string {
  return names.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`).join(',');
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${String(value)}`;
}

function joined(label: string, labels: string): string {
  return labels === '' ? label : `${label},${labels}`;
}

/** A model's name is what a provider says it is. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
