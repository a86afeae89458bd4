import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';

/** Long enough for HS256. */
export const tokenSecret = 'a secret that is long enough for HS256';

export interface TokenOptions {
  readonly key?: KeyObject | string;
  readonly algorithm?: string;
  readonly kid?: string;
  /** Epoch seconds. Null leaves the claim out. */
  readonly expiresAt?: number | null;
  readonly audience?: string;
  readonly issuer?: string;
}

/** A token of `claims`. By default `tokenSecret` signs it, and it is valid for an hour. */
export function makeToken(claims: JWTPayload, options: TokenOptions = {}): Promise<string> {
  const { key = tokenSecret, algorithm = 'HS256', kid, expiresAt = Math.floor(Date.now() / 1000) + 3600 } = options;
  const token = new SignJWT(claims).setProtectedHeader({ alg: algorithm, ...(kid === undefined ? {} : { kid }) });
  if (expiresAt !== null) token.setExpirationTime(expiresAt);
  if (options.audience !== undefined) token.setAudience(options.audience);
  if (options.issuer !== undefined) token.setIssuer(options.issuer);
  return token.sign(typeof key === 'string' ? createSecretKey(key, 'utf8') : key);
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The public key in the form that an issuer publishes. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

export function rsaKeyPair(kid: string): KeyPair {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...pair, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig' } };
}

/** A token whose header says `alg: none`, as a forger would write it. */
export function unsignedToken(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}
