import { isPeak } from './series.ts';

/** The values of the series of one hour, or of one step. */
export type HourValues = ReadonlyMap<string, number>;

/** The values of an hour, and the values of its steps by the moment at which each step began. */
export interface KeptHour {
  readonly values: HourValues;
  readonly steps: ReadonlyMap<number, HourValues>;
}

/** The key of the steps in the text of an hour. No series has this name. Versions without steps skip the key. */
const stepsKey = 'steps';

/** Writes an hour as text for the store. */
export function textOfHour({ values, steps }: KeptHour): string {
  const kept = Object.fromEntries([...steps].map(([at, counted]) => [String(at), Object.fromEntries(counted)]));
  return JSON.stringify({ ...Object.fromEntries(values), ...(steps.size === 0 ? {} : { [stepsKey]: kept }) });
}

/** Reads a text that `textOfHour` has written, in this version or another. */
export function hourOfText(figures: string): KeptHour {
  const written: unknown = JSON.parse(figures);
  const steps = isRecord(written) ? written[stepsKey] : undefined;
  const entries = isRecord(steps) ? Object.entries(steps) : [];
  return {
    values: valuesOf(written),
    steps: new Map(entries.map(([at, values]) => [Number(at), valuesOf(values)] as const)),
  };
}

/** The values of several hours together. */
export function sumOf(hours: Iterable<HourValues>): HourValues {
  const sum = new Map<string, number>();
  for (const values of hours) addTo(sum, values);
  return sum;
}

/** Adds `more` to `values`. Of two peaks the higher one stays. */
export function addTo(values: Map<string, number>, more: HourValues): void {
  for (const [series, value] of more) {
    const known = values.get(series);
    if (known === undefined) values.set(series, value);
    else values.set(series, isPeak(series) ? Math.max(known, value) : known + value);
  }
}

function valuesOf(written: unknown): HourValues {
  const entries = isRecord(written) ? Object.entries(written) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
