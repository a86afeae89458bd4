import type { JSX } from 'preact';
import { errorKinds, type HourlyFigures, type MetricTotals } from '../../wire/admin-metrics.ts';
import { type Line, LineChart } from '../charts/line-chart.tsx';
import type { PageContext, Shown } from '../page-context.ts';

const hourMs = 60 * 60 * 1000;

/** The charts of the range, by hours or by steps of five minutes. */
export function Charts({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts, formats } = context;
  const { hourly, stepMs } = shown.metrics;
  const times = hourly.map(({ at }) => Date.parse(at));
  const number = (value: number): string => formats.number(value);
  const duration = (value: number): string => formats.duration(value);
  const ofKinds = errorKinds.map((kind) => lineOf(texts.kinds[kind], hourly, ({ kinds }) => kinds[kind]));
  const named = (read: (figures: HourlyFigures) => Readonly<Record<string, number>>): readonly Line[] =>
    namesOf(hourly, read).map((name) => lineOf(name, hourly, (figures) => read(figures)[name] ?? 0));
  const latency = [
    lineOf(texts.half, hourly, ({ latency: { p50 } }) => p50),
    lineOf(texts.most, hourly, ({ latency: { p95 } }) => p95),
    lineOf(texts.firstTextHalf, hourly, ({ latency: { firstTokenP50 } }) => firstTokenP50),
    lineOf(texts.firstTextMost, hourly, ({ latency: { firstTokenP95 } }) => firstTokenP95),
  ];
  const tokens = [
    lineOf(texts.tokensIn, hourly, ({ inputTokens }) => inputTokens),
    lineOf(texts.tokensOut, hourly, ({ outputTokens }) => outputTokens),
    lineOf(texts.fromCache, hourly, ({ cachedInputTokens }) => cachedInputTokens),
  ];
  const ratings = [
    lineOf(texts.ratedGood, hourly, ({ goodRatings }) => goodRatings),
    lineOf(texts.ratedBad, hourly, ({ badRatings }) => badRatings),
  ];
  const share = ({ goodRatings: good, badRatings: bad }: MetricTotals): number | null =>
    good + bad === 0 ? null : good / (good + bad);
  const rated = [
    { id: 'chart-ratings', title: texts.ratings, lines: ratings, format: number, isCount: true },
    {
      id: 'chart-good-ratings',
      title: texts.goodShare,
      lines: [lineOf(texts.ratedGood, hourly, share)],
      format: (value: number) => formats.share(value),
    },
  ];
  const charts = [
    {
      id: 'chart-turns',
      title: texts.turnsByChannel,
      lines: named(({ channels }) => channels),
      format: number,
      isCount: true,
    },
    { id: 'chart-latency', title: texts.latency, lines: latency, format: duration },
    { id: 'chart-tokens', title: texts.tokens, lines: tokens, format: number, isCount: true },
    {
      id: 'chart-costs',
      title: texts.costByModel,
      lines: named(({ costs }) => costs),
      format: (value: number) => formats.cost(value),
      nothing: shown.metrics.totals.cost === null ? texts.noPrice : texts.nothing,
    },
    { id: 'chart-faults', title: texts.faultsByKind, lines: ofKinds, format: number, isCount: true },
    ...(share(shown.metrics.totals) === null ? [] : rated),
  ];
  return (
    <section aria-labelledby="charts-title">
      <h2 id="charts-title">{texts.trends}</h2>
      <p class="hint">{stepMs < hourMs ? texts.byFiveMinutes : texts.byTheHour}</p>
      <div class="charts">
        {charts.map((chart) => (
          <LineChart key={chart.id} context={context} times={times} nothing={texts.nothing} {...chart} />
        ))}
      </div>
    </section>
  );
}

function lineOf(name: string, hourly: readonly HourlyFigures[], read: (figures: HourlyFigures) => number | null): Line {
  return { name, values: hourly.map(read) };
}

/** The six names with the highest sums. Nobody can tell more lines apart. The tables have all names. */
function namesOf(
  hourly: readonly HourlyFigures[],
  read: (figures: HourlyFigures) => Readonly<Record<string, number>>,
): readonly string[] {
  const sums = new Map<string, number>();
  for (const figures of hourly) {
    for (const [name, value] of Object.entries(read(figures))) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 6)
    .map(([name]) => name);
}
