import { anonymousKey } from './user-key.ts';

/** A caller whose token was accepted, or whom the host of this process vouches for. */
export interface SignedIn {
  readonly kind: 'signed-in';
  /**
   * The tagged key that memory, limits and owner checks go by: `id:…`, `sub:…`, `oid:…`, `name:…` or `client:…`, inside its tenant
   * `tenant:…/id:…`, and where there are several issuers `issuer:…/id:…`.
   */
  readonly userKey: string;
  /** The user key in the form for display: `ann`, `sub:ann` (contract/identity.md#users). Never compared. */
  readonly id: string;
  readonly name: string;
  /** Absent without `tenancy.claim` (contract/identity.md#tenants). */
  readonly tenant?: string;
  readonly roles: ReadonlySet<string>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * A caller without a token, or with one that names nobody. Without a token `roles` is empty, so every role check refuses it. The roles of a
 * token that names neither a user nor a client stay its own.
 */
export interface Anonymous {
  readonly kind: 'anonymous';
  /** `anon:…`. */
  readonly userKey: string;
  readonly roles: ReadonlySet<string>;
  /** A valid token came, which names nobody. */
  readonly unnamed?: true;
}

/** The tenant of a caller; undefined for anonymous callers, and without `tenancy.claim`. */
export function tenantOf(principal: Principal): string | undefined {
  return principal.kind === 'signed-in' ? principal.tenant : undefined;
}

/** Who calls (contract/identity.md). Always an object, never null. */
export type Principal = SignedIn | Anonymous;

const noRoles: ReadonlySet<string> = new Set();

/** An anonymous caller with a key of its own (contract/identity.md#users, `PerSession`). */
export function anonymousPrincipal(sessionId: string): Anonymous {
  return { kind: 'anonymous', userKey: `${anonymousKey}${sessionId}`, roles: noRoles };
}

/**
 * The one key of all anonymous callers (contract/identity.md#users, `Shared`). It cannot be a session's key, because no session has an
 * empty id.
 */
export const sharedAnonymous: Anonymous = Object.freeze(anonymousPrincipal(''));
