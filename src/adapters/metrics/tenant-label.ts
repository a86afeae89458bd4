/** Stands for all tenants that have no label of their own. */
export const otherTenants = 'other';

/**
 * A tenant as a label. Characters that nobody sees are written as %0A is, and so are the percent sign and a tenant whose name is `other`:
 * no two tenants have the same label, and none has that of the rest.
 */
export function tenantLabel(tenant: string): string {
  const label = tenant.replace(/[%\p{C}\p{Zl}\p{Zp}]/gu, (character) => encodeURIComponent(character));
  return label === otherTenants ? '%6Fther' : label;
}
