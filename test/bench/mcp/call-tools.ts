import { Agent, type IncomingMessage, request } from 'node:http';

/** A revision of the protocol. Clients of the earlier one begin with a handshake. */
export type Revision = '2025-11-25' | '2026-07-28';

/** A client without a library, so that what it costs is small and the same for every server. */
export class ToolClient {
  readonly #agent: Agent;
  readonly #port: number;
  readonly #revision: Revision;
  #session: string | undefined;
  #id = 0;

  private constructor(port: number, revision: Revision, connections: number) {
    this.#port = port;
    this.#revision = revision;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  static async open(port: number, revision: Revision, connections: number): Promise<ToolClient> {
    const client = new ToolClient(port, revision, connections);
    if (revision === '2026-07-28') return client;
    const clientInfo = { name: 'bench', version: '1.0.0' };
    const begun = await client.#post('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
    client.#session = begun.session;
    await client.#post('notifications/initialized', undefined);
    return client;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Calls the tool `times` times, over all connections. @throws Error for an answer that is not the order. */
  async call(times: number, connections: number): Promise<void> {
    let left = times;
    const callInTurn = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const orderNumber = left;
        const { text } = await this.#post('tools/call', { name: 'get_order', arguments: { orderNumber } });
        if (!text.includes(`\\"orderNumber\\":${String(orderNumber)},\\"status\\":\\"shipped\\"`))
          throw new Error(`not the order: ${text.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, callInTurn));
  }

  async #post(method: string, params: object | undefined): Promise<{ text: string; session: string | undefined }> {
    const isNotice = params === undefined;
    this.#id += 1;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': this.#revision,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const sent = this.#revision === '2026-07-28' ? { ...params, _meta: meta } : params;
    const body = JSON.stringify({ jsonrpc: '2.0', method, ...(isNotice ? {} : { id: this.#id, params: sent }) });
    const response = await this.#send(body, method);
    let text = '';
    for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) text += piece; // the encoding makes them texts
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300) throw new Error(`${method} was answered ${String(statusCode)}: ${text.slice(0, 300)}`);
    const session = headers['mcp-session-id'];
    return { text, session: typeof session === 'string' ? session : undefined };
  }

  #send(body: string, method: string): Promise<IncomingMessage> {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(method === 'initialize' ? {} : { 'mcp-protocol-version': this.#revision }),
      ...(this.#revision === '2026-07-28' ? { 'mcp-method': method, 'mcp-name': 'get_order' } : {}),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
    };
    const options = { agent: this.#agent, port: this.#port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers };
    return new Promise((resolve, reject) => {
      request(options, resolve).on('error', reject).end(body);
    });
  }
}
