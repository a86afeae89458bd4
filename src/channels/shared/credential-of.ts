import { createHash } from 'node:crypto';

/** A hash by which two requests are known to have come with the same token. `authorization`: as `RequestCaller.authorization`. */
export function credentialOf(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64url');
}
