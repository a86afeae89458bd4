/** Preloaded (`--import`) into a process that must report its own usage: on systems other than Linux, and for forced garbage collection. */
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
