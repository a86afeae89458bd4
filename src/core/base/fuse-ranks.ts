/** How little the first places weigh more than the next: the usual constant of reciprocal rank fusion. */
const constant = 60;

/** Joins lists, each with its best one first: every place is worth 1 / (60 + place), and what stands in several lists has the sum. */
export function fuseRanks<Id>(lists: readonly (readonly Id[])[]): readonly Id[] {
  const worth = new Map<Id, number>();
  for (const list of lists) {
    for (const [place, id] of list.entries()) worth.set(id, (worth.get(id) ?? 0) + 1 / (constant + place + 1));
  }
  return [...worth].sort(([, one], [, other]) => other - one).map(([id]) => id);
}
