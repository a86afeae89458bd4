import type { McpCall } from './mcp-connection.ts';
import type { McpCaller } from './reach-server.ts';
import type { McpTool } from './read-tool.ts';

/** The definition of a tool is not the one any more that the call was made for. The call did not run. */
export class McpToolChanged extends Error {
  override readonly name = 'McpToolChanged';
}

/** Whose call it is, and what is called. */
export interface McpServerCall extends Omit<McpCall, 'tool'> {
  readonly tool: McpTool;
  readonly caller: McpCaller;
  /** The call was approved, by its user or by a rule, for the tool as it is here. */
  readonly isApproved: boolean;
}
