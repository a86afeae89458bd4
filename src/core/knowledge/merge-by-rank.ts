import { fuseRanks } from '../base/fuse-ranks.ts';

/**
 * Joins lists into one. Each list has its best item first. A place in a list is worth 1 / (60 + place). An item in several lists gets the
 * sum. Scores of different sources are never compared (contract/knowledge.md#thresholds).
 */
export function mergeByRank<Item extends { readonly id: string; readonly content: string }>(
  lists: readonly (readonly Item[])[],
): readonly Item[] {
  const [only, ...others] = lists;
  if (only === undefined || others.length === 0) return only ?? [];
  const items = new Map<string, Item>();
  const keys = lists.map((list) =>
    list.map((item) => {
      // Several parts of one document share its id, so the content is a part of the key.
      const key = `${item.id}\n${item.content}`;
      if (!items.has(key)) items.set(key, item);
      return key;
    }),
  );
  return fuseRanks(keys).flatMap((key) => items.get(key) ?? []);
}
