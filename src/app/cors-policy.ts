import { corsPolicies, mcpCorsName } from '../config/cors-policies.ts';
import type { CorsSettings, HelperSettings } from '../config/settings.ts';

/** One policy of `cors`, with its name (contract/doors.md). */
export interface CorsPolicy extends CorsSettings {
  readonly name: string;
}

/** A setting that names no policy, for those whom it refuses. */
export interface UnnamedPolicy {
  readonly setting: string;
}

/** The policy of every endpoint but the MCP server. */
export function defaultPolicy({ cors }: HelperSettings): CorsPolicy {
  return { name: 'default', ...cors.default };
}

/** The policy by which websites may use the MCP server (contract/mcp-server.md#who-may-ask). Undefined: none may. */
export function mcpPolicy(settings: HelperSettings): CorsPolicy | undefined {
  const name = mcpCorsName(settings) ?? '';
  const policy = corsPolicies(settings).get(name);
  return policy && { name, ...policy };
}

/** What decides about websites at the MCP server: its policy, or the setting that would name one. */
export function mcpPolicyOrSetting(settings: HelperSettings): CorsPolicy | UnnamedPolicy {
  return mcpPolicy(settings) ?? { setting: 'endpoints.mcp.cors' };
}
