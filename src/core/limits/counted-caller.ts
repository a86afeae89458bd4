import type { Principal } from '../identity/principal.ts';
import { tenantOfKey } from '../identity/user-key.ts';

/** Who limits are counted for: a signed-in user, or the address of anonymous callers. */
export interface CountedCaller {
  readonly kind: 'user' | 'address';
  readonly key: string;
}

/**
 * The key by which a caller is counted. A signed-in user counts by the user key, on every channel and connection.
 * Anonymous callers are told apart by their address alone. Undefined where the address is not known.
 */
export function countedCaller(principal: Principal, address: string | undefined): CountedCaller | undefined {
  if (principal.kind === 'signed-in') return { kind: 'user', key: principal.userKey };
  return address === undefined ? undefined : { kind: 'address', key: address };
}

/** The tenant of a caller; undefined for an address, for an unknown caller, and without `tenancy.claim`. */
export function tenantOfCaller(caller: CountedCaller | undefined): string | undefined {
  return caller?.kind === 'user' ? tenantOfKey(caller.key) : undefined;
}
