import { matchesGlob } from '../base/glob.ts';
import type { Restriction } from '../events/shown-event.ts';
import { type Principal, tenantOf } from './principal.ts';

/** Who asks: the roles, and the tenant where there are tenants and the user is signed in. */
export interface Reader {
  readonly roles: ReadonlySet<string>;
  readonly tenant: string | undefined;
}

/** Who may read or use something. A list that is left out or empty restricts nobody. */
export interface Restricted {
  readonly requiredRoles?: readonly string[] | undefined;
  readonly tenants?: readonly string[] | undefined;
}

/** The parts of a caller that decide what the caller may read. */
export function readerOf(principal: Principal): Reader {
  return { roles: principal.roles, tenant: tenantOf(principal) };
}

/** Whether something is for this reader (contract/knowledge.md#access). Any one of the roles suffices. */
export function mayRead(restricted: Restricted, reader: Reader): boolean {
  const { requiredRoles = [] } = restricted;
  const hasRole = requiredRoles.length === 0 || requiredRoles.some((role) => reader.roles.has(role));
  return hasRole && isOfTenant(restricted, reader);
}

/** The restrictions that keep some readers out. Restrictions that let everybody read are left out. */
export function restrictionsOf(restrictions: readonly Restricted[]): readonly Restriction[] {
  return restrictions
    .filter((restricted) => !isForEverybody(restricted))
    .map(({ requiredRoles = [], tenants = [] }) => ({
      ...(requiredRoles.length === 0 ? {} : { requiredRoles }),
      ...(tenants.length === 0 ? {} : { tenants }),
    }));
}

/** Whether something is for users of all roles and tenants, and for those who are not signed in. */
export function isForEverybody({ requiredRoles = [], tenants = [] }: Restricted): boolean {
  return requiredRoles.length === 0 && tenants.length === 0;
}

/** Whether something is for the tenant of this reader. A reader without a tenant has access only to what names no tenants. */
export function isOfTenant({ tenants = [] }: Restricted, { tenant }: Pick<Reader, 'tenant'>): boolean {
  return tenants.length === 0 || (tenant !== undefined && tenants.some((glob) => matchesGlob(glob, tenant)));
}
