import { matchesGlob } from '../base/glob.ts';
import { mayRun } from '../tools/tool-policy.ts';

/** Who asks: the roles, and the tenant where there are tenants and the user is signed in. */
export interface Reader {
  readonly roles: ReadonlySet<string>;
  readonly tenant: string | undefined;
}

/** Who may read something. Left out or empty, everybody may. */
export interface Restricted {
  readonly requiredRoles?: readonly string[] | undefined;
  readonly tenants?: readonly string[] | undefined;
}

/** Whether a source or a document is for this reader (contract/knowledge.md#access). Whoever has no tenant is of none. */
export function mayRead({ requiredRoles = [], tenants = [] }: Restricted, { roles, tenant }: Reader): boolean {
  const isOfTenant =
    tenants.length === 0 || (tenant !== undefined && tenants.some((glob) => matchesGlob(glob, tenant)));
  return mayRun({ requiredRoles }, roles) && isOfTenant;
}
