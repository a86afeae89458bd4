import { fetchJson } from './fetch-json.ts';
import { tenantPlaceholder, withoutSlash } from './issuer-names.ts';

/** What an issuer publishes. It may hold anything. */
export interface PublishedKeys {
  readonly keySet: Readonly<Record<string, unknown>>;
  /** Further names by which its tokens may call it. */
  readonly issuers: readonly string[];
}

/** Reads the keys of an issuer, anew at each call. */
export type KeySetSource = () => Promise<PublishedKeys>;

/** Reads the key set at `address`, which is `auth.jwt.jwksUrl`. */
export function keySetAt(address: string): KeySetSource {
  return async () => ({ keySet: await fetchJson(address), issuers: [] });
}

/**
 * Reads the key set that the discovery document below `address` names (OpenID Connect Discovery 1.0). The document must be that of one of
 * `names`.
 */
export function keySetOfIssuer(address: string, names: readonly string[] = [address]): KeySetSource {
  return async () => {
    const discovery = await fetchJson(`${withoutSlash(address)}/.well-known/openid-configuration`);
    const { issuer: named, jwks_uri: keys, access_token_issuer: other } = discovery;
    if (typeof named !== 'string' || !names.some((name) => withoutSlash(name) === withoutSlash(named))) {
      throw new Error(`the discovery document of ${address} is that of another issuer${adviceFor(named, keys)}`);
    }
    if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error(`${address} names no jwks_uri`);
    const { protocol } = new URL(keys);
    // The discovery document came over TLS. A key set without TLS could be replaced on its way.
    if (protocol !== 'https:' && protocol !== new URL(address).protocol) {
      throw new Error(`the jwks_uri of ${address} is no https address`);
    }
    // Access tokens of AD FS name another issuer than its ID tokens do.
    return { keySet: await fetchJson(keys), issuers: typeof other === 'string' ? [other] : [] };
  };
}

/** Characters of a name that a message repeats. */
const mostShown = 200;

function adviceFor(named: unknown, keys: unknown): string {
  if (typeof named !== 'string' || named.length > mostShown) return '';
  if (named.includes(tenantPlaceholder))
    return `, ${named}: set issuer to that name, and tenants to those whose tokens are taken`;
  const at = typeof keys === 'string' && keys.length <= mostShown ? ` and jwksUrl to ${keys}` : '';
  return `, ${named}: where that is the same server by another address, set issuer to that name${at}`;
}
