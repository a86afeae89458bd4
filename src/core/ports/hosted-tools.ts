/** Tools that a provider runs itself, by their names in the configuration (contract/hosted-tools.md). */
export const hostedToolNames = ['WebSearch', 'FileSearch', 'CodeInterpreter'] as const;
export type HostedToolName = (typeof hostedToolNames)[number];

/** An MCP server that the provider connects to. */
export interface HostedServer {
  readonly name: string;
  readonly url: string;
  readonly description?: string | undefined;
  /** Left out, all of its tools. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Whether its tools ask, except for those of the two lists. */
  readonly requireApproval: boolean;
  readonly alwaysRequireApprovalTools: readonly string[];
  readonly neverRequireApprovalTools: readonly string[];
  /** Sent to the provider, which sends them to the server. Never logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a model is offered of its provider's own tools. The same instance for as long as it is the same: adapters cache its wire form. */
export interface HostedOffer {
  readonly tools: readonly { readonly name: HostedToolName; readonly options: Readonly<Record<string, unknown>> }[];
  /** The only domains that a web search may look at; empty: any. */
  readonly allowedDomains: readonly string[];
  readonly servers: readonly HostedServer[];
}

/** What ran: a tool of the provider, or a tool of an MCP server. */
export type HostedTarget =
  | { readonly kind: 'tool'; readonly name: HostedToolName }
  | { readonly kind: 'mcp'; readonly server: string; readonly name: string };

/** A call that the provider made while it wrote a reply. */
export interface HostedCall {
  /** The provider's id of the call. */
  readonly id: string;
  readonly target: HostedTarget;
  readonly status: 'succeeded' | 'failed';
  /** The provider's id of the request for approval that this call goes back to. */
  readonly approvalId?: string;
  /** Of a tool of an MCP server: the text that the model wrote. */
  readonly arguments?: string;
  /** Of a tool of an MCP server: what it gave, or what it says of its failure. */
  readonly output?: string;
}

/** What a reply refers to. */
export interface HostedCitation {
  readonly kind: 'web' | 'file';
  /** Of a page its address; of a file the provider's id of it. */
  readonly id: string;
  readonly title: string;
}

/** What the provider's tools did for a reply. */
export interface HostedReply {
  readonly calls: readonly HostedCall[];
  readonly citations: readonly HostedCitation[];
}

/** How a call of the provider gets on, while the reply is read. */
export type HostedProgress =
  | { readonly phase: 'began'; readonly id: string; readonly target: HostedTarget }
  | { readonly phase: 'ended'; readonly call: HostedCall };

/** A call of a tool of an MCP server that the provider does not make without an approval. */
export interface ApprovalWanted {
  readonly server: string;
  readonly tool: string;
  /** The provider's id of the request. */
  readonly id: string;
}

/** What the provider is answered. */
export interface ApprovalGiven {
  readonly id: string;
  readonly approve: boolean;
  /** Why not, for the model. */
  readonly reason?: string;
}
