import { signToken } from '../adapters/identity/sign-token.ts';
import type { HelperSettings } from '../config/settings.ts';

/**
 * A token this server takes for that user with those roles, signed with `auth.jwt.secret`, the first of a list. Undefined where tokens are
 * checked in another way, or not at all: only their issuer can sign them.
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

/** `realm_access.roles` as the nested claim it stands for. */
function nested(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const [last = name, ...outer] = name.split('.').toReversed();
  return outer.reduce<Readonly<Record<string, unknown>>>((inner, key) => ({ [key]: inner }), { [last]: value });
}
