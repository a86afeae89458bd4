import type { Principal } from '../identity/principal.ts';
import type { ToolUser } from './tool.ts';

const anonymous: ToolUser = Object.freeze({ id: '', name: '', roles: [], claims: {}, isAuthenticated: false });

/** Who calls, as actions see it (contract/plugins.md#actions). */
export function toolUser(principal: Principal): ToolUser {
  if (principal.kind === 'anonymous') {
    return principal.roles.size === 0 ? anonymous : { ...anonymous, roles: [...principal.roles] };
  }
  const { id, name, roles, claims, tenant } = principal;
  return { id, name, roles: [...roles], claims, isAuthenticated: true, ...(tenant === undefined ? {} : { tenant }) };
}
