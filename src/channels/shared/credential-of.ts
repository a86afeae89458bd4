import { createHash } from 'node:crypto';

/**
 * A hash by which two requests are known to have come with the same token. `authorization`: as `RequestCaller.authorization`. Only what is
 * signed counts, because whoever has a token can write its signature in other ways that are valid as well: with padding, with other unused
 * bits, or mirrored on the curve.
 */
export function credentialOf(authorization: string): string {
  const end = authorization.lastIndexOf('.');
  const signed = end < 0 ? authorization : authorization.slice(0, end);
  return createHash('sha256').update(signed).digest('base64url');
}
