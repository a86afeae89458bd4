import { signToken } from '../adapters/identity/sign-token.ts';
import type { HelperSettings } from '../config/settings.ts';
import { entryClaims, tokenIssuers } from '../config/token-issuers.ts';

/**
 * A token that this server accepts for the user with these roles. It is signed with the first secret of `auth.jwt`. Undefined where tokens
 * are not checked with a secret: only their issuer can sign them.
 */
export async function signTestToken(
  settings: Pick<HelperSettings, 'auth' | 'tenancy'>,
  user: { readonly sub: string; readonly roles: readonly string[]; readonly lifetimeMs: number },
): Promise<string | undefined> {
  const issuer = tokenIssuers(settings).find(({ secret: own }) => own !== null);
  const [secret] = [issuer?.secret ?? []].flat();
  if (issuer === undefined || secret === undefined) return undefined;
  const { sub, roles, lifetimeMs } = user;
  const { audiences, clients, issuers, tenants } = issuer;
  const [roleClaim = 'role'] = entryClaims(settings)[issuer.entry]?.roleClaims ?? [];
  const now = Date.now();
  const [algorithm = 'HS256'] = issuer.algorithms;
  const [iss] = issuers;
  const [client] = clients;
  const claims = {
    ...(roles.length > 0 ? nested(roleClaim, roles) : {}),
    ...(iss === undefined ? {} : { iss: iss.replace('{tenantid}', tenants[0] ?? 'test') }),
    ...(client === undefined ? {} : { client_id: client }),
    sub,
  };
  return signToken(claims, { secret, algorithm, audience: audiences[0] ?? null, expiresAt: now + lifetimeMs, now });
}

/** The nested object that a claim name with dots, such as `realm_access.roles`, stands for. */
function nested(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const [last = name, ...outer] = name.split('.').toReversed();
  return outer.reduce<Readonly<Record<string, unknown>>>((inner, key) => ({ [key]: inner }), { [last]: value });
}
