/** How little the first places weigh more than the next: the usual constant of reciprocal rank fusion. */
const constant = 60;

/** Joins lists of ids, each with its best one first: every place is worth 1 / (60 + place), and an id in several lists has the sum. */
export function fuseRanks(lists: readonly (readonly number[])[]): readonly number[] {
  const worth = new Map<number, number>();
  for (const list of lists) {
    for (const [place, id] of list.entries()) worth.set(id, (worth.get(id) ?? 0) + 1 / (constant + place + 1));
  }
  return [...worth].sort(([, one], [, other]) => other - one).map(([id]) => id);
}
