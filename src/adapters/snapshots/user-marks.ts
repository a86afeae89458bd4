import { createHmac, hkdfSync } from 'node:crypto';
import type { SnapshotKey } from './snapshot-key.ts';

/**
 * Makes the marks of a user key, one for each key of `dataProtection`, the mark of the first key first. A reader of the store cannot tell
 * from a mark who the user is, and cannot find out by trying names.
 */
export function createUserMarks(
  keys: readonly [SnapshotKey, ...(readonly SnapshotKey[])],
): (userKey: string) => readonly [string, ...(readonly string[])] {
  const [first, ...others] = keys.map(({ bytes }) =>
    Buffer.from(hkdfSync('sha256', bytes, '', 'helper user mark', 32)),
  );
  if (first === undefined) throw new Error('there is no key');
  return (userKey) => [markOf(userKey, first), ...others.map((key) => markOf(userKey, key))];
}

function markOf(userKey: string, key: Buffer): string {
  return createHmac('sha256', key).update(userKey).digest('base64url');
}
