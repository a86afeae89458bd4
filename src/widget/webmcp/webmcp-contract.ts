import type { PageTools } from '../conversation/page-actions.ts';

/** What the WebMCP chunk exports. */
export interface WebMcpModule {
  readonly styles?: never;
  /** Resolves when the tools are known, and follows them until `signal` aborts. Rejects for a value that is no model context. */
  readonly followTools: (modelContext: unknown, signal: AbortSignal) => Promise<PageTools>;
}

/** A tool as `getTools` lists it. Every text in it is the page's own. */
export interface RegisteredTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly inputSchema?: object;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    /** Whether the tool has significant effects in the real world or cannot be undone. */
    readonly consequentialHint?: boolean;
    /** Whether the tool is meant only for developers. */
    readonly debugging?: boolean;
  };
}

/** The members of `document.modelContext` that are used (WebMCP, draft of its community group). */
export interface ModelContext extends EventTarget {
  readonly getTools: () => Promise<readonly RegisteredTool[]>;
  /** Resolves to JSON, or to the text that the tool has returned. */
  readonly executeTool: (
    tool: RegisteredTool,
    input: object,
    options: { readonly signal: AbortSignal },
  ) => Promise<string | null>;
}
