import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The bytes that this process holds after a full garbage collection. */
export function collectedMemory(): number {
  setFlagsFromString('--expose-gc');
  // Three rounds are needed: memory that a finaliser releases is collected in the next round.
  runInNewContext('gc(); gc(); gc();');
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
