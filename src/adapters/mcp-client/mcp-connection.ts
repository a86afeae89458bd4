import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Client,
  StreamableHTTPClientTransport,
  type Tool as ToolDefinition,
  type Transport,
} from '@modelcontextprotocol/client';
import { atMost } from '../../core/base/at-most.ts';
import { linkedSignal } from '../../core/base/linked-signal.ts';
import { untilStopped } from '../../core/base/until-stopped.ts';
import { hasMembers } from '../shared/members.ts';
import { GuardedTransport, withLists } from './guarded-transport.ts';
import type { HttpDoor } from './http-door.ts';
import { listedTools } from './listed-tools.ts';
import { mayBeOlder, McpFault, mcpFaultOf, neitherTransport } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';
import { olderTransport } from './older-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Most questions of a server that one call keeps. */
const mostQuestions = 3;

/** The call on whose stream the server sends the message that is being handled. */
const callOfStream = new AsyncLocalStorage<UnderWay>();

/** A call under way, and what the server wants to ask the user meanwhile. */
interface UnderWay {
  readonly asked: string[];
}

/** How a server is reached. A program is started anew for each connection. */
export type Reaching =
  | { readonly kind: 'http'; readonly url: URL; readonly door: HttpDoor }
  | { readonly kind: 'stdio'; readonly transport: () => Transport };

export interface ConnectionOptions {
  readonly reaching: Reaching;
  readonly version: string;
  readonly limits: McpLimits;
  /** Users share the connection. */
  readonly isShared: boolean;
  /** The server says that its tools have changed. */
  readonly changed: () => void;
  /** The connection has ended by itself. */
  readonly lost: () => void;
}

export interface McpCall {
  readonly tool: ToolDefinition;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The W3C trace context of the call. */
  readonly traceparent: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** What came of a call. */
export interface McpAnswer {
  readonly result: unknown;
  /** What the server wanted to ask the user meanwhile. Nobody has answered. */
  readonly asked: readonly string[];
}

/** One connection with an MCP server, of either era of the protocol (contract/mcp-servers.md#protocol). */
export class McpConnection {
  readonly #options: ConnectionOptions;
  readonly #client: Client;
  readonly #transport: GuardedTransport;
  readonly #http: StreamableHTTPClientTransport | undefined;
  readonly #program: StdioTransport | undefined;
  /** How it is reached, for the log. */
  readonly transport: 'stdio' | 'streamable HTTP' | 'HTTP+SSE';
  readonly #calls = new Set<UnderWay>();
  #isOpen = false;
  #isClosed = false;
  #isCalled = false;
  /** Somebody has given up a call, and the server may still work on it. */
  #hasGivenUp = false;

  /**
   * Connects. A server that does not take requests at its address is asked there for the stream of the older transport.
   * @throws McpFault where no connection comes about in time.
   */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const limit = linkedSignal(signal, options.limits.connectMs);
    const connected = (isOlder: boolean): Promise<McpConnection> =>
      new McpConnection(options, isOlder).#connect(limit.signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw limit.isLate ? new McpFault('not-sent', 'did not answer in time', { cause: error }) : error;
      });
    try {
      return await connected(false).catch((error: unknown) => {
        if (!mayBeOlder(error)) throw error;
        // Where there is no older transport either, the first fault tells what is wrong.
        return connected(true).catch(() => {
          signal.throwIfAborted();
          throw neitherTransport(error);
        });
      });
    } finally {
      limit.release();
    }
  }

  private constructor(options: ConnectionOptions, isOlder: boolean) {
    this.#options = options;
    const { reaching, limits } = options;
    this.transport = reaching.kind === 'stdio' ? 'stdio' : isOlder ? 'HTTP+SSE' : 'streamable HTTP';
    this.#client = new Client(
      { name: 'helper', version: options.version },
      {
        capabilities: { elicitation: { form: {} } },
        // Whoever has the older transport alone is of the older era, and may not answer another question before the first.
        ...(isOlder ? {} : { versionNegotiation: { mode: 'auto', probe: { timeoutMs: limits.probeMs } } }),
        // The news may come on the stream of a call. What follows from it is no part of this call.
        listChanged: { tools: { autoRefresh: false, onChanged: () => callOfStream.exit(options.changed) } },
        // What a result holds is text for a model, so no server makes this one compile a schema for it.
        jsonSchemaValidator: {
          getValidator: () => (value) => ({
            valid: true,
            data: value as never, // nobody reads it as what the schema says
            errorMessage: undefined,
          }),
        },
      },
    );
    this.#client.setRequestHandler('elicitation/create', ({ params }) => {
      this.#noteQuestion(params.message);
      return { action: 'decline' };
    });
    this.#client.onclose = () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      // What never stood is not lost: `open` tells why it failed.
      if (this.#isOpen) options.lost();
    };
    this.#client.onerror = () => undefined;
    const inner = transportOf(reaching, isOlder);
    this.#http = inner instanceof StreamableHTTPClientTransport ? inner : undefined;
    this.#program = inner instanceof StdioTransport ? inner : undefined;
    this.#transport = new GuardedTransport(inner);
  }

  async #connect(signal: AbortSignal): Promise<this> {
    const { reaching, limits } = this.#options;
    try {
      const connected = this.#client.connect(this.#transport, { signal, timeout: limits.connectMs });
      await untilStopped(connected, signal);
      this.#isOpen = true;
      return this;
    } catch (error) {
      const ended = this.#program?.endFault();
      void this.close();
      throw (reaching.kind === 'http' ? reaching.door.fault : await ended) ?? mcpFaultOf(error);
    }
  }

  /** Whether the server has resources or prompts, which nobody here uses. */
  get hasOthers(): boolean {
    const { resources, prompts } = this.#client.getServerCapabilities() ?? {};
    return resources !== undefined || prompts !== undefined;
  }

  /** Whether a tool was called on it. From then on, what the server declares on it may depend on the caller. */
  get isCalled(): boolean {
    return this.#isCalled;
  }

  /** The protocol version that both sides speak. */
  get version(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? '';
  }

  /** The tools of the server as it declares them, not checked. @throws McpFault. @throws the reason of the signal. */
  async list(signal: AbortSignal): Promise<readonly unknown[]> {
    const limit = linkedSignal(signal, this.#options.limits.listMs);
    try {
      return await untilStopped(listedTools(this.#client, limit.signal, this.#options.limits), limit.signal);
    } catch (error) {
      signal.throwIfAborted();
      throw limit.isLate
        ? new McpFault('broken', 'did not tell its tools in time', { cause: error })
        : mcpFaultOf(error);
    } finally {
      limit.release();
    }
  }

  /** @throws McpFault where there is no result. @throws the reason of the signal. */
  async call(call: McpCall): Promise<McpAnswer> {
    const { tool, signal, traceparent, timeoutMs } = call;
    const underWay: UnderWay = { asked: [] };
    this.#isCalled = true;
    this.#calls.add(underWay);
    try {
      const params = {
        name: tool.name,
        arguments: { ...call.arguments },
        ...(traceparent === undefined ? {} : { _meta: { traceparent } }),
      };
      const options = {
        ...{ toolDefinition: tool, signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs },
        allowInputRequired: true as const,
        onprogress: ({ message }: { readonly message?: string | undefined }) => {
          if (message !== undefined) call.progress(message);
        },
      };
      const answered = callOfStream.run(underWay, () => this.#client.callTool(params, options));
      answered.catch(() => undefined);
      const result = withLists(await untilStopped(answered, signal));
      return { result, asked: [...underWay.asked, ...this.#questionsIn(result)] };
    } catch (error) {
      const fault = mcpFaultOf(error);
      if (signal.aborted || fault.kind === 'broken') this.#hasGivenUp = true;
      signal.throwIfAborted();
      throw fault;
    } finally {
      this.#calls.delete(underWay);
    }
  }

  /** Ends the connection, and what is under way on it. A server that does not let go is left behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { closeMs } = this.#options.limits;
    if (this.#http !== undefined)
      await atMost(
        closeMs,
        this.#http.terminateSession().catch(() => undefined),
      );
    // The end of a program is bounded by itself, and has steps that must all be taken.
    await Promise.allSettled([this.#client.close(), this.#transport.close()]);
  }

  /** Keeps a question of the server with the call that it belongs to. One of which nobody knows that is for nobody. */
  #noteQuestion(message: string): void {
    const ofStream = callOfStream.getStore();
    const asking = ofStream === undefined ? this.#onlyCall() : ofStream;
    if (asking === undefined || asking.asked.length >= mostQuestions) return;
    asking.asked.push(message.slice(0, this.#options.limits.questionLength));
  }

  /** The call that a question belongs to which came on the stream of no call. It may be about a call that another user has given up. */
  #onlyCall(): UnderWay | undefined {
    if (this.#calls.size !== 1 || (this.#options.isShared && this.#hasGivenUp)) return undefined;
    return [...this.#calls][0];
  }

  /** The newer era asks with the result of a call. Nothing is answered, so the call has come to nothing. */
  #questionsIn(result: unknown): readonly string[] {
    if (!hasMembers(result) || result['resultType'] !== 'input_required') return [];
    const requests = hasMembers(result['inputRequests']) ? Object.values(result['inputRequests']) : [];
    return requests.slice(0, mostQuestions).map((request) => {
      const params = hasMembers(request) ? request['params'] : undefined;
      const message = hasMembers(params) ? params['message'] : undefined;
      return typeof message === 'string' ? message.slice(0, this.#options.limits.questionLength) : '';
    });
  }
}

function transportOf(reaching: Reaching, isOlder: boolean): Transport {
  if (reaching.kind === 'stdio') return reaching.transport();
  const { url, door } = reaching;
  return isOlder ? olderTransport(url, door) : new StreamableHTTPClientTransport(url, { fetch: door.fetch });
}
