/** Characters of a tenant's name. */
export const longestTenant = 200;

/** Characters of the id of a user. */
export const longestId = 2_000;

/** A tagged user key, inside its tenant where there is one (contract/identity.md#users). A character takes up to nine where it is encoded. */
const userKeyPattern =
  /^(?:tenant:[^/\s]{1,1800}\/)?(?:issuer:[^/\s]{1,6000}\/)?(?:id|sub|oid|name|client):[^]{1,2000}$/;

/** How the key of a caller begins who is not signed in. */
export const anonymousKey = 'anon:';

/** How the pseudonym begins of a user whose data was erased. */
export const erasedKey = 'erased:';

/** The key of a user among those of one issuer. The issuer is encoded, so that two pairs of issuer and user never have the same key. */
export function keyOfIssuer(issuer: string, userKey: string): string {
  return `issuer:${encodeURIComponent(issuer)}/${userKey}`;
}

/** Whether a key is that of a client that came with a token of its own. */
export function isClientKey(userKey: string): boolean {
  return /^(?:tenant:[^/]*\/)?(?:issuer:[^/]*\/)?client:/.test(userKey);
}

/** Whether a text is written like the key of a signed-in user: `id:ann`, `tenant:acme/id:ann`. */
export function isUserKey(text: unknown): text is string {
  return typeof text === 'string' && userKeyPattern.test(text);
}

/** The key of a user inside a tenant. The tenant is encoded, so that two different pairs of tenant and user never have the same key. */
export function keyInTenant(tenant: string, userKey: string): string {
  return `tenant:${encodeURIComponent(tenant)}/${userKey}`;
}

/**
 * The tenant that a key holds. Undefined for a key without a tenant, and for a text that is no user key, such as an address or a pseudonym.
 */
export function tenantOfKey(userKey: string): string | undefined {
  if (!userKey.startsWith('tenant:')) return undefined;
  return decodeURIComponent(userKey.slice('tenant:'.length, userKey.indexOf('/')));
}
