import { signToken } from '../adapters/identity/sign-token.ts';
import type { HelperSettings } from '../config/settings.ts';

/**
 * A token that this server accepts for the user with these roles. It is signed with `auth.jwt.secret`, with the first entry of a list.
 * Undefined where tokens are not checked with a secret: only their issuer can sign them.
 */
export async function signTestToken(
  jwt: HelperSettings['auth']['jwt'],
  user: { readonly sub: string; readonly roles: readonly string[]; readonly lifetimeMs: number },
): Promise<string | undefined> {
  const [secret] = [jwt?.secret ?? []].flat();
  if (jwt === null || secret === undefined) return undefined;
  const { sub, roles, lifetimeMs } = user;
  const now = Date.now();
  const claims = { ...(roles.length > 0 ? nested(jwt.roleClaim, roles) : {}), sub };
  const [algorithm = 'HS256'] = jwt.algorithms;
  return signToken(claims, {
    secret,
    algorithm,
    audience: jwt.audience,
    expiresAt: now + lifetimeMs,
    now,
  });
}

/** The nested object that a claim name with dots, such as `realm_access.roles`, stands for. */
function nested(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const [last = name, ...outer] = name.split('.').toReversed();
  return outer.reduce<Readonly<Record<string, unknown>>>((inner, key) => ({ [key]: inner }), { [last]: value });
}
