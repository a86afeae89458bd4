/** The most levels of nested lists and objects that arguments may have. Deeper arguments can break the code that reads them. */
export const maxArgumentLevels = 64;

/** Whether the lists and objects of a value are nested deeper than `levels`. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}
