import { type CardObject, numberOf, objectsOf, textOf } from './card-values.ts';

export interface ChartPoint {
  readonly label: string;
  readonly value: number;
}

export interface ChartSeries {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

/**
 * The numbers of a chart, as in Adaptive Cards. `data` is a list of points or a list of series. A point has `x` and `y`, or `legend` and
 * `value`. A series has `legend` and `values`, which is a list of points.
 */
export function chartSeries(element: CardObject): ChartSeries[] {
  const data = objectsOf(element['data']);
  const hasSeries = data.some((item) => Array.isArray(item['values']));
  if (!hasSeries) return [{ name: textOf(element['title']), points: pointsOf(data) }];
  return data.map((series) => ({ name: textOf(series['legend']), points: pointsOf(objectsOf(series['values'])) }));
}

function pointsOf(items: readonly CardObject[]): ChartPoint[] {
  return items.flatMap((item) => {
    const value = numberOf(item['y'] ?? item['value']);
    return value === undefined ? [] : [{ label: textOf(item['x'] ?? item['legend'] ?? item['label']), value }];
  });
}
