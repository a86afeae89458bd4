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
  const number = new Intl.NumberFormat(texts.locale, { maximumFractionDigits: 6 });
  const picture = isRound
    ? planRing(series, element['type'] === 'Chart.Donut')
    : element['type'] === 'Chart.Line'
      ? planLines(series, new Intl.NumberFormat(texts.locale, { notation: 'compact', maximumFractionDigits: 3 }))
      : planBars(series, number);
  const caption: NodePlan[] = title === '' ? [] : [{ tag: 'figcaption', children: [title] }];
  const legend =
    series.length > 1 || isRound
      ? [planLegend(isRound ? pointNames(series, number) : series.map(({ name }) => name))]
      : [];
  const summary: NodePlan = { tag: 'summary', children: [texts.showData] };
  const numbers = planNumbers(series, title === '' ? texts.table : title, number);
  return [
    {
      tag: 'figure',
      attributes: { class: 'chart' },
      children: [...caption, picture, ...legend, { tag: 'details', children: [summary, numbers] }],
    },
  ];
}

/** The points of a ring with their numbers, which the ring has no scale for. */
function pointNames(series: readonly ChartSeries[], number: Intl.NumberFormat): string[] {
  return (series[0]?.points ?? []).map(({ label: name, value }) => `${name} ${number.format(value)}`);
}

/** The labels of all points, each once. */
function labelsOf(series: readonly ChartSeries[]): string[] {
  return [...new Set(series.flatMap(({ points }) => points.map((point) => point.label)))];
}

function svg(height: number, children: readonly NodePlan[]): NodePlan {
  return { tag: 'svg', attributes: { viewBox: `0 0 320 ${height}`, 'aria-hidden': 'true' }, children };
}

/** One horizontal bar per point, so that long labels have room. A negative value is drawn by its size. */
function planBars(series: readonly ChartSeries[], number: Intl.NumberFormat): NodePlan {
  const largest = Math.max(...series.flatMap(({ points }) => points.map(({ value }) => Math.abs(value))), 0) || 1;
  const rows: NodePlan[] = [];
  let y = 0;
  for (const name of labelsOf(series)) {
    rows.push(label(name, [0, y + 12], 'start'));
    y += 18;
    for (const [index, { points }] of series.entries()) {
      const point = points.find((candidate) => candidate.label === name);
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
          children: [number.format(point.value)],
        },
      );
      y += 16;
    }
    y += 6;
  }
  return svg(y, rows);
}

/** Units of the picture that a letter takes, on average. */
const letter = 6;
const [width, top, bottom] = [320, 10, 132];

/** Lines over a scale that begins at zero, or below it. Every point has its label where there is room for all. */
function planLines(series: readonly ChartSeries[], number: Intl.NumberFormat): NodePlan {
  // The difference of the largest numbers is no number.
  const values = series.flatMap(({ points }) => points.map(({ value }) => Math.max(-1e307, Math.min(value, 1e307))));
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values));
  const [lowest = 0, highest = 1] = [ticks[0], ticks.at(-1)];
  const words = ticks.map((tick) => number.format(tick));
  const left = 8 + letter * Math.max(...words.map((word) => word.length));
  const labels = labelsOf(series);
  const room = labels.length > 1 ? (width - 6 - left) / (labels.length - 1) : width - left;
  const x = (index: number): number => (labels.length > 1 ? left + index * room : (left + width) / 2);
  const y = (value: number): number => bottom - ((value - lowest) / (highest - lowest)) * (bottom - top);
  const scale = ticks.flatMap((tick, index) => [
    line([left, y(tick)], [width, y(tick)]),
    label(words[index] ?? '', [left - 6, y(tick) + 4], 'end'),
  ]);
  const longest = Math.max(...labels.map((name) => name.length)) * letter + 6;
  const step = Math.max(1, Math.ceil(longest / room));
  const names = labels.flatMap((name, index) => {
    if (index % step !== 0) return [];
    const half = (name.length * letter) / 2;
    const anchor = x(index) + half > width ? 'end' : x(index) - half < 0 ? 'start' : 'middle';
    return [label(name, [anchor === 'end' ? width : anchor === 'start' ? 0 : x(index), 152], anchor)];
  });
  const places = new Map(labels.map((name, index) => [name, x(index)]));
  const lines = series.flatMap(({ points }, index): NodePlan[] => {
    const corners = points.map((point) => [places.get(point.label) ?? 0, y(point.value)].map((at) => at.toFixed(1)));
    const colour = `colour-${index % colours}`;
    return [
      { tag: 'polyline', attributes: { points: corners.join(' '), class: `line ${colour}` } },
      ...corners.map(([cx = '', cy = '']): NodePlan => ({
        tag: 'circle',
        attributes: { cx, cy, r: '3', class: colour },
      })),
    ];
  });
  return svg(158, [...scale, ...names, ...lines]);
}

/** Round numbers from below the lowest value to above the highest, three to six of them. */
function ticksOf(lowest: number, highest: number): number[] {
  const span = highest - lowest || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => span / size <= 4) ?? span;
  const from = Math.floor(lowest / step);
  const count = Math.max(1, Math.ceil(highest / step) - from);
  // Counted in steps, because the rests of many additions would be seen.
  return Array.from({ length: count + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}

type Place = readonly [x: number, y: number];

function line([x1, y1]: Place, [x2, y2]: Place): NodePlan {
  const ends = { x1, x2, y1, y2 };
  return { tag: 'line', attributes: { ...inTenths(ends), class: 'axis' } };
}

function label(words: string, [x, y]: Place, anchor: string): NodePlan {
  return {
    tag: 'text',
    attributes: { ...inTenths({ x, y }), 'text-anchor': anchor, class: 'label' },
    children: [words],
  };
}

function inTenths(numbers: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value.toFixed(1)]));
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

function planNumbers(series: readonly ChartSeries[], caption: string, number: Intl.NumberFormat): NodePlan {
  const labels = labelsOf(series);
  const cell = (name: string, of: string): string => {
    const point = series.find((one) => one.name === name)?.points.find((candidate) => candidate.label === of);
    return point === undefined ? '' : number.format(point.value);
  };
  const names = series.map(({ name }): NodePlan => ({ tag: 'th', attributes: { scope: 'col' }, children: [name] }));
  const head: NodePlan = { tag: 'tr', children: [{ tag: 'td' }, ...names] };
  const rows = labels.map((row): NodePlan => ({
    tag: 'tr',
    children: [
      { tag: 'th', attributes: { scope: 'row' }, children: [row] },
      ...series.map(({ name }): NodePlan => ({ tag: 'td', children: [cell(name, row)] })),
    ],
  }));
  return {
    tag: 'table',
    children: [
      { tag: 'caption', attributes: { class: 'visually-hidden' }, children: [caption] },
      { tag: 'thead', children: [head] },
      { tag: 'tbody', children: rows },
    ],
  };
}
