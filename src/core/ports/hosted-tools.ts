/** Tools that a provider runs itself, by their names in the configuration (contract/hosted-tools.md). */
export const hostedToolNames = ['WebSearch', 'FileSearch', 'CodeInterpreter'] as const;
export type HostedToolName = (typeof hostedToolNames)[number];

/** An MCP server that the provider connects to. */
export interface HostedServer {
  readonly name: string;
  readonly url: string;
  readonly description?: string | undefined;
  /** The tools of the server that the model may use. When absent, it may use all of them. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Whether the tools of the server ask for approval. The two lists name the exceptions. */
  readonly requireApproval: boolean;
  readonly alwaysRequireApprovalTools: readonly string[];
  readonly neverRequireApprovalTools: readonly string[];
  /** Headers that are sent to the provider, which sends them to the server. They are never logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What a model is offered of its provider's own tools. This is the same instance for as long as the offer is the same. Adapters cache its
 * wire form.
 */
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
  /** The provider's id of the request for approval that led to this call. */
  readonly approvalId?: string;
  /** The arguments as the model wrote them. Only for a tool of an MCP server. */
  readonly arguments?: string;
  /** The result of the tool, or its own words about its failure. Only for a tool of an MCP server. */
  readonly output?: string;
}

/** What a reply refers to. */
export interface HostedCitation {
  readonly kind: 'web' | 'file';
  /** The address of a page, or the provider's id of a file. */
  readonly id: string;
  readonly title: string;
}

/** What the provider's tools did for a reply. */
export interface HostedReply {
  readonly calls: readonly HostedCall[];
  readonly citations: readonly HostedCitation[];
}

/** The progress of a call that the provider makes, while the reply is read. */
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

/** The answer to the provider's request for approval. */
export interface ApprovalGiven {
  readonly id: string;
  readonly approve: boolean;
  /** Why the call is not approved. The model reads this text. */
  readonly reason?: string;
}
