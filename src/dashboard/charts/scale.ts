/** Round values for the lines of an axis from 0 to at least `highest`: about four of them, no closer together than `least`. */
export function axisSteps(highest: number, least = 0): readonly number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const step = Math.max(least, round);
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** A part of a line without gaps: the index and the value of each of its points. */
export type Stretch = readonly (readonly [index: number, value: number])[];

/** Cuts a line where it has no value. */
export function stretches(values: readonly (number | null)[]): readonly Stretch[] {
  const found: (readonly [number, number])[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const before = found.at(-1);
    if (before !== undefined && before.at(-1)?.[0] === index - 1) before.push([index, value]);
    else found.push([[index, value]]);
  });
  return found;
}

/** The indexes that get a label: at most `most` of `count`, evenly spaced, the first one included. */
export function labelled(count: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
