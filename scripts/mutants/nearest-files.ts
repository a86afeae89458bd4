import type { Played } from './player.ts';

/** Which test files reach which mutants. */
export type Reach = ReadonlyMap<number, ReadonlySet<string>>;

/** Reads the lines that `mutant-switch.ts` writes: a number and a file. A mutant that no test file reaches is not in it. */
export function readReach(text: string): Reach {
  const reach = new Map<number, Set<string>>();
  for (const line of text.split('\n')) {
    const [id = '', file = ''] = line.split('\t');
    if (file === '') continue;
    const files = reach.get(Number(id)) ?? new Set();
    reach.set(Number(id), files.add(file));
  }
  return reach;
}

/**
 * For each mutant the files that reach it, the nearest first: those that reach the fewest mutants have the most to say about each, and of
 * two the quicker one comes first. Files that are not among those given are left out.
 */
export function nearestFiles(reach: Reach, usable: readonly Played[]): ReadonlyMap<number, readonly string[]> {
  const reaching = new Map<string, number>();
  for (const file of [...reach.values()].flatMap((files) => [...files])) {
    reaching.set(file, (reaching.get(file) ?? 0) + 1);
  }
  const inOrder = usable
    .map((played) => ({ ...played, mutants: reaching.get(played.file) ?? 0 }))
    .sort((a, b) => a.mutants - b.mutants || a.milliseconds - b.milliseconds)
    .map(({ file }) => file);
  return new Map([...reach].map(([id, files]) => [id, inOrder.filter((file) => files.has(file))]));
}
