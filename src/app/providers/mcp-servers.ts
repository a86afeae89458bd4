import { isDeepStrictEqual } from 'node:util';
import type { McpServer, McpServerOptions } from '../../adapters/mcp-client/mcp-server.ts';
import type { McpServerSettings } from '../../adapters/mcp-client/mcp-settings.ts';
import type { McpCaller } from '../../adapters/mcp-client/reach-server.ts';
import type { McpTool } from '../../adapters/mcp-client/read-tool.ts';
import { ToolNames } from '../../adapters/mcp-client/tool-names.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { isLoopback } from '../../config/warnings.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { McpServerBoard, ShownMcpServer } from '../../core/ports/mcp-servers.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { KillSwitch } from '../kill-switch.ts';
import { packageVersion } from '../own-package.ts';
import type { Offer, ToolProvider } from './tool-provider.ts';

/** Code of this file. Documented in `docs/reference/warnings.md`. */
export const mcpWarningCodes = { plainText: 'HLP1160' } as const;

/** What makes servers and their tools. It holds the SDK of the protocol, which is loaded only for those who have a server. */
interface McpClient {
  readonly open: (options: McpServerOptions) => McpServer;
  readonly toolOf: (definition: McpTool, name: string, server: McpServer) => Tool;
}

interface OpenServer {
  readonly server: McpServer;
  /** Only one agent has its tools. */
  readonly isOwn: boolean;
}

interface Named {
  readonly server: string;
  readonly tool: string;
  readonly isOwn: boolean;
  readonly of: OpenServer;
  readonly definition: McpTool;
}

/** Which MCP servers there are. */
export interface UsedMcpServers {
  readonly mcpServers: readonly McpServerSettings[];
  /** Those that agents have for themselves (contract/agents.md#own-mcp-servers). */
  readonly ofAgents: readonly McpServerSettings[];
}

export interface McpServicesOptions {
  readonly log: Logger;
  readonly killSwitch: Pick<KillSwitch, 'stops' | 'onChange'>;
}

/** The MCP servers that this server connects to: their tools, and how the servers are doing (contract/mcp-servers.md). */
export class McpServers implements ToolProvider, McpServerBoard {
  readonly name = 'MCP servers';
  readonly #configFile: string;
  readonly #options: McpServicesOptions;
  readonly #names = new ToolNames();
  readonly #listeners: (() => void)[] = [];
  /** Each tool as it is offered, which stays the same object while its definition and its name do. */
  readonly #made = new WeakMap<McpTool, Tool>();
  readonly #retired = new Set<McpServer>();
  #client: McpClient | undefined;
  #open: readonly OpenServer[] = [];
  #offered: readonly (OpenServer & { readonly tool: Tool })[] = [];
  #isStarted = false;
  #changed: () => void = () => undefined;

  constructor({ configFile }: Pick<HelperSettings, 'configFile'>, options: McpServicesOptions) {
    this.#configFile = configFile;
    this.#options = options;
    options.killSwitch.onChange(() => this.#tell());
  }

  /**
   * From now on, these servers are there. They are connected once the provider has started. A server whose entry stays as it was stays
   * connected. A turn that has tools of a server that is gone may use them for a while. Compose the tools anew after this.
   */
  async use(used: UsedMcpServers): Promise<void> {
    const wanted = [
      ...used.mcpServers.map((settings) => ({ settings, isOwn: false })),
      ...used.ofAgents.map((settings) => ({ settings, isOwn: true })),
    ];
    const client = wanted.length === 0 ? undefined : await this.#clientOf();
    const before = this.#open;
    this.#open = wanted.flatMap(({ settings, isOwn }) => {
      const former = before.find((one) => one.isOwn === isOwn && isDeepStrictEqual(one.server.settings, settings));
      const server = former?.server ?? client?.open(this.#optionsOf(settings));
      return server === undefined ? [] : [{ server, isOwn }];
    });
    const kept = new Set(this.#open.map(({ server }) => server));
    for (const { server } of before) if (!kept.has(server)) this.#retire(server);
    if (this.#isStarted) for (const server of kept) if (!before.some((one) => one.server === server)) server.open();
    this.#tell();
  }

  /** `taken`: the names that others have. Left out, the tools keep the names that they have. */
  offer(taken?: ReadonlySet<string>): Offer {
    if (taken !== undefined) this.#nameTools(taken);
    const offered = (isOwn: boolean): readonly Tool[] =>
      this.#offered.filter((one) => one.isOwn === isOwn).map(({ tool }) => tool);
    return { tools: offered(false), ownTools: offered(true), pages: [] };
  }

  #nameTools(taken: ReadonlySet<string>): void {
    const wanted = this.#open.flatMap((of) =>
      of.server.tools.map((definition): Named => ({
        ...{ server: of.server.name, tool: definition.name },
        ...{ of, definition, isOwn: of.isOwn },
      })),
    );
    const names = this.#names.name(wanted, taken);
    this.#offered = [...names].map(([{ of, definition }, name]) => ({
      ...of,
      tool: this.#toolOf(definition, name, of.server),
    }));
  }

  placeOf(): { readonly file: string; readonly path: string } {
    return { file: this.#configFile, path: 'mcpServers' };
  }

  /** Connects in the background: no server keeps this one from starting. */
  start(changed: () => void): Promise<void> {
    this.#changed = changed;
    this.#isStarted = true;
    for (const { server } of this.#open) server.open();
    return Promise.resolve();
  }

  /**
   * A turn of this caller is about to begin. Resolves once its servers have told their tools or have failed, and after a while at the
   * latest. Undefined where there is nothing to wait for. Never rejects.
   */
  wake(caller: McpCaller): Promise<void> | undefined {
    const waking = this.#open.flatMap(({ server }) => server.wake(caller) ?? []);
    return waking.length === 0 ? undefined : Promise.all(waking).then(() => undefined);
  }

  /** Whether every server has told its tools. */
  isComplete(): boolean {
    return this.#open.every(({ server }) => server.isKnown);
  }

  readiness(): ReturnType<ToolProvider['readiness']> {
    return this.#open.map(({ server: { name, status, settings } }) => {
      const isWaiting = status === 'connecting' && settings.serverUrl === undefined;
      return { name: `mcp:${name}`, state: status === 'connected' || isWaiting ? 'ok' : 'degraded' };
    });
  }

  /** The warnings of what the servers have told meanwhile: nobody has connected to them when the server starts. */
  get laterWarnings(): ReturnType<ToolProvider['warnings']> {
    return this.#open.flatMap(({ server }) => server.warnings);
  }

  warnings(): ReturnType<ToolProvider['warnings']> {
    const settings = this.#open.map(({ server }) => server.settings);
    return settings.filter(sendsSecretsPlainly).map(({ name }) => ({
      code: mcpWarningCodes.plainText,
      message: `mcpServers: the headers or the token for ${name} travel over plain http, where others can read them.`,
    }));
  }

  shown(): readonly ShownMcpServer[] {
    return this.#open.map(({ server }) => {
      const { name, status, error, settings } = server;
      const tools = this.#offered.filter((offered) => offered.server === server);
      const isOff = tools.length > 0 && tools.every(({ tool }) => this.#options.killSwitch.stops(tool, false));
      return {
        name,
        status: isOff ? 'disabled' : status,
        toolCount: tools.length,
        ...(error === undefined || isOff ? {} : { error }),
        requiredRoles: settings.requiredRoles,
        tenants: settings.tenants,
      };
    });
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.map(({ server }) => server), ...this.#retired].map((server) => server.close()));
  }

  #optionsOf(settings: McpServerSettings): McpServerOptions {
    return {
      settings,
      version: packageVersion(),
      log: this.#options.log,
      toolsChanged: () => this.#changed(),
      statusChanged: () => this.#tell(),
    };
  }

  async #clientOf(): Promise<McpClient> {
    if (this.#client !== undefined) return this.#client;
    const { McpServer } = await import('../../adapters/mcp-client/mcp-server.ts');
    const { mcpTool } = await import('../../adapters/mcp-client/mcp-tool.ts');
    this.#client = { open: (options) => new McpServer(options), toolOf: mcpTool };
    return this.#client;
  }

  #retire(server: McpServer): void {
    this.#retired.add(server);
    server.retire(() => this.#retired.delete(server));
  }

  #toolOf(definition: McpTool, name: string, server: McpServer): Tool {
    const made = this.#made.get(definition);
    if (made?.name === name) return made;
    if (this.#client === undefined) throw new Error('a tool of a server that was never opened');
    const tool = this.#client.toolOf(definition, name, server);
    this.#made.set(definition, tool);
    return tool;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function sendsSecretsPlainly({ serverUrl, headers, auth }: McpServerSettings): boolean {
  if (serverUrl === undefined || (auth === undefined && Object.keys(headers).length === 0)) return false;
  const { protocol, hostname } = new URL(serverUrl);
  return protocol !== 'https:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}
