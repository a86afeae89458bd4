import type { McpServerSettings } from '../../adapters/mcp-client/mcp-settings.ts';
import { ownServerName } from '../../core/agents/own-server-name.ts';
import type { WrittenAgent } from '../../core/agents/written-agent.ts';

/** The same as the default of `mcpServers`, which a definition has no word for. Milliseconds. */
const timeout = 60_000;

/** The MCP servers that agents have for themselves, as entries of `mcpServers` (contract/agents.md#own-mcp-servers). */
export function ownServersOf(agents: readonly WrittenAgent[]): readonly McpServerSettings[] {
  return agents.flatMap(({ definition, mcpServers = [] }) =>
    mcpServers.map(({ name, url, headers, allowedTools, asksAlways, askedTools }) => ({
      name: ownServerName(definition.name, name),
      serverUrl: url,
      allowedTools,
      requiresConfirmation: asksAlways,
      askedTools,
      requiredRoles: definition.requiredRoles,
      headers,
      timeout,
      arguments: [],
      environmentVariables: {},
      tenants: [],
    })),
  );
}
