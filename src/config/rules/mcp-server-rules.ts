import type { Rule } from './rule.ts';

/** The endpoint of the MCP server has settings only where there is one. */
export const mcpEndpointRule: Rule = ({ mcpServerEnabled, endpoints }) => {
  if (mcpServerEnabled || endpoints.mcp === null) return [];
  const message = 'has no effect while mcpServerEnabled is false';
  return [{ path: ['endpoints', 'mcp'], message, follows: ['mcpServerEnabled'] }];
};
