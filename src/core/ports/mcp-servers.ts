/** How an MCP server is doing, for the badge of the widget (contract/events.md#events-of-the-connection). */
export type McpServerStatus = 'connecting' | 'connected' | 'failed' | 'disabled';

/** An MCP server as clients are told of it. */
export interface ShownMcpServer {
  readonly name: string;
  /** `disabled`: the kill switch stops all its tools. */
  readonly status: McpServerStatus;
  /** How many of its tools are offered. */
  readonly toolCount: number;
  /** Why it failed, in the words of this server. It never holds an address or text of the MCP server. */
  readonly error?: string;
  /** A user needs only one of these roles to be told of the server. Empty: everybody is told. */
  readonly requiredRoles: readonly string[];
  /** Globs of the tenants whose users are told of the server. Empty: the users of every tenant. */
  readonly tenants: readonly string[];
}

/** How the MCP servers of this server are doing. */
export interface McpServerBoard {
  shown(): readonly ShownMcpServer[];
  /** Calls `listener` after each change of what is shown. */
  onChange(listener: () => void): void;
}
