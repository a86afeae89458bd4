/** The texts and numbers that a user has typed into a question: those of the changed arguments that the original ones lack. One a line. */
export function typedByUser(original: unknown, edited: unknown): string {
  const before = new Set(leavesOf(original));
  return leavesOf(edited)
    .filter((leaf) => !before.has(leaf))
    .join('\n');
}

/** The texts and numbers in a value. Numbers are texts as JSON writes them. */
export function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [JSON.stringify(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}
