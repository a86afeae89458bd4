import type { NodePlan } from '../nodes/node-plan.ts';
import type { CardOptions } from './card-contract.ts';
import { type CardObject, textOf } from './card-values.ts';
import { chartSeries, type ChartSeries } from './chart-data.ts';

const colours = 6;

/** A chart as a picture, with its numbers in a table beside it. Screen readers get the table and not the picture. */
export function planChart(element: CardObject, texts: CardOptions['texts']): NodePlan[] {
  const series = chartSeries(element).filter(({ points }) => points.length > 0);
  if (series.length === 0) return [];
  const title = textOf(element['title']);
  const isRound = element['type'] === 'Chart.Pie' || element['type'] === 'Chart.Donut';
  const picture = isRound
    ? planRing(series, element['type'] === 'Chart.Donut')
    : element['type'] === 'Chart.Line'
      ? planLines(series)
      : planBars(series);
  const caption: NodePlan[] = title === '' ? [] : [{ tag: 'figcaption', children: [title] }];
  const legend =
    series.length > 1 || isRound ? [planLegend(isRound ? pointNames(series) : series.map(({ name }) => name))] : [];
  return [
    {
      tag: 'figure',
      attributes: { class: 'chart' },
      children: [...caption, picture, ...legend, planNumbers(series, title, texts)],
    },
  ];
}

function pointNames(series: readonly ChartSeries[]): string[] {
  return (series[0]?.points ?? []).map(({ label }) => label);
}

function svg(height: number, children: readonly NodePlan[]): NodePlan {
  return { tag: 'svg', attributes: { viewBox: `0 0 320 ${height}`, 'aria-hidden': 'true' }, children };
}

/** One horizontal bar per point, so that long labels have room. A negative value is drawn by its size. */
function planBars(series: readonly ChartSeries[]): NodePlan {
  const largest = Math.max(...series.flatMap(({ points }) => points.map(({ value }) => Math.abs(value))), 0) || 1;
  const rows: NodePlan[] = [];
  let y = 0;
  const labels = [...new Set(series.flatMap(({ points }) => points.map(({ label }) => label)))];
  for (const label of labels) {
    rows.push({ tag: 'text', attributes: { x: '0', y: String(y + 12), class: 'label' }, children: [label] });
    y += 18;
    for (const [index, { points }] of series.entries()) {
      const point = points.find((candidate) => candidate.label === label);
      if (point === undefined) continue;
      const width = Math.max(2, (Math.abs(point.value) / largest) * 250);
      rows.push(
        {
          tag: 'rect',
          attributes: {
            x: '0',
            y: String(y),
            width: width.toFixed(1),
            height: '12',
            class: `colour-${index % colours}`,
          },
        },
        {
          tag: 'text',
          attributes: { x: (width + 6).toFixed(1), y: String(y + 10), class: 'value' },
          children: [String(point.value)],
        },
      );
      y += 16;
    }
    y += 6;
  }
  return svg(y, rows);
}

function planLines(series: readonly ChartSeries[]): NodePlan {
  const values = series.flatMap(({ points }) => points.map(({ value }) => value));
  const lowest = Math.min(0, ...values);
  const span = Math.max(...values) - lowest || 1;
  const longest = Math.max(...series.map(({ points }) => points.length));
  const x = (index: number): string => (longest === 1 ? 160 : 6 + (index / (longest - 1)) * 308).toFixed(1);
  const y = (value: number): string => (132 - ((value - lowest) / span) * 120).toFixed(1);
  const lines = series.flatMap(({ points }, index): NodePlan[] => [
    {
      tag: 'polyline',
      attributes: {
        points: points.map(({ value }, place) => `${x(place)},${y(value)}`).join(' '),
        class: `line colour-${index % colours}`,
      },
    },
    ...points.map(({ value }, place): NodePlan => ({
      tag: 'circle',
      attributes: { cx: x(place), cy: y(value), r: '3', class: `colour-${index % colours}` },
    })),
  ]);
  const [first, last] = [series[0]?.points[0], series[0]?.points.at(-1)];
  const axis: NodePlan[] = [
    { tag: 'line', attributes: { x1: '0', x2: '320', y1: y(0), y2: y(0), class: 'axis' } },
    { tag: 'text', attributes: { x: '0', y: '152', class: 'label' }, children: [first?.label ?? ''] },
    {
      tag: 'text',
      attributes: { x: '320', y: '152', 'text-anchor': 'end', class: 'label' },
      children: [last?.label ?? ''],
    },
  ];
  return svg(158, [...axis, ...lines]);
}

function planRing(series: readonly ChartSeries[], hasHole: boolean): NodePlan {
  const points = (series[0]?.points ?? []).filter(({ value }) => value > 0);
  const sum = points.reduce((total, { value }) => total + value, 0) || 1;
  let angle = -Math.PI / 2;
  const slices = points.map(({ value }, index): NodePlan => {
    // An SVG arc whose beginning and end are the same point is not drawn. A whole circle is therefore drawn a little open.
    const turn = Math.min((value / sum) * 2 * Math.PI, 2 * Math.PI - 0.001);
    const path = slicePath(angle, angle + turn, hasHole ? 42 : 0);
    angle += turn;
    return { tag: 'path', attributes: { d: path, class: `slice colour-${index % colours}` } };
  });
  return svg(150, slices);
}

function slicePath(from: number, to: number, hole: number): string {
  const point = (angle: number, radius: number): string =>
    `${(160 + radius * Math.cos(angle)).toFixed(2)} ${(75 + radius * Math.sin(angle)).toFixed(2)}`;
  const isLarge = to - from > Math.PI ? 1 : 0;
  return (
    `M${point(from, 72)}A72 72 0 ${isLarge} 1 ${point(to, 72)}` +
    `L${point(to, hole)}${hole === 0 ? '' : `A${hole} ${hole} 0 ${isLarge} 0 ${point(from, hole)}`}Z`
  );
}

function planLegend(names: readonly string[]): NodePlan {
  return {
    tag: 'ul',
    attributes: { class: 'legend', 'aria-hidden': 'true' },
    children: names.map((name, index) => ({
      tag: 'li',
      attributes: { class: `colour-${index % colours}` },
      children: [name],
    })),
  };
}

function planNumbers(series: readonly ChartSeries[], title: string, texts: CardOptions['texts']): NodePlan {
  const labels = [...new Set(series.flatMap(({ points }) => points.map(({ label }) => label)))];
  const cell = (name: string, label: string): string => {
    const point = series.find((one) => one.name === name)?.points.find((candidate) => candidate.label === label);
    return point === undefined ? '' : String(point.value);
  };
  const names = series.map(({ name }): NodePlan => ({ tag: 'th', attributes: { scope: 'col' }, children: [name] }));
  const head: NodePlan = { tag: 'tr', children: [{ tag: 'td' }, ...names] };
  const rows = labels.map((label): NodePlan => ({
    tag: 'tr',
    children: [
      { tag: 'th', attributes: { scope: 'row' }, children: [label] },
      ...series.map(({ name }): NodePlan => ({ tag: 'td', children: [cell(name, label)] })),
    ],
  }));
  const table: NodePlan = {
    tag: 'table',
    children: [
      { tag: 'caption', attributes: { class: 'visually-hidden' }, children: [title === '' ? texts.table : title] },
      { tag: 'thead', children: [head] },
      { tag: 'tbody', children: rows },
    ],
  };
  return { tag: 'details', children: [{ tag: 'summary', children: [texts.showData] }, table] };
}
