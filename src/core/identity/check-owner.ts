import { HelperError } from '../errors/helper-error.ts';
import type { Principal } from './principal.ts';

/**
 * Whether the caller may touch a connection of `owner` (wire.md 1): a signed-in user's is theirs alone; an anonymous one
 * belongs to whoever holds its id and is anonymous too.
 * @throws HelperError `unauthenticated` or `not_owner`.
 */
export function checkOwner(owner: Principal, caller: Principal): void {
  if (owner.kind === 'anonymous' && caller.kind === 'anonymous') return;
  if (caller.kind === 'anonymous') {
    throw new HelperError('unauthenticated', 'This connection belongs to a signed-in user: sign in as that user.');
  }
  if (owner.kind === 'anonymous' || owner.userKey !== caller.userKey) {
    throw new HelperError('not_owner', 'This connection belongs to somebody else.');
  }
}
