import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

/** What a tool of the older era may do beside its work. */
export interface AskingServer {
  /** Asks the user of the client. Resolves with what the client answers. */
  ask(message: string): Promise<unknown>;
  /** The same, on the stream of the call. */
  askOnStream(message: string): Promise<unknown>;
}

const asksOtherwise = (): Promise<never> => Promise.reject(new Error('the newer era asks with its result'));
const nobody: AskingServer = { ask: asksOtherwise, askOnStream: asksOtherwise };

/** A tool as a test writes it. */
export interface TestTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** The text of the result, or the whole result. */
  readonly run?: (argumentsValue: Readonly<Record<string, unknown>>, server: AskingServer) => unknown;
}

/** One request as it arrived. */
export interface McpRequest {
  readonly method: string;
  readonly id: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RealMcpServer {
  readonly url: string;
  readonly requests: McpRequest[];
  /** The requests of one JSON-RPC method. */
  readonly of: (method: string) => readonly McpRequest[];
  /** The tools from now on. */
  tools: readonly TestTool[];
  /** Takes requests before the server does. Returns true when it has answered. */
  before: ((request: McpRequest, response: ServerResponse) => boolean | Promise<boolean>) | undefined;
  /** Tells clients that the tools have changed. */
  changed(): Promise<void>;
  close(): Promise<void>;
  /** Listens again, at the same address. */
  listen(): Promise<void>;
}

/**
 * `new`: `2026-07-28` and the older one. `old`: `2025-11-25` alone, with sessions, by the first official SDK. `sse`: the same over the
 * transport of `2024-11-05` alone.
 */
export type Era = 'new' | 'old' | 'sse';

const noParameters = { type: 'object', properties: {} };

/** As a server declares them. */
const listed = (tools: readonly TestTool[]): readonly object[] =>
  tools.map(({ run: _, inputSchema = noParameters, ...tool }) => ({ description: '', ...tool, inputSchema }));

async function called(
  tools: readonly TestTool[],
  params: { name: string; arguments?: unknown },
  server = nobody,
): Promise<object> {
  const tool = tools.find(({ name }) => name === params.name);
  if (tool?.run === undefined) return { isError: true, content: [{ type: 'text', text: `no tool ${params.name}` }] };
  const value = await tool.run((params.arguments ?? {}) as Readonly<Record<string, unknown>>, server); // checked by the client
  return typeof value === 'string' ? { content: [{ type: 'text', text: value }] } : { ...(value as object) };
}

/** A server made with the official SDKs, on a free port. It ends with the test. `others`: what it says that it has beside tools. */
export async function startMcpServer(
  era: Era,
  tools: readonly TestTool[],
  others: Readonly<Record<string, object>> = {},
): Promise<RealMcpServer> {
  const sockets = new Set<Socket>();
  const requests: McpRequest[] = [];
  const mcp: Pick<RealMcpServer, 'tools' | 'before'> = { tools, before: undefined };
  const served = era === 'new' ? newEra(mcp) : era === 'old' ? oldEra(mcp, others) : overSse(mcp, others);
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = text === '' ? undefined : (JSON.parse(text) as { id?: unknown; method?: string; params?: object });
      const seen: McpRequest = {
        method: body?.method ?? request.method ?? '',
        id: body?.id,
        headers: request.headers,
        params: { ...body?.params },
      };
      requests.push(seen);
      void (async () => {
        if ((await mcp.before?.(seen, response)) === true) return;
        await served.handle(request, response, body);
      })();
    });
  });
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  let port = 0;
  const listen = async (): Promise<void> => {
    await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
    port = (http.address() as AddressInfo).port; // It listens on a port of TCP.
  };
  await listen();
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => http.close(resolve));
  };
  onTestFinished(close);
  return Object.assign(mcp, {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    requests,
    of: (method: string) => requests.filter((request) => request.method === method),
    changed: () => served.changed(),
    close,
    listen,
  });
}

interface Served {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  changed(): Promise<void>;
}

function newEra(mcp: Pick<RealMcpServer, 'tools'>): Served {
  const handler = createMcpHandler(() => {
    // oxlint-disable-next-line typescript/no-deprecated -- the tools of tests have plain JSON Schemas
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler('tools/list', () => ({ tools: listed(mcp.tools) }) as never);
    server.setRequestHandler('tools/call', ({ params }) => called(mcp.tools, params) as never);
    return server;
  });
  const node = toNodeHandler(handler);
  return {
    handle: async (request, response, body) => {
      await node(request as Parameters<typeof node>[0], response, body); // a request that a server gets has a method
    },
    changed: () => {
      handler.notify.toolsChanged();
      return Promise.resolve();
    },
  };
}

function oldEra(mcp: Pick<RealMcpServer, 'tools'>, others: Readonly<Record<string, object>>): Served {
  // oxlint-disable-next-line typescript/no-deprecated -- the tools of tests have plain JSON Schemas
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: OldServer }>();
  let next = 0;
  return {
    handle: async (request, response, body) => {
      const { headers } = request;
      const known = sessions.get(String(headers['mcp-session-id']));
      if (known !== undefined) {
        await known.transport.handleRequest(request, response, body);
        return;
      }
      if ((body as { method?: string } | undefined)?.method !== 'initialize') {
        response.writeHead(404).end();
        return;
      }
      const server = oldServer(mcp, others);
      next += 1;
      const id = `session-${String(next)}`;
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
      sessions.set(id, { transport, server });
      await server.connect(transport);
      await transport.handleRequest(request, response, body);
    },
    changed: async () => {
      await Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
    },
  };
}

// oxlint-disable-next-line typescript/no-deprecated -- the tools of tests have plain JSON Schemas
function oldServer(mcp: Pick<RealMcpServer, 'tools'>, others: Readonly<Record<string, object>>): OldServer {
  // oxlint-disable-next-line typescript/no-deprecated -- the tools of tests have plain JSON Schemas
  const server = new OldServer(
    { name: 'test', version: '1' },
    { capabilities: { tools: { listChanged: true }, ...others } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(mcp.tools) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
    const ask = (message: string, options: object = {}): Promise<unknown> =>
      server.elicitInput(
        { message, requestedSchema: { type: 'object', properties: { size: { type: 'string' } } } },
        options,
      );
    return called(mcp.tools, params, {
      ask: (message) => ask(message),
      askOnStream: (message) => ask(message, { relatedRequestId: requestId }),
    });
  });
  return server;
}

/** Answers come on the stream of a GET, and requests go to another address. */
function overSse(mcp: Pick<RealMcpServer, 'tools'>, others: Readonly<Record<string, object>>): Served {
  // oxlint-disable-next-line typescript/no-deprecated -- the transport of the test
  const sessions = new Map<string, { transport: SSEServerTransport; server: OldServer }>();
  return {
    handle: async (request, response, body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const known = sessions.get(searchParams.get('sessionId') ?? '');
      if (request.method === 'POST' && pathname === '/messages' && known !== undefined) {
        await known.transport.handlePostMessage(request, response, body);
      } else if (request.method === 'GET' && pathname === '/mcp') {
        // oxlint-disable-next-line typescript/no-deprecated -- the transport of the test
        const transport = new SSEServerTransport('/messages', response);
        const server = oldServer(mcp, others);
        sessions.set(transport.sessionId, { transport, server });
        await server.connect(transport);
      } else response.writeHead(405).end();
    },
    changed: async () => {
      await Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
    },
  };
}
