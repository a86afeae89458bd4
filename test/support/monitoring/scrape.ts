import type { Matcher, Selector } from './promql.ts';

/** One series of a scrape. */
export interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Labels that Prometheus itself adds to what it scrapes. */
export const targetLabels = ['namespace', 'job', 'instance'];

/**
 * The series of a page in Prometheus' text format.
 * @throws Error for a line that is no sample.
 */
export function seriesOf(page: string): readonly Series[] {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, metric, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (metric === undefined) throw new Error(`not a sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', text = '']) => [name, text]);
    return { metric, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
  });
}

/** The parts of this selector that match nothing in the scrape, in words. */
export function missingFor({ metric, matchers }: Selector, scrape: readonly Series[]): readonly string[] {
  const own = scrape.filter((series) => series.metric === metric);
  if (own.length === 0) return [`${metric} is not scraped`];
  const about = matchers.filter(({ label }) => !targetLabels.includes(label));
  const unknown = about.flatMap((matcher) => namesNothing(matcher, own).map((text) => `${metric}: ${text}`));
  const isThere = own.some(({ labels }) => about.every((matcher) => matches(matcher, labels)));
  return isThere ? unknown : [...unknown, `${metric}: no series is selected`];
}

/** The values of a matcher that no series has. This finds misspelt values. */
function namesNothing({ label, operator, value }: Matcher, series: readonly Series[]): readonly string[] {
  if (series.every(({ labels }) => labels[label] === undefined)) return [`there is no label ${label}`];
  const named = operator === '=' || operator === '!=' ? [value] : value.split('|');
  const isOne = (name: string): boolean =>
    series.some(({ labels }) => matches({ label, operator: operator.includes('~') ? '=~' : '=', value: name }, labels));
  return named.filter((name) => !isOne(name)).map((name) => `no ${label} is ${name}`);
}

function matches({ label, operator, value }: Matcher, labels: Series['labels']): boolean {
  const actual = labels[label] ?? '';
  const isLike = operator.includes('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
  return operator.startsWith('!') ? !isLike : isLike;
}
