import { type Dispatcher, request } from 'undici';
import { Outbound } from '../shared/network/outbound.ts';
import type { AccessTokens } from './access-tokens.ts';
import { boundedBody, discard } from './bounded-body.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';

/** Headers that belong to the connection or to the protocol. A configuration cannot set them. */
const reservedHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** The types of answers that are read. */
const readTypes: ReadonlySet<string> = new Set(['application/json', 'text/event-stream']);

/** Bytes of the answer to a request that the server refuses. */
const refusalBytes = 64 * 1024;

/** The headers of an answer that the SDK reads. */
const passedHeaders = ['content-type', 'mcp-session-id'] as const;

export interface HttpDoorOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Left out, no token is sent. */
  readonly tokens?: Pick<AccessTokens, 'token' | 'forget'> | undefined;
  readonly limits: McpLimits;
}

/**
 * Speaks with one MCP server over HTTP, and with no other origin. The headers of the configuration and the token go there only. Redirects
 * are not followed, and answers are bounded (contract/mcp-servers.md#limits).
 */
export class HttpDoor {
  readonly #options: HttpDoorOptions;
  readonly #headers = new Headers();
  readonly #outbound: Outbound;
  #fault: McpFault | undefined;

  /** @throws TypeError where the headers are not those of HTTP. */
  constructor(options: HttpDoorOptions) {
    this.#options = options;
    for (const [name, value] of Object.entries(options.headers)) {
      if (!reservedHeaders.has(name.toLowerCase())) this.#headers.set(name, value);
    }
    this.#outbound = new Outbound({ connectMs: options.limits.connectMs });
  }

  /** Why the last request had no answer; undefined where it had one. The SDK does not always pass it on. */
  get fault(): McpFault | undefined {
    return this.#fault;
  }

  /** `fetch` for the SDK of the protocol. Rejects with McpFault where the answer cannot be used. */
  readonly fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
    try {
      const response = await this.#answer(input, init);
      this.#fault = undefined;
      return response;
    } catch (error) {
      this.#fault = error instanceof McpFault ? error : undefined;
      throw error;
    }
  };

  /** Ends the requests under way. */
  close(): Promise<void> {
    return this.#outbound.close();
  }

  async #answer(input: string | URL, init: RequestInit | undefined): Promise<Response> {
    const address = new URL(input);
    if (address.origin !== this.#options.url.origin)
      throw new McpFault('not-sent', 'names an address of another origin');
    const answer = await this.#ask(address, init ?? {});
    const { tokens } = this.#options;
    if (answer.statusCode !== 401 || tokens === undefined) return this.#read(answer);
    // A server that answers so has not processed the request.
    discard(answer.body);
    tokens.forget();
    return this.#read(await this.#ask(address, init ?? {}));
  }

  async #ask(address: URL, init: RequestInit): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', body } = init;
    const signal = init.signal ?? undefined;
    const headers = await this.#headersFor(new Headers(init.headers), signal);
    try {
      return await request(address, {
        dispatcher: this.#outbound.dispatcher,
        method,
        headers: Object.fromEntries(headers),
        body: typeof body === 'string' ? body : null,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#faultOf(error);
    }
  }

  async #headersFor(given: Headers, signal: AbortSignal | undefined): Promise<Headers> {
    const headers = new Headers(this.#headers);
    for (const [name, value] of given) headers.set(name, value);
    headers.set('accept-encoding', 'identity');
    const token = await this.#options.tokens?.token(signal);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return headers;
  }

  #read({ statusCode, headers, body }: Dispatcher.ResponseData): Response {
    const { limits } = this.#options;
    if (statusCode >= 300 && statusCode < 400) {
      discard(body);
      // Only these two ask for the same request again. With any other one the server may have done what it was asked for.
      const kind = statusCode === 307 || statusCode === 308 ? 'not-sent' : 'broken';
      throw new McpFault(kind, 'sent a redirect, which is not followed');
    }
    const isRefused = statusCode >= 400;
    const isEmpty = statusCode === 202 || statusCode === 204;
    const type = typeOf(headers['content-type']);
    const isRead = !isEmpty && (isRefused ? type === 'application/json' : readTypes.has(type));
    const passed = new Headers();
    for (const name of passedHeaders) {
      const value = textOf(headers[name]);
      if (value !== '') passed.set(name, value);
    }
    if (!isRead) {
      discard(body);
      // The answer to a notification has no content, and needs no type.
      if (isRefused || isEmpty || type === '') {
        return new Response(null, { status: statusCode, headers: passed });
      }
      throw new McpFault('broken', 'gave an answer that is neither JSON nor an event stream');
    }
    const encoding = textOf(headers['content-encoding']);
    if (encoding !== '' && encoding !== 'identity') {
      discard(body);
      throw new McpFault('broken', 'gave a compressed answer, which was not asked for');
    }
    const isLasting = type === 'text/event-stream';
    const read = isRefused ? { ...limits, answerBytes: refusalBytes } : limits;
    return new Response(boundedBody(body, read, isLasting), { status: statusCode, headers: passed });
  }

  #faultOf(error: unknown): McpFault {
    if (error instanceof McpFault) return error;
    return this.#outbound.isUnsent(error)
      ? new McpFault('not-sent', 'could not be reached', { cause: error })
      : new McpFault('broken', 'broke off the connection', { cause: error });
  }
}

function typeOf(header: string | string[] | undefined): string {
  return (textOf(header).split(';')[0] ?? '').trim().toLowerCase();
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
