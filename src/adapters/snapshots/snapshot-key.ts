import { createHash } from 'node:crypto';

/** A key, and its name that is not encrypted. A snapshot shows by this name which key opens it. */
export interface SnapshotKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * A key from its text: 32 bytes in base64 or base64url.
 * @throws Error that does not show the text.
 */
export function readSnapshotKey(text: string): SnapshotKey {
  const bytes = Buffer.from(text, 'base64');
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(text) || bytes.length !== 32) throw new Error('a key is 32 bytes in base64');
  const id = createHash('sha256').update('snapshot key').update(bytes).digest().toString('base64url', 0, 8);
  return { id, bytes };
}
