import type { SignedIn } from './principal.ts';
import { keyInTenant } from './user-key.ts';

/** How claims become a user (contract/identity.md#tokens, `auth`). */
export interface ClaimRules {
  /** `sub` and `role` count as the .NET claim types NameIdentifier and Role. */
  readonly mapInboundClaims: boolean;
  readonly nameClaim: string;
  /** A claim's name, or the path to a nested claim: `realm_access.roles`. */
  readonly roleClaim: string;
  readonly addRoles: readonly RoleRule[];
  /** `tenancy.claim`: a name, or the path to a nested claim. Undefined when there are no tenants. */
  readonly tenantClaim?: string | undefined;
}

/** Gives a role to whoever has a claim of this value, alone or in a list. */
export interface RoleRule {
  readonly claim: string;
  readonly equals: string;
  readonly role: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** Characters of a tenant's name. */
const longestTenant = 200;

const claimTypes = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const nameIdentifierType = `${claimTypes}/nameidentifier`;
const roleType = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';

/**
 * The user of a token (contract/identity.md#users), by the NameIdentifier, else by `sub`, `oid` or the name. The key begins with a tag for
 * the claim that it comes from, so keys from different claims never collide. Undefined when the token names no user.
 */
export function principalOfClaims(claims: Claims, rules: ClaimRules): SignedIn | undefined {
  const user = userOf(claims, rules);
  if (user === undefined) return undefined;
  const [tag, value] = user;
  const known: SignedIn = {
    kind: 'signed-in',
    userKey: `${tag}:${value}`,
    id: tag === 'id' ? value : `${tag}:${value}`,
    name: text(claimAt(claims, rules.nameClaim)) ?? value,
    roles: new Set([...rolesOf(claims, rules), ...addedRoles(claims, rules)]),
    claims,
  };
  return inTenant(known, tenantIn(claims, rules));
}

/** The user inside a tenant. */
export function inTenant(user: SignedIn, tenant: string | undefined): SignedIn {
  if (tenant === undefined) return user;
  return { ...user, tenant, userKey: keyInTenant(tenant, user.userKey) };
}

/** The tenant that claims name; undefined where they name none, and where there are no tenants. */
function tenantIn(claims: Claims, { tenantClaim }: ClaimRules): string | undefined {
  const tenant = tenantClaim === undefined ? undefined : idOf(claimAt(claims, tenantClaim));
  return tenant === undefined || tenant === '' || tenant.length > longestTenant || !tenant.isWellFormed()
    ? undefined
    : tenant;
}

function userOf(claims: Claims, rules: ClaimRules): readonly [tag: string, value: string] | undefined {
  const mapped = rules.mapInboundClaims
    ? ([
        ['id', claims['nameid']],
        ['id', claims['sub']],
      ] as const)
    : [];
  const candidates: readonly (readonly [tag: string, claim: unknown])[] = [
    ['id', claims[nameIdentifierType]],
    ...mapped,
    ['sub', claims['sub']],
    ['oid', claims['oid']],
    ['name', claimAt(claims, rules.nameClaim)],
  ];
  const [tag, claim] = candidates.find(([, value]) => value !== undefined && value !== null && value !== '') ?? [];
  const value = idOf(claim);
  return tag === undefined || value === undefined ? undefined : [tag, value];
}

/**
 * The id in a claim: a text or a whole number. Another value gives no id, and no weaker claim is used in its place. Numbers beyond 2^53 are
 * refused because they are read as a neighbouring number, so two users could become one.
 */
function idOf(claim: unknown): string | undefined {
  if (Number.isSafeInteger(claim)) return String(claim);
  return typeof claim === 'string' ? claim : undefined;
}

function rolesOf(claims: Claims, rules: ClaimRules): readonly string[] {
  const mapped = rules.mapInboundClaims ? [claims[roleType], claims['role'], claims['roles']] : [];
  return [claimAt(claims, rules.roleClaim), ...mapped].flatMap(texts);
}

function addedRoles(claims: Claims, rules: ClaimRules): readonly string[] {
  return rules.addRoles.filter((rule) => hasClaim(claims, rule)).map(({ role }) => role);
}

/** A value that a claim has, alone or in a list. Dots in the name of the claim lead to a nested one. */
export interface ClaimValue {
  readonly claim: string;
  readonly equals: string;
}

/** Whether the claims have this value. */
export function hasClaim(claims: Claims, { claim, equals }: ClaimValue): boolean {
  return texts(claimAt(claims, claim)).includes(equals);
}

/** The claim of exactly this name, else the nested claim to which the dots of the name lead. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}

function texts(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => {
    // Some issuers write booleans and numbers as JSON values instead of texts.
    const written = typeof one === 'number' || typeof one === 'boolean' ? String(one) : one;
    return typeof written === 'string' && written !== '' ? [written] : [];
  });
}

/** The single text of a name or id. A list gives undefined. */
function text(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : texts(value)[0];
}
