import { createHash } from 'node:crypto';

/** Two texts with the same hash have the same vector. */
export function textHashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27);
}
