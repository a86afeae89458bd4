import type { HostedTarget } from '../ports/hosted-tools.ts';

/**
 * The beginning of the names of tools of hosted MCP servers. No action of a host has a dash in its name, so the two never have the same
 * name.
 */
export const hostedMcpPrefix = 'mcp-';

/** Longest name that providers take for a tool. */
const maxLength = 64;

/**
 * How events, the journal and the kill switch name what the provider runs: `WebSearch`, or `mcp-SERVER-TOOL`. Characters that no tool
 * name may have are underscores.
 */
export function hostedName(target: HostedTarget): string {
  if (target.kind === 'tool') return target.name;
  const name = `${hostedMcpPrefix}${target.server}-${target.name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return name.slice(0, maxLength);
}

/** The title of a tool of a hosted MCP server. */
export function hostedMcpTitle({ server, name }: { readonly server: string; readonly name: string }): string {
  return `${name} (${server})`;
}
