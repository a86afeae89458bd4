/** The most series that a metric gets by counting. Further label values are counted as `other`, so that no label can fill the memory. */
const maxChildren = 500;

/** The most series that are made in advance, for names from the configuration, plugins and callbacks. */
const maxExpected = 5000;

/** The series of one metric. */
export interface Children<Child> {
  /** The series for these label values, in the order in which the metric declares them. */
  of(...values: string[]): Child;
  /** Makes a series in advance, unless there are too many already. Such a series does not count towards the limit of the others. */
  expect(...values: string[]): void;
}

/** Finds the series of a metric. Finding one again costs a map lookup instead of a new object. */
export function cachedChildren<Child>(create: (...values: string[]) => Child): Children<Child> {
  const children = new Map<string, Child>();
  let expected = 0;
  const childOf = (values: readonly string[]): Child => {
    const key = keyOf(values);
    const known = children.get(key);
    if (known !== undefined) return known;
    const child = create(...values);
    children.set(key, child);
    return child;
  };
  return {
    of: (...values) => {
      if (children.size - expected < maxChildren || children.has(keyOf(values))) return childOf(values);
      return childOf(values.map(() => 'other'));
    },
    expect: (...values) => {
      if (expected >= maxExpected || children.has(keyOf(values))) return;
      expected += 1;
      childOf(values);
    },
  };
}

function keyOf(values: readonly string[]): string {
  return values.join('\u0000');
}
