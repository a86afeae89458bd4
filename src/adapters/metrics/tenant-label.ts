/** The label for all tenants without a label of their own. */
export const otherTenants = 'other';

/**
 * The label of a tenant. Invisible characters and the percent sign are percent-encoded, and so is the first letter of a tenant named
 * `other`. So no two tenants share a label, and none has the label of the rest.
 */
export function tenantLabel(tenant: string): string {
  const label = tenant.replace(/[%\p{C}\p{Zl}\p{Zp}]/gu, (character) => encodeURIComponent(character));
  return label === otherTenants ? '%6Fther' : label;
}
