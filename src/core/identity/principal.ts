/** A caller whose token was believed. */
export interface SignedIn {
  readonly kind: 'signed-in';
  /** The tagged key that memory, limits and owner checks go by: `id:…`, `sub:…`, `oid:…` or `name:…`. */
  readonly userKey: string;
  /** The same for display: `ann`, `sub:ann` (contract/identity.md#users). Never compared. */
  readonly id: string;
  readonly name: string;
  readonly roles: ReadonlySet<string>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A caller without a token; `roles` is empty, so every role check refuses it. */
export interface Anonymous {
  readonly kind: 'anonymous';
  /** `anon:…`. */
  readonly userKey: string;
  readonly roles: ReadonlySet<string>;
}

/** Who calls (contract/identity.md). Always an object, never null. */
export type Principal = SignedIn | Anonymous;

const noRoles: ReadonlySet<string> = new Set();

/** An anonymous caller with a key of its own (contract/identity.md#users, `PerSession`). */
export function anonymousPrincipal(sessionId: string): Anonymous {
  return { kind: 'anonymous', userKey: `anon:${sessionId}`, roles: noRoles };
}

/** The one key of all anonymous callers (contract/identity.md#users, `Shared`): no session has an empty id. */
export const sharedAnonymous: Anonymous = Object.freeze(anonymousPrincipal(''));
