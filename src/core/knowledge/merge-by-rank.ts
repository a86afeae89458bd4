/** How little the first places weigh more than the next: the usual constant of reciprocal rank fusion. */
const constant = 60;

/**
 * Joins lists, each with its best item first, into one: every place in a list is worth 1 / (60 + place), and an item that stands in
 * several lists has the sum. Scores of different sources are never compared (contract/knowledge.md#thresholds).
 */
export function mergeByRank<Item extends { readonly id: string; readonly content: string }>(
  lists: readonly (readonly Item[])[],
): readonly Item[] {
  const [only, ...others] = lists;
  if (only === undefined || others.length === 0) return only ?? [];
  const merged = new Map<string, { readonly item: Item; readonly worth: number }>();
  for (const list of lists) {
    for (const [place, item] of list.entries()) {
      // The parts of one document share its id.
      const key = `${item.id}\n${item.content}`;
      const earlier = merged.get(key);
      const worth = (earlier?.worth ?? 0) + 1 / (constant + place + 1);
      merged.set(key, { item: earlier?.item ?? item, worth });
    }
  }
  return [...merged.values()].toSorted((one, other) => other.worth - one.worth).map(({ item }) => item);
}
