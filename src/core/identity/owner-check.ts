import { HelperError } from '../errors/helper-error.ts';
import type { Principal } from './principal.ts';

/** Why something is not the caller's to use. */
export type OwnerFault = 'unauthenticated' | 'not_owner';

/**
 * The table of wire.md 1, "Whose it is", in one place: what is a signed-in user's is that user's alone; what is
 * anonymous is that of anonymous callers who hold its id. Undefined: the caller may.
 */
export function ownerFault(owner: Principal, caller: Principal): OwnerFault | undefined {
  if (owner.kind === 'anonymous') return caller.kind === 'anonymous' ? undefined : 'not_owner';
  if (caller.kind === 'anonymous') return 'unauthenticated';
  return caller.userKey === owner.userKey ? undefined : 'not_owner';
}

/** @throws HelperError `unauthenticated` or `not_owner` when it is not the caller's. */
export function requireOwner(owner: Principal, caller: Principal): void {
  const fault = ownerFault(owner, caller);
  if (fault === undefined) return;
  throw new HelperError(
    fault,
    fault === 'unauthenticated' ? 'This belongs to a signed-in user: sign in.' : 'This belongs to someone else.',
  );
}
