import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { entraHosts } from '../../core/base/entra-hosts.ts';
import { publicKeyAlgorithms } from './jwt-algorithms.ts';
import { matchIssuer } from './issuer-names.ts';
import { decoded } from './unverified.ts';

const signingAlgorithms: readonly unknown[] = publicKeyAlgorithms;
const curves: Readonly<Record<string, readonly string[]>> = { EC: ['P-256', 'P-384', 'P-521'], OKP: ['Ed25519'] };
/** Characters of a modulus of 2048 bits. RFC 7518 3.3 forbids shorter keys. */
const shortestModulus = 342;
/** The members of public keys. A private part that somebody has published is left where it is. */
const publicMembers = ['kty', 'kid', 'alg', 'n', 'e', 'crv', 'x', 'y'] as const;

type Members = Readonly<Record<string, unknown>>;

/** The keys of an issuer that can sign tokens. */
export interface KeySet {
  readonly find: JWTVerifyGetKey;
  readonly usable: number;
  /** Keys of other kinds. */
  readonly leftOut: number;
}

/**
 * Reads a key set (RFC 7517). Keys of other kinds are left out and harm no others. A set without any key is one: its issuer has withdrawn them.
 * @throws Error for what is no key set.
 */
export function readKeySet(value: Members): KeySet {
  const { keys } = value;
  if (!Array.isArray(keys)) throw new Error('the answer is no key set: it has no list of keys');
  const usable = keys.filter(signsTokens);
  const byIssuer = Map.groupBy(usable, ({ issuer }) => (typeof issuer === 'string' ? issuer : undefined));
  const sets = [...byIssuer].map(([issuer, members]) => ({
    issuer,
    find: createLocalJWKSet({ keys: members.map(publicPart) }),
  }));
  return { find: finder(sets), usable: usable.length, leftOut: keys.length - usable.length };
}

function signsTokens(key: unknown): key is Members {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use, key_ops: uses, alg, n, crv } = key as Members; // an object has members
  if (use !== undefined && use !== 'sig') return false;
  if (Array.isArray(uses) && !uses.includes('verify')) return false;
  if (alg !== undefined && !signingAlgorithms.includes(alg)) return false;
  if (kty === 'RSA') return typeof n === 'string' && n.length >= shortestModulus;
  return typeof kty === 'string' && typeof crv === 'string' && curves[kty]?.includes(crv) === true;
}

function publicPart(key: Members): JWK {
  const members = publicMembers.flatMap((name) => (typeof key[name] === 'string' ? [[name, key[name]]] : []));
  return Object.fromEntries(members) as JWK; // `signsTokens` has seen its kind
}

/** Entra says of some keys for which issuer alone they are, although the set is that of all tenants. */
function finder(
  sets: readonly { readonly issuer: string | undefined; readonly find: JWTVerifyGetKey }[],
): JWTVerifyGetKey {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined && only.issuer === undefined) return only.find;
  return async (header, token) => {
    const named = namesOf(issuerOf(token));
    for (const { issuer, find } of sets) {
      if (issuer !== undefined && !named.some((name) => matchIssuer(name, [issuer]) !== undefined)) continue;
      try {
        return await find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
    }
    throw new errors.JWKSNoMatchingKey();
  };
}

/** The names by which keys may speak of an issuer. Those of Entra speak of its version 2, and sign the tokens of version 1 as well. */
function namesOf(issuer: unknown): readonly unknown[] {
  const text = typeof issuer === 'string' ? issuer : '';
  const tenant = /^https:\/\/sts\.(?:windows\.net|chinacloudapi\.cn)\/([^/]+)\/$/.exec(text)?.[1];
  return [issuer, ...(tenant === undefined ? [] : entraHosts.map((host) => `https://${host}/${tenant}/v2.0`))];
}

function issuerOf({ payload }: Parameters<JWTVerifyGetKey>[1]): unknown {
  return decoded(typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8'))?.['iss'];
}
