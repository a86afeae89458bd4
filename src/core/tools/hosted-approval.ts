import type { HostedServer } from '../ports/hosted-tools.ts';

/**
 * Whether a call of a tool of a hosted MCP server asks its user (contract/hosted-tools.md#approvals). A tool that both lists name asks.
 */
export function needsApproval(
  server: Pick<HostedServer, 'requireApproval' | 'alwaysRequireApprovalTools' | 'neverRequireApprovalTools'>,
  tool: string,
): boolean {
  if (server.alwaysRequireApprovalTools.includes(tool)) return true;
  if (server.neverRequireApprovalTools.includes(tool)) return false;
  return server.requireApproval;
}

/** Whether the configuration lets the provider use a tool of a server. */
export function isAllowedTool({ allowedTools }: Pick<HostedServer, 'allowedTools'>, tool: string): boolean {
  return allowedTools?.includes(tool) !== false;
}
