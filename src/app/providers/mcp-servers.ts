import { McpServer } from '../../adapters/mcp-client/mcp-server.ts';
import type { McpServerSettings } from '../../adapters/mcp-client/mcp-settings.ts';
import { mcpTool } from '../../adapters/mcp-client/mcp-tool.ts';
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

interface Named {
  readonly server: string;
  readonly tool: string;
  readonly of: McpServer;
  readonly definition: McpTool;
}

export interface McpServicesOptions {
  readonly log: Logger;
  readonly killSwitch: Pick<KillSwitch, 'stops' | 'onChange'>;
}

/** The MCP servers of the configuration: their tools, and how the servers are doing (contract/mcp-servers.md). */
export class McpServers implements ToolProvider, McpServerBoard {
  readonly name = 'MCP servers';
  readonly #settings: Pick<HelperSettings, 'mcpServers' | 'configFile'>;
  readonly #killSwitch: McpServicesOptions['killSwitch'];
  readonly #servers: readonly McpServer[];
  readonly #names = new ToolNames();
  readonly #listeners: (() => void)[] = [];
  /** Each tool as it is offered, which stays the same object while its definition and its name do. */
  readonly #made = new WeakMap<McpTool, Tool>();
  #offered: readonly { readonly tool: Tool; readonly server: McpServer }[] = [];
  #changed: () => void = () => undefined;

  constructor(settings: Pick<HelperSettings, 'mcpServers' | 'configFile'>, { log, killSwitch }: McpServicesOptions) {
    this.#settings = settings;
    this.#killSwitch = killSwitch;
    const version = packageVersion();
    this.#servers = settings.mcpServers.map(
      (entry: McpServerSettings) =>
        new McpServer({
          settings: entry,
          version,
          log,
          toolsChanged: () => this.#changed(),
          statusChanged: () => this.#tell(),
        }),
    );
    killSwitch.onChange(() => this.#tell());
  }

  /** `taken`: the names that others have. Left out, the tools keep the names that they have. */
  offer(taken?: ReadonlySet<string>): Offer {
    if (taken !== undefined) this.#nameTools(taken);
    return { tools: this.#offered.map(({ tool }) => tool), pages: [] };
  }

  #nameTools(taken: ReadonlySet<string>): void {
    const wanted = this.#servers.flatMap((server) =>
      server.tools.map((definition): Named => ({ server: server.name, tool: definition.name, of: server, definition })),
    );
    const names = this.#names.name(wanted, taken);
    this.#offered = [...names].map(([{ of, definition }, name]) => ({
      tool: this.#toolOf(definition, name, of),
      server: of,
    }));
  }

  placeOf(): { readonly file: string; readonly path: string } {
    return { file: this.#settings.configFile, path: 'mcpServers' };
  }

  /** Connects in the background: no server keeps this one from starting. */
  start(changed: () => void): Promise<void> {
    this.#changed = changed;
    for (const server of this.#servers) server.open();
    return Promise.resolve();
  }

  /**
   * A turn of this caller is about to begin. Resolves once its servers have told their tools or have failed, and after a while at the
   * latest. Undefined where there is nothing to wait for. Never rejects.
   */
  wake(caller: McpCaller): Promise<void> | undefined {
    const waking = this.#servers.flatMap((server) => server.wake(caller) ?? []);
    return waking.length === 0 ? undefined : Promise.all(waking).then(() => undefined);
  }

  /** Whether every server has told its tools. */
  isComplete(): boolean {
    return this.#servers.every(({ isKnown }) => isKnown);
  }

  readiness(): ReturnType<ToolProvider['readiness']> {
    return this.#servers.map(({ name, status, settings }) => {
      const isWaiting = status === 'connecting' && settings.serverUrl === undefined;
      return { name: `mcp:${name}`, state: status === 'connected' || isWaiting ? 'ok' : 'degraded' };
    });
  }

  warnings(): ReturnType<ToolProvider['warnings']> {
    return this.#settings.mcpServers.filter(sendsSecretsPlainly).map(({ name }) => ({
      code: mcpWarningCodes.plainText,
      message: `mcpServers: the headers or the token for ${name} travel over plain http, where others can read them.`,
    }));
  }

  shown(): readonly ShownMcpServer[] {
    return this.#servers.map((server) => {
      const { name, status, error, settings } = server;
      const tools = this.#offered.filter((offered) => offered.server === server);
      const isOff = tools.length > 0 && tools.every(({ tool }) => this.#killSwitch.stops(tool, false));
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
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #toolOf(definition: McpTool, name: string, server: McpServer): Tool {
    const made = this.#made.get(definition);
    if (made?.name === name) return made;
    const tool = mcpTool(definition, name, server);
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
