import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { AskedLevels } from './asked-levels.ts';
import { mcpServer, type McpRequest, type McpServerOptions } from './mcp-server.ts';
import { SharedSkills } from './shared-skills.ts';

export interface McpHandlersOptions extends Omit<McpServerOptions, 'skills' | 'askedLevels'> {
  /** Bytes of a request. */
  readonly bodyLimit: number;
}

type Introduced = Omit<McpRequest, 'era'>;

/** Opens the handlers of the protocol, which answer requests with a server of their own for each. */
export class McpHandlers {
  readonly #options: McpHandlersOptions;
  readonly #ofServers: McpServerOptions;
  readonly #introduced = new WeakMap<Request, Introduced>();

  constructor(options: McpHandlersOptions) {
    this.#options = options;
    this.#ofServers = { ...options, skills: new SharedSkills(options.log), askedLevels: new AskedLevels() };
  }

  /** Says who sends a request. MUST be called before a handler gets it. */
  introduce(received: Request, by: Introduced): void {
    this.#introduced.set(received, by);
  }

  /** A handler with so many streams at most on which clients listen. */
  open({ maxSubscriptions }: { readonly maxSubscriptions: number }): McpHttpHandler {
    const { bodyLimit, log } = this.#options;
    return createMcpHandler(
      ({ era, requestInfo }) => {
        const received = requestInfo && this.#introduced.get(requestInfo);
        if (received === undefined) throw new Error('the caller of this request is not known');
        return mcpServer(this.#ofServers, { ...received, era });
      },
      {
        maxRequestBodySize: bodyLimit,
        maxSubscriptions,
        onerror: (error) => {
          log.debug({ error }, 'a request over MCP was refused');
        },
      },
    );
  }
}
