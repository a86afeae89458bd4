import type { CorsSettings, HelperSettings } from './settings.ts';

/** The policy that is there without being written (contract/mcp-server.md#who-may-ask). */
const builtIn: Readonly<Record<string, CorsSettings>> = {
  HelperAgentMcp: {
    origins: ['*'],
    credentials: false,
    headers: ['authorization', 'content-type', 'last-event-id', 'x-requested-with'],
    methods: ['GET', 'POST', 'DELETE'],
  },
};

/** The policies that an endpoint may name: the written ones first. One that is written replaces the built-in one of its name. */
export function corsPolicies({ cors }: Pick<HelperSettings, 'cors'>): ReadonlyMap<string, CorsSettings> {
  return new Map([...Object.entries(cors), ...Object.entries(builtIn).filter(([name]) => !Object.hasOwn(cors, name))]);
}

/** The policy that the MCP server names. Undefined: none. */
export function mcpCorsName({ mcpServerEnabled, endpoints }: HelperSettings): string | undefined {
  return mcpServerEnabled ? (endpoints.mcp?.cors ?? undefined) : undefined;
}
