import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** A new id of a replica: 8 random characters of lower-case base32. */
export function newReplicaId(): string {
  // 32 divides 256, so all characters are equally frequent.
  return Array.from(randomBytes(8), (byte) => alphabet.charAt(byte % 32)).join('');
}
