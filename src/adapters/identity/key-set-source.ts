import { fetchJson } from './fetch-json.ts';

/** Reads the keys of an issuer, anew at each call. */
export type KeySetSource = () => Promise<Readonly<Record<string, unknown>>>;

/** Reads the key set at `address`, which is `auth.jwt.jwksUrl`. */
export function keySetAt(address: string): KeySetSource {
  return () => fetchJson(address);
}

/** Reads the key set that the discovery document of `auth.jwt.issuer` names (OpenID Connect Discovery 1.0). */
export function keySetOfIssuer(issuer: string): KeySetSource {
  return async () => {
    const discovery = await fetchJson(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
    const { issuer: named, jwks_uri: address } = discovery;
    if (typeof named !== 'string' || withoutSlash(named) !== withoutSlash(issuer)) {
      throw new Error(`the discovery document of ${issuer} is that of another issuer`);
    }
    if (typeof address !== 'string' || !URL.canParse(address)) throw new Error(`${issuer} names no jwks_uri`);
    const { protocol } = new URL(address);
    // The discovery document came over TLS. A key set without TLS could be replaced on its way.
    if (protocol !== 'https:' && protocol !== new URL(issuer).protocol) {
      throw new Error(`the jwks_uri of ${issuer} is no https address`);
    }
    return fetchJson(address);
  };
}

/** Both spellings of an issuer. Providers disagree whether an issuer's name ends in a slash. */
export function spellingsOfIssuer(issuer: string): readonly string[] {
  return [withoutSlash(issuer), `${withoutSlash(issuer)}/`];
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/(?<!\/)\/+$/, '');
}
