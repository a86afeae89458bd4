/** Preloaded (`--import`) where a process has to tell of itself: other systems than Linux, and forced collection. */
import type { Usage } from './usage.ts';

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const main = process.threadCpuUsage();
  return {
    cpuMicroseconds: user + system,
    mainThreadMicroseconds: main.user + main.system,
    residentBytes: process.memoryUsage.rss(),
  };
}

async function collected(): Promise<Usage> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return usage();
}

process.on('message', (question) => {
  if (question === 'usage') process.send?.(usage());
  if (question === 'collect') void collected().then((answer) => process.send?.(answer));
});
process.channel?.unref();
