import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AgentCard, type Message, type Part, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  defaultServerCallContextBuilder,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { onTestFinished } from 'vitest';

/** The path at which an agent answers. */
const rpcPath = '/rpc';

/** One request as it arrived. The card is asked for with GET. */
export interface RemoteCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON-RPC method; `card` for the card. */
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type RemoteAnswer = (response: ServerResponse, call: RemoteCall) => void | Promise<void>;

export interface RemoteServer {
  readonly url: string;
  readonly calls: RemoteCall[];
  /** The methods of all calls, in order. */
  readonly methods: () => readonly string[];
  /** Connections that are open now. */
  readonly openSockets: () => number;
  /** The answers from now on. */
  card: RemoteAnswer;
  rpc: RemoteAnswer;
  close(): Promise<void>;
}

/** A server that answers as the test says, on a free port. It ends with the test. */
export async function startRemoteServer(card: RemoteAnswer, rpc: RemoteAnswer): Promise<RemoteServer> {
  const sockets = new Set<Socket>();
  const calls: RemoteCall[] = [];
  const remote = { card, rpc };
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const { method, params } = body;
      const isCard = request.method === 'GET';
      const call: RemoteCall = {
        path: request.url ?? '',
        headers: request.headers,
        method: isCard ? 'card' : String(method),
        params: params ?? {},
      };
      calls.push(call);
      bodies.set(call, body);
      await (isCard ? remote.card : remote.rpc)(response, call);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port of TCP.
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return Object.assign(remote, {
    url: `http://127.0.0.1:${String(port)}`,
    calls,
    methods: () => calls.map(({ method }) => method),
    openSockets: () => sockets.size,
    close,
  });
}

interface RpcBody {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The whole body of each call, with its JSON-RPC id. */
const bodies = new WeakMap<RemoteCall, RpcBody>();

async function bodyOf(request: IncomingMessage): Promise<RpcBody> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer); // Without an encoding, parts are buffers.
  const text = Buffer.concat(parts).toString();
  return text === '' ? {} : (JSON.parse(text) as RpcBody); // The client of the SDK sends this shape.
}

/** Answers with JSON. */
export function sendJson(body: unknown, headers: Readonly<Record<string, string>> = {}): RemoteAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** The JSON-RPC answer to a call. */
export function rpcResult(call: RemoteCall, result: unknown): object {
  return { ...(bodies.get(call) as object), method: undefined, params: undefined, result }; // Each call has its body.
}

/** The JSON-RPC answer that refuses a call. */
export function rpcError(call: RemoteCall, error: { readonly code: number; readonly message: string }): object {
  return { ...rpcResult(call, undefined), error };
}

/** A card as JSON, as version 1.0 of the protocol has it. */
export function cardJson(interfaceUrl: string, { streaming = false, version = '1.0' } = {}): object {
  return AgentCard.toJSON(cardOf(interfaceUrl, { streaming, version })) as object; // A message becomes an object.
}

function cardOf(url: string, { streaming, version }: { streaming: boolean; version: string }): AgentCard {
  return AgentCard.fromJSON({
    name: 'Warehouse',
    description: 'Knows stock levels.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: version }],
    capabilities: { streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'stock', name: 'Stock', description: 'Stock levels.', tags: ['stock'] }],
  });
}

/** How an agent works on one message. */
export interface AgentWork {
  readonly text: string;
  readonly isNewTask: boolean;
  /** Aborted when the task is cancelled. */
  readonly cancelled: AbortSignal;
  /** The reply is a message, without a task. */
  readonly message: (text: string) => void;
  /** MUST come first, where the reply is a task. */
  readonly begin: () => void;
  readonly status: (state: TaskState, message?: { readonly text: string; readonly id?: string }) => void;
  readonly artifact: (artifactId: string, text: string, append?: boolean) => void;
}

export interface RemoteAgentSetup {
  readonly work: (work: AgentWork) => Promise<void> | void;
  readonly streaming?: boolean;
  /** The protocol of the agent. Default: 1.0. */
  readonly version?: '1.0' | '0.3';
}

/** An agent built with the SDK of the protocol. */
export async function startRemoteAgent({
  work,
  streaming = false,
  version = '1.0',
}: RemoteAgentSetup): Promise<RemoteServer> {
  const server = await startRemoteServer(sendJson({}), sendJson({}));
  const card = cardOf(`${server.url}${rpcPath}`, { streaming, version });
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executorOf(work));
  const rpc = version === '0.3' ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
  server.card = sendJson(version === '0.3' ? legacyCard(`${server.url}${rpcPath}`, streaming) : AgentCard.toJSON(card));
  server.rpc = async (response, call) => {
    const context = defaultServerCallContextBuilder({
      extensions: undefined,
      user: undefined,
      headers: call.headers,
      requestedVersion: version,
    });
    const body = { ...bodies.get(call) } as Record<string, unknown>; // A JSON object.
    await answerRpc(response, await rpc.handle(body, context));
  };
  return server;
}

async function answerRpc(response: ServerResponse, answer: object): Promise<void> {
  if (!(Symbol.asyncIterator in answer)) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // The handler of the SDK returns generators of JSON-RPC answers.
  for await (const event of answer as AsyncIterable<object>) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function legacyCard(url: string, streaming: boolean): object {
  return {
    protocolVersion: '0.3.0',
    name: 'Warehouse',
    description: 'Knows stock levels.',
    url,
    preferredTransport: 'JSONRPC',
    version: '1.0.0',
    capabilities: { streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'stock', name: 'Stock', description: 'Stock levels.', tags: ['stock'] }],
  };
}

function executorOf(work: RemoteAgentSetup['work']): AgentExecutor {
  const running = new Map<string, AbortController>();
  return {
    async execute(context, bus) {
      const cancelled = new AbortController();
      running.set(context.taskId, cancelled);
      const { taskId, contextId } = context;
      await work({
        text: textOf(context.userMessage.parts),
        isNewTask: context.task === undefined,
        cancelled: cancelled.signal,
        message: (text) => {
          bus.publish(AgentEvent.message({ ...messageOf(text), contextId }));
        },
        begin: () => {
          bus.publish(AgentEvent.task(taskOf(context)));
        },
        status: (state, message) => {
          bus.publish(
            AgentEvent.statusUpdate({ taskId, contextId, status: statusOf(state, message), metadata: undefined }),
          );
        },
        artifact: (artifactId, text, append = false) => {
          const artifact = {
            artifactId,
            name: '',
            description: '',
            parts: partsOf(text),
            metadata: undefined,
            extensions: [],
          };
          const head = { taskId, contextId, append, lastChunk: false, metadata: undefined };
          bus.publish(AgentEvent.artifactUpdate({ ...head, artifact }));
        },
      });
      bus.finished();
    },
    cancelTask(taskId, bus) {
      running.get(taskId)?.abort();
      const status = statusOf(TaskState.TASK_STATE_CANCELED);
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }));
      return Promise.resolve();
    },
  };
}

function taskOf({ taskId, contextId, task }: RequestContext): Task {
  const begun = { id: taskId, contextId, artifacts: [], history: [], metadata: undefined };
  return { ...begun, ...task, status: statusOf(TaskState.TASK_STATE_WORKING) };
}

function statusOf(state: TaskState, message?: { readonly text: string; readonly id?: string }): TaskStatus {
  return { state, message: message && messageOf(message.text, message.id), timestamp: undefined };
}

function messageOf(text: string, messageId: string = crypto.randomUUID()): Message {
  const head = { messageId, contextId: '', taskId: '', role: Role.ROLE_AGENT, metadata: undefined };
  return { ...head, parts: partsOf(text), extensions: [], referenceTaskIds: [] };
}

function partsOf(text: string): Part[] {
  return [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }];
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
