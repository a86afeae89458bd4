import { atMost } from '../../core/base/at-most.ts';
import { untilStopped } from '../../core/base/until-stopped.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { BackOff } from '../shared/back-off.ts';
import { type McpAnswer, McpConnection } from './mcp-connection.ts';
import { McpFault, mcpFaultOf } from './mcp-fault.ts';
import { type McpLimits, mcpLimits } from './mcp-limits.ts';
import { type McpServerCall, McpToolChanged } from './mcp-server-call.ts';
import type { McpServerSettings } from './mcp-settings.ts';
import { McpSessions, type OpenedSession, type OpenSession, sharedKey } from './mcp-sessions.ts';
import { type McpCaller, reachServer, sessionKey } from './reach-server.ts';
import type { McpTool } from './read-tool.ts';
import { ToolList } from './tool-list.ts';
import type { McpWarning } from './unknown-names.ts';

export interface McpServerOptions {
  readonly settings: McpServerSettings;
  /** The version of this server, which MCP servers are told. */
  readonly version: string;
  readonly log: Logger;
  /** Called after each change of the tools. */
  readonly toolsChanged: () => void;
  /** Called after each change of `status`, `error` and the tools. */
  readonly statusChanged: () => void;
  /** Default: those of a running server. */
  readonly limits?: McpLimits;
}

/** An MCP server, and the connections with it (contract/mcp-servers.md#connections). */
export class McpServer {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly #options: McpServerOptions;
  readonly #limits: McpLimits;
  readonly #log: Logger;
  readonly #list: ToolList;
  readonly #sessions: McpSessions;
  readonly #backOff: BackOff;
  #status: 'connecting' | 'connected' | 'failed' = 'connecting';
  #error: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #isRetired = false;
  #hasNoted = false;

  constructor(options: McpServerOptions) {
    const { settings, log, limits = mcpLimits } = options;
    this.name = settings.name;
    this.settings = settings;
    this.#options = options;
    this.#limits = limits;
    this.#log = log.child({ mcpServer: settings.name });
    const { allowedTools, askedTools = [], tools = {} } = settings;
    const named = { allowedTools: allowedTools ?? [], askedTools, tools: Object.keys(tools) };
    this.#list = new ToolList({ server: settings.name, allowedTools, named, limits, log: this.#log });
    this.#sessions = new McpSessions(limits, this.#isEager);
    this.#backOff = new BackOff(limits.pauseMs, () => performance.now());
  }

  get status(): 'connecting' | 'connected' | 'failed' {
    return this.#status;
  }

  /** Why it failed. It holds no address and no text of the MCP server. */
  get error(): string | undefined {
    return this.#error;
  }

  get tools(): readonly McpTool[] {
    return this.#list.tools;
  }

  /** The warnings about names in the configuration that the server does not have. */
  get warnings(): readonly McpWarning[] {
    return this.#list.warnings;
  }

  /** Whether the server has told its tools. */
  get isKnown(): boolean {
    return this.#list.isKnown;
  }

  /** A server that is reached over HTTP is connected at the start. A program starts at its first use. */
  get #isEager(): boolean {
    return this.settings.serverUrl !== undefined;
  }

  /** Begins to connect, in the background. */
  open(): void {
    if (this.#isEager) this.#lookIn(0, sharedKey);
  }

  /**
   * The server is about to be used, so a program is started. Resolves once the server has told its tools or has failed, and after a while
   * at the latest. Undefined where there is nothing to wait for. Never rejects.
   */
  wake(caller: McpCaller): Promise<void> | undefined {
    if (this.#list.isKnown || this.#isClosed || this.#backOff.leftMs > 0) return undefined;
    const { http, stdio } = this.#limits.firstListMs;
    if (!this.#isEager) return atMost(stdio, this.#look(sessionKey(this.settings, caller)));
    return this.#status === 'failed' || this.#looking === undefined ? undefined : atMost(http, this.#looking);
  }

  /** @throws McpFault where there is no result. @throws McpToolChanged. @throws the reason of the signal. */
  async call({ tool, caller, isApproved, ...call }: McpServerCall): Promise<McpAnswer> {
    if (this.#backOff.leftMs > 0) throw new McpFault('not-sent', 'is paused: it has failed, and is asked again later');
    const key = sessionKey(this.settings, caller);
    const made = this.#sessions.use(key, this.#opening(key, caller), async (connection) => {
      // The hint is the server's own word. It spares a look at the tools only where nobody has approved anything.
      if (isApproved || !tool.readOnly) await this.#requireUnchanged(tool, { key, connection, signal: call.signal });
      return connection.call({ ...call, tool: tool.definition });
    });
    try {
      // A connection that is being opened for others too is not given up with this call.
      const answer = await untilStopped(made, call.signal);
      this.#succeeded();
      return answer;
    } catch (error) {
      call.signal.throwIfAborted();
      if (error instanceof McpToolChanged) throw error;
      const fault = mcpFaultOf(error);
      if (fault.kind !== 'refused') this.#failed(fault, key);
      throw fault;
    }
  }

  /** The server is not configured any more. Turns that have its tools may call them for a while; then it is closed, and `closed` is called. */
  retire(closed: () => void): void {
    clearTimeout(this.#timer);
    this.#isRetired = true;
    setTimeout(() => void this.close().then(closed), this.#limits.retiredMs).unref();
  }

  /** Ends everything. Resolves once it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sessions.close();
  }

  /** An approval covers the definition that the user was shown, so the server is asked for the present one. */
  async #requireUnchanged(
    tool: McpTool,
    {
      key,
      connection,
      signal,
    }: { readonly key: string; readonly connection: McpConnection; readonly signal: AbortSignal },
  ): Promise<void> {
    const declared = await connection.list(signal).catch((error: unknown) => {
      signal.throwIfAborted();
      // Nothing was called yet.
      throw new McpFault('not-sent', mcpFaultOf(error).message, { cause: error });
    });
    const isOfAll = this.#isOfAll(key, connection);
    if (isOfAll) await this.#take(declared);
    const now = isOfAll
      ? this.#list.tools.find(({ name }) => name === tool.name)
      : await this.#list.find(tool.name, declared);
    if (now?.fingerprint === tool.fingerprint) return;
    if (!isOfAll) {
      this.#log.warn(
        { tool: tool.name },
        'a tool of an MCP server is not declared to its caller as it is offered: it did not run',
      );
      // Where the tool has changed for everybody, the next turn asks for the new one.
      await untilStopped(atMost(this.#limits.firstListMs.http, this.#look(sharedKey)), signal);
    }
    throw new McpToolChanged(`${tool.name} has changed`);
  }

  /**
   * Whether what is declared on a connection is what everybody may be offered. On the connection of one user or conversation it is theirs
   * alone. A program is told nothing of them before their first call.
   */
  #isOfAll(key: string, { isCalled }: McpConnection): boolean {
    return key === sharedKey || (!this.#isEager && !isCalled);
  }

  #opening(key: string, caller?: McpCaller): OpenSession {
    return async (signal): Promise<OpenedSession> => {
      const { reaching, close } = reachServer(this.settings, { caller, log: this.#log, limits: this.#limits });
      const opened = McpConnection.open(
        {
          reaching,
          version: this.#options.version,
          limits: this.#limits,
          isShared: key === sharedKey,
          changed: () => this.#changed(key),
          lost: () => this.#lost(key),
        },
        signal,
      );
      const connection = await opened.catch(async (error: unknown) => {
        await close();
        throw error;
      });
      this.#note(connection);
      const end = async (): Promise<void> => {
        await connection.close();
        await close();
      };
      return { connection, close: end };
    };
  }

  /** Looks at the tools after so many milliseconds, in the background. */
  #lookIn(ms: number, key: string): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isRetired) return;
    if (ms === 0) void this.#look(key);
    else this.#timer = setTimeout(() => void this.#look(key), ms).unref();
  }

  /** Those who look at the same time share one look. Never rejects. */
  #look(key: string): Promise<void> {
    this.#looking ??= this.#lookOnce(key).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookOnce(key: string): Promise<void> {
    this.#lookedAt = performance.now();
    let at = key;
    try {
      if (!(await this.#takeFrom(key))) {
        at = sharedKey;
        await this.#takeFrom(sharedKey);
      }
      this.#succeeded();
      if (this.#isEager) this.#lookIn(this.#limits.refreshMs, key);
    } catch (error) {
      if (!this.#isClosed) this.#failed(mcpFaultOf(error), at);
    }
  }

  /** Resolves to false where what is declared on the connection is not everybody's, and nothing was taken. */
  #takeFrom(key: string): Promise<boolean> {
    const never = new AbortController().signal;
    return this.#sessions.use(key, this.#opening(key), async (connection) => {
      if (!this.#isOfAll(key, connection)) return false;
      const declared = await connection.list(never);
      // A call may have begun meanwhile.
      if (!this.#isOfAll(key, connection)) return false;
      await this.#take(declared);
      return true;
    });
  }

  async #take(declared: readonly unknown[]): Promise<void> {
    if (!(await this.#list.take(declared)) || this.#isClosed) return;
    this.#options.toolsChanged();
    this.#options.statusChanged();
  }

  /** A server that tells of changes without end is looked at only from time to time. */
  #changed(key: string): void {
    const waitMs = this.#lookedAt + this.#limits.changeMs - performance.now();
    this.#lookIn(Math.max(1, waitMs), this.#isEager ? sharedKey : key);
  }

  #lost(key: string): void {
    if (!this.#isClosed) this.#failed(new McpFault('broken', 'closed the connection'), key);
  }

  /**
   * The server is left alone for a while. One that is reached over HTTP is then connected again. What fails for one user or conversation
   * alone is no matter for the others.
   */
  #failed(fault: McpFault, key: string): void {
    if (this.#isClosed) return;
    this.#sessions.drop(key);
    this.#log.warn({ reason: fault.message }, 'an MCP server failed');
    // Nobody calls the shared program of a server whose conversations have their own.
    const isForLooks = !this.#isEager && this.settings.shared !== true;
    if ((key !== sharedKey || isForLooks) && this.#list.isKnown) return;
    if (this.#backOff.leftMs === 0) {
      const pauseMs = this.#backOff.failed();
      if (this.#isEager) this.#lookIn(pauseMs + 1, sharedKey);
    }
    this.#tell('failed', fault.message);
  }

  #succeeded(): void {
    this.#backOff.succeeded();
    this.#tell('connected', undefined);
  }

  #tell(status: McpServer['status'], error: string | undefined): void {
    if (status === this.#status && error === this.#error) return;
    this.#status = status;
    this.#error = error;
    this.#options.statusChanged();
  }

  #note(connection: McpConnection): void {
    if (this.#hasNoted) return;
    this.#hasNoted = true;
    this.#log.info({ version: connection.version, transport: connection.transport }, 'an MCP server is connected');
    if (connection.hasOthers) {
      this.#log.info({}, 'an MCP server has resources or prompts: they are not used, only its tools are');
    }
  }
}
