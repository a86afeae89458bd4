import { randomFillSync } from 'node:crypto';

const idBytes = 16;
/** Random bytes that are drawn in advance, so that one call to the operating system serves many ids. Each byte is used once. */
const drawn = Buffer.alloc(idBytes * 256);
let used = drawn.length;

/** An opaque, unguessable id: 128 random bits as 22 characters of `[A-Za-z0-9_-]` (contract/addresses.md#answers). */
export function randomId(): string {
  return next('base64url');
}

/** 128 random bits as 32 hexadecimal digits. */
export function randomHexId(): string {
  return next('hex');
}

function next(encoding: 'base64url' | 'hex'): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += idBytes;
  return drawn.toString(encoding, used - idBytes, used);
}
