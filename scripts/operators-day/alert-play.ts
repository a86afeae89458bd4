import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Series, seriesOf } from '../../test/support/monitoring/scrape.ts';

/** Minutes for which Prometheus sees the figures of one scrape, asking once a minute. */
const minutes = 30;

/**
 * What Prometheus must say at the end of each half hour. Alerts that only make a ticket are left out, because a busy machine may truly
 * cause one.
 */
const expected = `    promql_expr_test:
      - expr: ALERTS{alertstate="firing", severity="page"}
        eval_time: 29m
        exp_samples: []
      - expr: ALERTS{alertstate="firing", severity="page"}
        eval_time: 59m
        exp_samples:
          - labels: ALERTS{alertname="HelperOutcomeUnknown", alertstate="firing", severity="page", action="close_books", job="helper"}
            value: 1
`;

/** Writes `play.yaml`: every series of `before.txt` and then of `after.txt`, as promtool plays them to `rules.yaml`. */
export function writeAlertPlay(folder: string): void {
  const [before, after] = ['before.txt', 'after.txt'].map((name) => byName(readFileSync(join(folder, name), 'utf8')));
  if (before === undefined || after === undefined || after.size === 0) throw new Error('a scrape is empty');
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const series = names.map((name) => {
    const values = `${half(before.get(name))} ${half(after.get(name))}`;
    return `      - { series: ${JSON.stringify(name)}, values: '${values}' }\n`;
  });
  const head = `rule_files: [rules.yaml]\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n`;
  writeFileSync(join(folder, 'play.yaml'), `${head}${series.join('')}${expected}`);
}

/** Half an hour of one value, or of no sample. In promtool's notation `x29` repeats the value 29 times more. */
const half = (series: Series | undefined): string =>
  series === undefined ? `_x${String(minutes)}` : `${String(series.value)}x${String(minutes - 1)}`;

function byName(scrape: string): ReadonlyMap<string, Series> {
  return new Map(
    seriesOf(scrape).map((series) => {
      const labels = Object.entries({ ...series.labels, job: 'helper' }).map(([label, value]) => `${label}="${value}"`);
      return [`${series.metric}{${labels.join(',')}}`, series];
    }),
  );
}
