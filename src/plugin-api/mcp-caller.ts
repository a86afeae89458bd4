/** A request at the MCP endpoint, as `mcpCallerPrincipal` sees it. It holds what the caller has sent to prove who it is: log none of it. */
export interface McpRequest {
  /** By their names in small letters. A header that came twice has its values joined by commas. Cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The IP address of the caller, as `server.trustProxy` resolves it. */
  readonly address: string;
}

/** Who calls, as `mcpCallerPrincipal` says. */
export interface McpCaller {
  /** Identifies the user or program, 1 to 255 characters. It is the same user as that of a token with this `sub`. */
  readonly id: string;
  /** Left out, the id is the name. */
  readonly name?: string;
  readonly roles?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}
