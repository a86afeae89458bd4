import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import type { DirectCaller, DirectCalls, DirectOutcome, OfferedAction } from '../../core/direct/direct-calls.ts';
import { wellFormedTrace } from '../shared/trace-context.ts';

/** What answers a request over MCP. */
export interface McpServerOptions {
  readonly direct: DirectCalls;
  /** `appName` and the version of this server, as clients show them. */
  readonly info: { readonly name: string; readonly version: string };
}

/** How long a client may keep a list of tools, in milliseconds. Roles and callbacks change it at any moment. */
const listKeptMs = 0;

/** The MCP server for one request of one caller (contract/mcp-server.md). */
export function mcpServer({ direct, info }: McpServerOptions, caller: DirectCaller): McpServer {
  const mcp = new McpServer({ ...info }, { capabilities: { tools: {} } });
  // The level below: actions have plain JSON Schemas, and each caller is offered others.
  const { server } = mcp;
  server.setRequestHandler('tools/list', async () => {
    const offered = await direct.offered(caller.principal);
    return { tools: offered.map(toolOf), ttlMs: listKeptMs, cacheScope: 'private' };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { _meta: meta = {} } = params;
    const { progressToken, traceparent } = meta;
    let told = 0;
    const outcome = await direct.call(
      {
        name: params.name,
        argumentsValue: params.arguments ?? {},
        signal: mcpReq.signal,
        progress: (message) => {
          if (progressToken === undefined || mcpReq.signal.aborted) return;
          told += 1;
          const notification = { progressToken, progress: told, message };
          // A caller who has gone reads nothing any more.
          mcpReq.notify({ method: 'notifications/progress', params: notification }).catch(() => undefined);
        },
      },
      { ...caller, traceparent: caller.traceparent ?? wellFormedTrace(textOf(traceparent)) },
    );
    if (outcome === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return resultOf(outcome);
  });
  return mcp;
}

function toolOf({ name, title, description, parameters, readOnly }: OfferedAction): Tool {
  return {
    name,
    title,
    description,
    inputSchema: { ...parameters, type: 'object' },
    annotations: { title, readOnlyHint: readOnly },
  };
}

/** A result as text, and as data where it is an object: clients of the older revisions read objects alone. */
function resultOf(outcome: DirectOutcome): CallToolResult {
  if ('told' in outcome) return { content: [{ type: 'text', text: outcome.told }], isError: true };
  const { text, data } = outcome;
  return { content: [{ type: 'text', text }], ...(data === undefined ? {} : { structuredContent: { ...data } }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
