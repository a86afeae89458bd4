import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { linkIn, PageOfQuestion, sessionCookie, tokensOf } from '../../support/mcp/confirming-server.ts';
import { calling, type ModelScript, saying } from '../../support/scripted-model.ts';
import { StressServer } from '../../support/stress/stress-server.ts';
import { until } from '../../support/stress/until.ts';
import { tokenSecret } from '../../support/tokens.ts';

/** What the model says to messages whose ids begin so, as `scenarios/` of the kit tells. */
const replies: Readonly<Record<string, string>> = {
  'tck-artifact-text': 'Generated text content',
  'tck-stream-001': 'Stream hello from TCK',
  'tck-stream-003': 'Stream task lifecycle',
  'tck-stream-ordering-001': 'Ordered output',
  'tck-stream-artifact-text': 'Streamed text content',
};
const usualReply = 'Hello from TCK';

/** Messages with such ids want a task that waits for its user. */
const askingPrefix = 'tck-input-required';

const plugin = `
export default {
  name: 'conformance',
  actions: [{
    name: 'change', title: 'Change something', description: 'Changes something.',
    parameters: { type: 'object', properties: {} },
    execute: () => 'changed',
  }],
};`;

interface Sent {
  readonly messageId?: unknown;
  readonly taskId?: unknown;
}

/**
 * A real server for the kit, behind a door that does what the kit leaves to whoever runs it. The kit says by the ids of its messages what an
 * agent is to do, and no model is told an id: the door reads them for the scripted model. It signs the kit in, for only users with a name
 * are asked, and it is that user: it approves on the page when the kit sends a message to a task that waits. What it passes on in both
 * directions is unchanged but for the token.
 */
export class AskingAgent {
  readonly url: string;
  readonly #door: Server;
  readonly #server: StressServer;
  readonly #tokens: { readonly program: string; readonly browser: string };
  /** The id of the latest message. The kit sends one at a time. */
  #latestId = '';

  private constructor(
    door: Server,
    server: StressServer,
    tokens: { readonly program: string; readonly browser: string },
  ) {
    this.url = addressOf(door);
    this.#door = door;
    this.#server = server;
    this.#tokens = tokens;
  }

  static async start(): Promise<AskingAgent> {
    const made = Promise.withResolvers<AskingAgent>();
    const door = createServer((incoming, answer) => {
      made.promise.then((agent) => agent.#pass(incoming, answer)).catch(() => answer.destroy());
    });
    door.listen(0, '127.0.0.1');
    await once(door, 'listening');
    const server = await StressServer.start({
      plugin,
      script: async (exchange) => (await made.promise).#script(exchange),
      settings: {
        a2aServerEnabled: true,
        server: { publicUrl: addressOf(door) },
        auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } },
        endpoints: { a2a: { confirmations: 'page' } },
      },
    });
    const agent = new AskingAgent(door, server, await tokensOf('kit'));
    made.resolve(agent);
    return agent;
  }

  async close(): Promise<void> {
    this.#door.close();
    this.#door.closeAllConnections();
    await this.#server.close();
  }

  #script(exchange: Parameters<ModelScript>[0]): void | Promise<void> {
    if (this.#latestId.startsWith(askingPrefix)) return calling({ name: 'change', arguments: {} })(exchange);
    const [, reply = usualReply] = Object.entries(replies).find(([prefix]) => this.#latestId.startsWith(prefix)) ?? [];
    return saying(reply)(exchange);
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(Buffer.from(part as Uint8Array)); // a stream of bytes
    const body = Buffer.concat(parts);
    const { messageId, taskId } = messageIn(body.toString('utf8'));
    if (typeof messageId === 'string') this.#latestId = messageId;
    const before = await this.#connections();
    const headers = { ...incoming.headers, authorization: `Bearer ${this.#tokens.program}` };
    const options = { method: incoming.method ?? 'GET', headers };
    const passed = request(`${this.#server.url}${incoming.url ?? ''}`, options, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    passed.end(body);
    if (typeof taskId === 'string') await this.#approve(taskId, before);
  }

  /** Approves what a task waits for, once the message to the task has come or was refused. A task that does not wait is left alone. */
  async #approve(taskId: string, before: number): Promise<void> {
    await until(async () => (await this.#connections()) > before, 1_000);
    const asked = await fetch(`${this.#server.url}/a2a`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'a2a-version': '1.0',
        authorization: `Bearer ${this.#tokens.program}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: taskId } }),
    });
    const link = linkIn(await asked.json());
    if (link === '') return;
    await new PageOfQuestion(this.#server.url, link, { token: this.#tokens.browser }).answer('approve');
  }

  /** How many clients follow tasks now. */
  #connections(): Promise<number> {
    return this.#server.metric('helperagent_connections', 'channel="a2a"');
  }
}

function addressOf(door: Server): string {
  const { port } = door.address() as AddressInfo; // it listens on TCP
  return `http://localhost:${String(port)}`;
}

/** The message in a request, where there is one. */
function messageIn(text: string): Sent {
  try {
    const { params } = JSON.parse(text) as { readonly params?: { readonly message?: Sent } }; // as the protocol has it, or it throws
    return params?.message ?? {};
  } catch {
    return {};
  }
}
