import type { OwnerFault } from '../errors/error-codes.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { Principal } from './principal.ts';

/**
 * The table of contract/identity.md#whose-it-is, in one place: what is a signed-in user's is that user's alone; what is
 * anonymous is that of anonymous callers who hold its id. Undefined: the caller may.
 */
export function ownerFault(owner: Principal, caller: Principal): OwnerFault | undefined {
  if (owner.kind === 'anonymous') return caller.kind === 'anonymous' ? undefined : 'not_owner';
  if (caller.kind === 'anonymous') return 'unauthenticated';
  return caller.userKey === owner.userKey ? undefined : 'not_owner';
}

/** @throws HelperError `unauthenticated` or `not_owner` when it is not the caller's. */
export function requireOwner(owner: Principal, caller: Principal): void {
  refuse(ownerFault(owner, caller));
}

/** The same for an owner of whom only the key is known. @throws HelperError as `requireOwner`. */
export function requireKeyOwner(ownerKey: string, caller: Principal): void {
  if (caller.userKey === ownerKey) return;
  const isAnonymous = ownerKey.startsWith('anon:');
  // An anonymous caller who holds the id may go on. The owner's key cannot tell: it is the key of a connection that may
  // be gone.
  if (isAnonymous) refuse(caller.kind === 'anonymous' ? undefined : 'not_owner');
  else refuse(caller.kind === 'anonymous' ? 'unauthenticated' : 'not_owner');
}

function refuse(fault: OwnerFault | undefined): void {
  if (fault === undefined) return;
  throw new HelperError(
    fault,
    fault === 'unauthenticated' ? 'This belongs to a signed-in user: sign in.' : 'This belongs to someone else.',
  );
}
