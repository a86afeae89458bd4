/** The most levels of nested lists and objects that arguments may have. Deeper arguments can break the code that reads them. */
export const maxArgumentLevels = 64;

/** Whether the lists and objects of a value are nested deeper than `levels`. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const child of children)
    if (typeof child === 'object' && child !== null && isDeeperThan(levels - 1, child)) return true;
  return false;
}

/** Whether a value has more than `most` values in it, itself and names of members not counted. Stops as soon as that is known. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value];
  for (let seen = 0; open.length > 0;) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    seen += members.length;
    if (seen > most) return true;
    for (const member of members) open.push(member);
  }
  return false;
}
