import { anonymousKey } from './user-key.ts';
import type { OwnerFault } from '../errors/error-codes.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { Principal } from './principal.ts';

/**
 * Why a caller may not use what belongs to `owner`, by the table of contract/identity.md#whose-it-is. Undefined when the caller may. What a
 * signed-in user owns is for that user alone. What an anonymous caller owns is for every anonymous caller who knows its id.
 */
export function ownerFault(owner: Principal, caller: Principal): OwnerFault | undefined {
  if (owner.kind === 'anonymous') return caller.kind === 'anonymous' ? undefined : 'not_owner';
  if (caller.kind === 'anonymous') return 'unauthenticated';
  return caller.userKey === owner.userKey ? undefined : 'not_owner';
}

/** What was found, where the caller may use it. Else nothing, and `onForeign` is told why. */
export function ofCaller<Found extends { readonly principal: Principal }>(
  found: Found | undefined,
  caller: Principal,
  onForeign: (reason: OwnerFault) => void = () => undefined,
): Found | undefined {
  const fault = found && ownerFault(found.principal, caller);
  if (fault === undefined) return found;
  onForeign(fault);
  return undefined;
}

/** @throws HelperError `unauthenticated` or `not_owner` when the caller may not use what belongs to `owner`. */
export function requireOwner(owner: Principal, caller: Principal): void {
  refuse(ownerFault(owner, caller));
}

/** Does the check of `requireOwner` where only the key of the owner is known. @throws HelperError as `requireOwner`. */
export function requireKeyOwner(ownerKey: string, caller: Principal): void {
  if (caller.userKey === ownerKey) return;
  const isAnonymous = ownerKey.startsWith(anonymousKey);
  // An anonymous caller who knows the id may go on. The keys cannot be compared, because the owner's key belongs to a connection that may
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
