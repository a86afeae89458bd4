/** Levels of lists and objects in each other that arguments may have: what is deeper can break its readers. */
export const maxArgumentLevels = 64;

/** Whether a value has more than so many lists and objects in each other. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}
