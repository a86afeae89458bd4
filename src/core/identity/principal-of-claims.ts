import { claimAt, claimsAt, type Claims, listAt, text, texts } from './claims-at.ts';
import type { SignedIn } from './principal.ts';
import { isClientKey, keyInTenant, keyOfIssuer, longestId, longestTenant } from './user-key.ts';

/** How claims become a user (contract/identity.md#tokens, `auth`). */
export interface ClaimRules {
  /** `sub` and `role` count as the .NET claim types NameIdentifier and Role. */
  readonly mapInboundClaims: boolean;
  /** Claims with the name for display, best first. Each is a name, or the path to a nested claim: `realm_access.roles`. */
  readonly nameClaims: readonly string[];
  /** The claim whose value names a user that nothing else names. */
  readonly idNameClaim: string;
  /** All of them count. `*` stands for any name: `resource_access.*.roles`. */
  readonly roleClaims: readonly string[];
  readonly addRoles: readonly RoleRule[];
  /** Its users are told apart from those of other issuers. */
  readonly ownUsers?: boolean;
  /** `tenancy.claim`: a name, or the path to a nested claim. Undefined when there are no tenants. */
  readonly tenantClaim?: string | undefined;
}

/** Gives a role to whoever has a claim of this value, alone or in a list. */
export interface RoleRule {
  readonly claim: string;
  readonly equals: string;
  readonly role: string;
}

const claimTypes = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const nameIdentifierType = `${claimTypes}/nameidentifier`;
const roleType = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';

/**
 * The user of a token (contract/identity.md#users), by the NameIdentifier, else by `sub`, `oid` or the name, else the client that got a
 * token for itself. The key begins with a tag for the claim that it comes from, so keys from different claims never collide. `issuer` tells
 * the users of one issuer from those of others. Undefined when the token names neither.
 */
export function principalOfClaims(claims: Claims, rules: ClaimRules, issuer?: string): SignedIn | undefined {
  const user = userOf(claims, rules);
  if (user === undefined) return undefined;
  const [tag, value] = user;
  const key = `${tag}:${value}`;
  const known: SignedIn = {
    kind: 'signed-in',
    userKey: issuer === undefined ? key : keyOfIssuer(issuer, key),
    id: tag === 'id' ? value : key,
    name: nameOf(claims, rules) ?? value,
    roles: rolesIn(claims, rules),
    claims,
  };
  return inTenant(known, tenantIn(claims, rules));
}

/** The roles that claims give, whoever they speak of. */
export function rolesIn(claims: Claims, rules: ClaimRules): ReadonlySet<string> {
  return new Set([...rolesOf(claims, rules), ...addedRoles(claims, rules)]);
}

function nameOf(claims: Claims, { nameClaims }: ClaimRules): string | undefined {
  return nameClaims.map((claim) => text(claimAt(claims, claim))).find((name) => name !== undefined);
}

/** Claims that only the sign-in of a person leaves behind. Without them, a token is one that a client got for itself. */
const claimsOfPeople = [
  ...['sid', 'session_state', 'auth_time', 'nonce', 'amr', 'username', 'cognito:username'],
  ...['preferred_username', 'upn', 'unique_name', 'email', 'given_name', 'family_name'],
];

/** Whether a token speaks of a person, whose name it does not tell. Such persons must not become one user by their client. */
function isOfUser(claims: Claims): boolean {
  return claimsOfPeople.some((claim) => claims[claim] !== undefined);
}

/** The client that got a token, by the claims of RFC 9068, OpenID Connect, Okta and Entra. */
export function clientOf(claims: Claims): string | undefined {
  const named = [claims['client_id'], claims['azp'], claims['cid'], claims['appid']];
  return named.find((value): value is string => typeof value === 'string' && value !== '');
}

/**
 * Whether somebody is a client with a token of its own, and no person. Such a token names no user, or the client as its user (RFC 9068 2.2).
 * Providers that give clients a user of their own mark the token: Auth0 by its grant, Entra by its kind, and in old tokens by a user that is
 * the application's own and has no scopes and nothing of a person, Keycloak and authentik by the name of the user, ZITADEL by that of the client.
 * `zitadel`: issuers that are ZITADEL, beside those that show it themselves.
 */
export function isClient({ userKey, claims }: SignedIn, zitadel: readonly string[] = []): boolean {
  const client = clientOf(claims);
  const { sub, oid, gty, idtyp, scp, preferred_username: name } = claims;
  if (isClientKey(userKey) || gty === 'client-credentials' || idtyp === 'app') return true;
  if (client === undefined) return false;
  const isOwnUser = sub !== undefined && (sub === client || sub === `${client}@clients`);
  const isOfApplication = sub !== undefined && sub === oid && scp === undefined && !isOfUser(claims);
  if (isOwnUser || isOfApplication) return true;
  if (isOfZitadel(claims, zitadel)) return !applicationOfZitadel.test(client);
  return typeof name === 'string' && isServiceAccount(name, client);
}

/** The clients of ZITADEL that people sign in to: a number, in older projects with a name, or an address. Other clients are service accounts. */
const applicationOfZitadel = /^(?:\d+(?:@.*)?|https:\/\/.*)$/s;

function isOfZitadel(claims: Claims, zitadel: readonly string[]): boolean {
  const { iss } = claims;
  if (typeof iss === 'string' && (zitadel.includes(iss) || /^https:\/\/[\w-]+\.zitadel\.cloud\/?$/.test(iss)))
    return true;
  return Object.keys(claims).some((claim) => claim.startsWith('urn:zitadel:iam:'));
}

function isServiceAccount(name: string, client: string): boolean {
  return name === `service-account-${client.toLowerCase()}` || /^ak-.{1,200}-client_credentials$/s.test(name);
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
    ['name', claimAt(claims, rules.idNameClaim)],
    ['client', isOfUser(claims) ? undefined : clientOf(claims)],
  ];
  const [tag, claim] = candidates.find(([, value]) => value !== undefined && value !== null && value !== '') ?? [];
  const value = idOf(claim);
  return tag === undefined || value === undefined ? undefined : [tag, value];
}

/**
 * The id in a claim: a text or a whole number. Another value gives no id, and no weaker claim is used in its place. Numbers beyond 2^53 are
 * refused because they are read as a neighbouring number, so two users could become one. So could two whose ids have half a character, which
 * databases write as another. A longer one would fit into no key.
 */
function idOf(claim: unknown): string | undefined {
  if (Number.isSafeInteger(claim)) return String(claim);
  return typeof claim === 'string' && claim.length <= longestId && claim.isWellFormed() ? claim : undefined;
}

function rolesOf(claims: Claims, rules: ClaimRules): readonly string[] {
  const mapped = rules.mapInboundClaims ? [claims[roleType], claims['role'], claims['roles']] : [];
  return [...rules.roleClaims.flatMap((claim) => listAt(claims, claim)), ...mapped.flatMap(texts)];
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
  return claimsAt(claims, claim).flatMap(texts).includes(equals);
}
