/** The usual constant of reciprocal rank fusion. The larger it is, the smaller is the advantage of the first places. */
const constant = 60;

/**
 * Joins lists that have their best entry first. An entry gets 1 / (60 + place) from each list that it stands in. The sums decide the order.
 */
export function fuseRanks<Id>(lists: readonly (readonly Id[])[]): readonly Id[] {
  const worth = new Map<Id, number>();
  for (const list of lists) {
    list.forEach((id, place) => {
      worth.set(id, (worth.get(id) ?? 0) + 1 / (constant + place + 1));
    });
  }
  return [...worth.keys()].sort((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0));
}
