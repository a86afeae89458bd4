/** Series a metric may grow to. What comes later is counted as `other`, so that no label can fill the memory. */
const maxChildren = 500;

/**
 * Finds the series of a metric for its label values, in the order the metric declares them. Looking one up again costs
 * a map lookup instead of a new object.
 */
export function cachedChildren<Child>(create: (...values: string[]) => Child): (...values: string[]) => Child {
  const children = new Map<string, Child>();
  const childOf = (values: readonly string[]): Child => {
    const key = values.join('\u0000');
    const known = children.get(key);
    if (known !== undefined) return known;
    const child = create(...values);
    children.set(key, child);
    return child;
  };
  return (...values) => {
    if (children.size < maxChildren || children.has(values.join('\u0000'))) return childOf(values);
    return childOf(values.map(() => 'other'));
  };
}
