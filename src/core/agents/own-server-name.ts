/** The name by which people, logs and tools know an MCP server that only this agent has. No entry of `mcpServers` can have it. */
export function ownServerName(agent: string, server: string): string {
  return `${agent}/${server}`;
}
