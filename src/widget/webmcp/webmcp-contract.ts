import type { PageTools } from '../conversation/page-actions.ts';

/** What the panel takes from the WebMCP chunk. */
export interface WebMcpModule {
  readonly styles?: never;
  /** Resolves when the tools are known, and follows them until `signal` is aborted. Rejects where this is no model context. */
  readonly followTools: (modelContext: unknown, signal: AbortSignal) => Promise<PageTools>;
}

/** A tool as `getTools` lists it. All of it is the page's own text. */
export interface RegisteredTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly inputSchema?: object;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    /** Significant, in the real world, or not to be undone. */
    readonly consequentialHint?: boolean;
    /** For developers alone. */
    readonly debugging?: boolean;
  };
}

/** What of `document.modelContext` is used (WebMCP, draft of its community group). */
export interface ModelContext extends EventTarget {
  readonly getTools: () => Promise<readonly RegisteredTool[]>;
  /** Resolves to JSON, or to the text that the tool has returned. */
  readonly executeTool: (
    tool: RegisteredTool,
    input: object,
    options: { readonly signal: AbortSignal },
  ) => Promise<string | null>;
}
