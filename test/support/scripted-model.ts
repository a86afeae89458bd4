import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the scripted model received it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** `performance.now()` of its arrival. */
  readonly at: number;
  /** Tells one connection from another. */
  readonly clientPort: number;
  /**
   * Resolves when the socket or the answer was closed. `at` is `performance.now()` of that moment. `early` says whether the client has
   * closed it.
   */
  readonly closed: Promise<{ readonly at: number; readonly early: boolean }>;
}

/** What a script may do with one request. Text is sent unchanged. `end` ends the answer. `cut` destroys the socket. */
export interface ModelExchange {
  readonly request: ReceivedRequest;
  /** Sends the status line. If a script calls `send` first, the status is 200 and the body is an event stream. */
  head(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Resolves when the socket has taken the bytes and is ready for more. */
  send(bytes: string | Uint8Array): Promise<void>;
  end(): void;
  cut(): void;
  /** Whether the client has gone, or the answer has ended. */
  readonly isClosed: boolean;
  /** The model's name as the request named it. */
  readonly model: string;
}

/** Answers one request. It may wait for whatever the test holds. */
export type ModelScript = (exchange: ModelExchange) => void | Promise<void>;

export interface ScriptedModel {
  /** The address for `baseUrl`. It ends in `/v1`. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly ReceivedRequest[];
  /** Adds answers for the next requests, in order. */
  script(...scripts: readonly ModelScript[]): void;
  /** Resolves with the request of number `index` as soon as it has arrived. The first request has the number 0. */
  request(index: number): Promise<ReceivedRequest>;
  /** How many sockets clients have open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A model server that speaks the OpenAI chat wire and does exactly what the test says, on a free port. When the scripts are used up,
 * `otherwise` answers. Its default is a short text.
 */
export async function startScriptedModel(
  options: {
    readonly scripts?: readonly ModelScript[];
    readonly otherwise?: ModelScript;
    /** What it answers beside its scripts, by path. */
    readonly told?: Readonly<Record<string, object>>;
    /** It answers nothing but its scripts. */
    readonly isSilent?: boolean;
  } = {},
): Promise<ScriptedModel> {
  const scripts = [...(options.scripts ?? [])];
  const requests: ReceivedRequest[] = [];
  const waiting = new Map<number, (request: ReceivedRequest) => void>();
  const server = createServer((incoming, response) => {
    const told = options.told?.[incoming.url ?? ''];
    // A server of one's own is asked for its window.
    if (incoming.method === 'GET' || incoming.url === '/api/show' || told !== undefined) {
      incoming.resume();
      if (options.isSilent === true) return;
      response.writeHead(told === undefined ? 404 : 200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(told ?? {}));
      return;
    }
    void receive(incoming, response).then(async (exchange) => {
      const index = requests.push(exchange.request) - 1;
      waiting.get(index)?.(exchange.request);
      await (scripts.shift() ?? options.otherwise ?? saying('OK'))(exchange);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo. Only pipes have texts.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${String(port)}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    script: (...more) => void scripts.push(...more),
    request: (index) => {
      const known = requests[index];
      return known === undefined ? new Promise((resolve) => waiting.set(index, resolve)) : Promise.resolve(known);
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<ModelExchange> {
  const at = performance.now();
  const closed = new Promise<{ at: number; early: boolean }>((resolve) => {
    response.once('close', () => {
      resolve({ at: performance.now(), early: !response.writableFinished });
    });
  });
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part as Uint8Array));
  // A body that is no JSON object makes the test fail.
  const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Readonly<Record<string, unknown>>;
  const clientPort = incoming.socket.remotePort ?? 0;
  const request: ReceivedRequest = {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    at,
    clientPort,
    closed,
  };
  const head: ModelExchange['head'] = (status, headers = {}) => {
    response.writeHead(status, headers);
  };
  return {
    request,
    model: typeof body['model'] === 'string' ? body['model'] : 'scripted',
    head,
    async send(bytes) {
      if (!response.headersSent) head(200, { 'content-type': 'text/event-stream' });
      if (response.destroyed || response.write(bytes)) return;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          response.off('drain', go).off('close', go);
          resolve();
        };
        response.on('drain', go).on('close', go);
      });
    },
    get isClosed() {
      return response.destroyed || response.writableEnded;
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
  };
}

/** The wire form of one chunk: `data: {…}` and a blank line. */
export function chunk(delta: object, more: { readonly finish?: string; readonly model?: string } = {}): string {
  const choice = { index: 0, delta, logprobs: null, finish_reason: more.finish ?? null };
  const fields = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: more.model ?? 'scripted',
  };
  return `data: ${JSON.stringify({ ...fields, choices: [choice] })}\n\n`;
}

/** The last chunks of a reply: the reason of its end, the used tokens, and the end mark. */
export function ending(finish = 'stop', usage: object = { prompt_tokens: 12, completion_tokens: 5 }): string {
  const last = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'scripted', choices: [], usage };
  return `${chunk({}, { finish })}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`;
}

/** Sends each piece as one delta, and then ends as a model does. A single piece is sent word by word. */
export function saying(...pieces: readonly string[]): ModelScript {
  const deltas = pieces.length === 1 ? (pieces[0]?.match(/\S+\s*|\s+/g) ?? []) : pieces;
  return async (exchange) => {
    const { model } = exchange;
    const text = deltas.map((content) => chunk({ content }, { model })).join('');
    await exchange.send(`${chunk({ role: 'assistant', content: '' }, { model })}${text}${ending()}`);
    exchange.end();
  };
}

/** Calls tools in parallel in the documented form. Each piece has the index of its call, and the arguments come in pieces. */
export function calling(
  ...calls: readonly { readonly id?: string; readonly name: string; readonly arguments: object | string }[]
): ModelScript {
  return async (exchange) => {
    await exchange.send(chunk({ role: 'assistant', content: null }));
    for (const [index, call] of calls.entries()) {
      const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
      const id = call.id ?? `call_${String(index + 1)}`;
      const named = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
      await exchange.send(chunk({ tool_calls: [named] }));
      for (const piece of text.match(/[^]{1,7}/gu) ?? []) {
        await exchange.send(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
      }
    }
    await exchange.send(ending('tool_calls'));
    exchange.end();
  };
}

/** Answers with an HTTP error. */
export function failing(
  status: number,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | object } = {},
): ModelScript {
  return async (exchange) => {
    exchange.head(status, { 'content-type': 'application/json', ...options.headers });
    const body = options.body ?? { error: { message: `scripted ${String(status)}`, type: 'scripted' } };
    await exchange.send(typeof body === 'string' ? body : JSON.stringify(body));
    exchange.end();
  };
}

/** Sends these bytes unchanged, with one write for each piece, and then ends the answer. */
export function sending(...pieces: readonly (string | Uint8Array)[]): ModelScript {
  return async (exchange) => {
    for (const piece of pieces) await exchange.send(piece);
    exchange.end();
  };
}

/** Sends a text and then destroys the socket. */
export function cutAfter(text: string): ModelScript {
  return async (exchange) => {
    if (text !== '') await exchange.send(chunk({ content: text }));
    // The bytes must be on their way before the socket goes.
    await new Promise((resolve) => setImmediate(resolve));
    exchange.cut();
  };
}

/** Sends a text and then nothing more, without ending the answer. For an empty text not even headers are sent. */
export function hangingAfter(text: string): ModelScript {
  return async (exchange) => {
    if (text !== '') await exchange.send(chunk({ content: text }));
  };
}

/** Sends text again and again until the client has gone. */
export const chattering: ModelScript = async (exchange) => {
  while (!exchange.isClosed) {
    await exchange.send(chunk({ content: 'and ' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
};
