/**
 * Prints how much slower than the reference the processors of this machine are just now, as a factor: 2 is half the speed. All of them work
 * at once, as in a run of the tests, because two that share a core slow each other down. It counts the time of the processors, which other
 * programs do not change as they change the clock.
 *
 * Usage: `node scripts/processor-speed.ts`
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Script } from 'node:vm';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** The seconds of one processor that the work takes where the figures of CONTRIBUTING.md were measured. */
const referenceSeconds = 1.43;

/** What tests do most: compile, allocate, parse and compare texts. */
function work(): number {
  let sum = 0;
  for (let round = 0; round < 200; round++) {
    const source = Array.from(
      { length: 400 },
      (_, index) => `function f${round}_${index}(a, b) { return a * ${index} + b; }`,
    );
    sum += Number(new Script(`${source.join('\n')}\nf${round}_1(2, 3);`).runInThisContext());
    const rows = Array.from({ length: 4000 }, (_, index) => ({
      id: `${(index * 7919) % 4001}`,
      words: [`w${index % 97}`, 'of'],
    }));
    const read = JSON.parse(JSON.stringify(rows)) as typeof rows; // written one line above
    const byId = new Map(read.map((row) => [row.id, row]));
    sum += read.toSorted((a, b) => a.id.localeCompare(b.id)).length + byId.size;
    sum += createHash('sha256').update(JSON.stringify(read)).digest()[0] ?? 0;
    sum += JSON.stringify(read).replace(/w(\d+)/g, '$1w').length;
  }
  return sum;
}

async function measured(): Promise<number> {
  const count = availableParallelism();
  const before = process.cpuUsage();
  const workers = Array.from({ length: count }, () => new Worker(new URL(import.meta.url)));
  await Promise.all(
    workers.map((worker) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      worker.once('message', resolve).once('error', reject);
      return promise;
    }),
  );
  const { user, system } = process.cpuUsage(before);
  await Promise.all(workers.map((worker) => worker.terminate()));
  return (user + system) / 1e6 / count;
}

if (isMainThread) process.stdout.write(`${((await measured()) / referenceSeconds).toFixed(2)}\n`);
else parentPort?.postMessage(work());
