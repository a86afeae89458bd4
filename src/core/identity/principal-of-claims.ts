import type { SignedIn } from './principal.ts';
import { keyInTenant } from './user-key.ts';

/** How claims become a user (contract/identity.md#tokens, `auth`). */
export interface ClaimRules {
  /** `sub` and `role` count as the .NET claim types NameIdentifier and Role. */
  readonly mapInboundClaims: boolean;
  readonly nameClaim: string;
  /** A claim's name, or the way to a nested one: `realm_access.roles`. */
  readonly roleClaim: string;
  readonly addRoles: readonly RoleRule[];
  /** `tenancy.claim`: a name, or the way to a nested claim. Undefined: there are no tenants. */
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
 * The user a token speaks of (contract/identity.md#users): NameIdentifier, else `sub`, `oid` or the name. Keys are tagged with the
 * claim they come from, so that none can be spelled like another's. Undefined: the token names nobody.
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
 * A text or a whole number. Anything else names nobody, and is no reason to go by a claim that says less: numbers beyond
 * 2^53 are read as their neighbours, who would be the same user.
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
  return rules.addRoles
    .filter(({ claim, equals }) => texts(claimAt(claims, claim)).includes(equals))
    .map(({ role }) => role);
}

/** The claim of exactly this name, else the one its dots lead to. */
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
    // Some issuers write what is true or a number as such.
    const written = typeof one === 'number' || typeof one === 'boolean' ? String(one) : one;
    return typeof written === 'string' && written !== '' ? [written] : [];
  });
}

/** A name or id: one text. A list names nobody. */
function text(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : texts(value)[0];
}
