import { createHash } from 'node:crypto';

/** The number of an advisory lock. Two texts with the same number only wait for each other. */
export function lockNumber(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64BE(0).toString();
}
