import { fetchJson } from './fetch-json.ts';

/** Where the keys of an issuer are read from, and how: anew at each call. */
export type KeySetSource = () => Promise<Readonly<Record<string, unknown>>>;

/** `auth.jwt.jwksUrl`. */
export function keySetAt(address: string): KeySetSource {
  return () => fetchJson(address);
}

/** `auth.jwt.issuer`: its discovery document names the key set (OpenID Connect Discovery 1.0). */
export function keySetOfIssuer(issuer: string): KeySetSource {
  return async () => {
    const discovery = await fetchJson(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
    const { issuer: named, jwks_uri: address } = discovery;
    if (typeof named !== 'string' || withoutSlash(named) !== withoutSlash(issuer)) {
      throw new Error(`the discovery document of ${issuer} is that of another issuer`);
    }
    if (typeof address !== 'string' || !URL.canParse(address)) throw new Error(`${issuer} names no jwks_uri`);
    const { protocol } = new URL(address);
    // What was asked for over TLS must not lead to keys that anyone on the way can replace.
    if (protocol !== 'https:' && protocol !== new URL(issuer).protocol) {
      throw new Error(`the jwks_uri of ${issuer} is no https address`);
    }
    return fetchJson(address);
  };
}

/** Both spellings of an issuer, since providers disagree whether their name ends in a slash. */
export function spellingsOfIssuer(issuer: string): readonly string[] {
  return [withoutSlash(issuer), `${withoutSlash(issuer)}/`];
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}
