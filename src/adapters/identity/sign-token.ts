import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';

/** Signs a token with `auth.jwt.secret`. `helper token` uses it for trials (contract/configuration.md#commands). */
export function signToken(
  claims: Readonly<Record<string, unknown>>,
  options: {
    readonly secret: string;
    readonly algorithm: string;
    readonly audience: string | null;
    readonly expiresAt: number;
    readonly now: number;
  },
): Promise<string> {
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: options.algorithm, typ: 'JWT' })
    .setIssuedAt(Math.floor(options.now / 1000))
    .setExpirationTime(Math.floor(options.expiresAt / 1000));
  if (options.audience !== null) token.setAudience(options.audience);
  return token.sign(createSecretKey(options.secret, 'utf8'));
}
