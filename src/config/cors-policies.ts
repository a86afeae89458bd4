import type { CorsSettings, HelperSettings } from './settings.ts';

/** The policy that is there without being written (contract/mcp-server.md#who-may-ask). */
const builtIn = {
  HelperAgentMcp: {
    origins: ['*'],
    credentials: false,
    headers: ['authorization', 'content-type', 'last-event-id', 'x-requested-with'],
    methods: ['GET', 'POST', 'DELETE'],
  },
} as const satisfies Readonly<Record<string, CorsSettings>>;

/** The names of the policies that an endpoint may name. */
export function corsNames({ cors }: Pick<HelperSettings, 'cors'>): readonly string[] {
  return [...new Set([...Object.keys(cors), ...Object.keys(builtIn)])];
}

/** The policy of a name. One that is written replaces the built-in one. Undefined where there is none. */
export function corsOf({ cors }: Pick<HelperSettings, 'cors'>, name: string): CorsSettings | undefined {
  if (Object.hasOwn(cors, name)) return cors[name];
  return name === 'HelperAgentMcp' ? builtIn.HelperAgentMcp : undefined;
}

/** The policy that the MCP server names. Undefined: none. */
export function mcpCorsName({ mcpServerEnabled, endpoints }: HelperSettings): string | undefined {
  return mcpServerEnabled ? (endpoints.mcp?.cors ?? undefined) : undefined;
}
