/**
 * How many times as much work it is for this thread to do `run` for four times the size: 4 is in proportion, and 16 the square. The least
 * of three runs counts, so that neither what else the machine does nor the first run decides.
 */
export function growth(size: number, run: (size: number) => unknown): number {
  const least = (of: number): number => Math.min(...[1, 2, 3].map(() => work(() => run(of))));
  const small = least(size);
  return least(4 * size) / Math.max(small, shortestMicroseconds);
}

/** Far more than in proportion, and far less than the square. */
export const mostGrowth = 10;

/** Less work is not measured well, and is little. */
const shortestMicroseconds = 50_000;

function work(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
