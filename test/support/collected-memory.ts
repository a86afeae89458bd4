import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes this process holds once all garbage is collected. */
export function collectedMemory(): number {
  setFlagsFromString('--expose-gc');
  // Thrice: what a finaliser lets go of is garbage of the next round.
  runInNewContext('gc(); gc(); gc();');
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
