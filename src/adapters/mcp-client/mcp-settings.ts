/** How this server gets a token for an MCP server (contract/mcp-servers.md#tokens). */
export interface McpAuthSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
  readonly scope?: string | undefined;
  /** Exchanges the token of the user for one of the MCP server (RFC 8693). */
  readonly exchange: boolean;
}

/** What an entry says of one tool, in place of what its server does (contract/mcp-servers.md#calls). */
export interface McpToolSettings {
  readonly readOnly?: boolean | undefined;
  readonly requiresConfirmation?: boolean | undefined;
  readonly trusted?: boolean | undefined;
}

/** One entry of `mcpServers` (contract/mcp-servers.md#configuration). It has either `serverUrl` or `command`. */
export interface McpServerSettings {
  readonly name: string;
  readonly serverUrl?: string | undefined;
  readonly command?: string | undefined;
  readonly arguments: readonly string[];
  readonly environmentVariables: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[] | undefined;
  readonly requiresConfirmation: boolean;
  /** Tools of which every call asks, by the names that the server gives them. Left out, `requiresConfirmation` says it for all. */
  readonly askedTools?: readonly string[] | undefined;
  /** By the names that the server gives them. */
  readonly tools?: Readonly<Record<string, McpToolSettings>> | undefined;
  readonly shared?: boolean | undefined;
  readonly requiredRoles: readonly string[];
  readonly tenants: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: McpAuthSettings | undefined;
}
