import { type Dispatcher, request } from 'undici';
import { Outbound } from '../shared/network/outbound.ts';
import { boundedStream, discard } from './bounded-stream.ts';
import { NoReply } from './no-reply.ts';
import type { RemoteLimits } from './remote-limits.ts';

/** Headers that belong to the connection or to the protocol. A definition cannot set them. */
const reservedHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

type ConnectionLimits = Pick<RemoteLimits, 'connectMs' | 'answerBytes' | 'streamBytes'>;

/** How much of an answer is read, by its type. Other types are not read. */
const limitOfType: Readonly<Record<string, 'answerBytes' | 'streamBytes'>> = {
  'application/json': 'answerBytes',
  'application/a2a+json': 'answerBytes',
  'text/event-stream': 'streamBytes',
};

/** An answer with status 200 or 304. */
export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: ReadableStream<Uint8Array>;
}

export interface RemoteQuestion {
  readonly method: 'GET' | 'POST';
  readonly headers: Headers;
  readonly body?: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Bytes of the answer. Left out, the limit of its type. */
  readonly maxBytes?: number;
}

/**
 * Speaks with the origin of one agent's card, and with no other. The headers of the definition go there only. Redirects are not followed,
 * and answers are bounded (contract/agents.md#remote-agents).
 */
export class RemoteConnection {
  readonly #origin: string;
  readonly #headers = new Headers();
  readonly #limits: ConnectionLimits;
  readonly #outbound: Outbound;

  /** @throws TypeError where the headers are not those of HTTP. */
  constructor(origin: string, headers: readonly (readonly [name: string, value: string])[], limits: ConnectionLimits) {
    this.#origin = origin;
    for (const [name, value] of headers) if (!reservedHeaders.has(name.toLowerCase())) this.#headers.set(name, value);
    this.#limits = limits;
    this.#outbound = new Outbound({ connectMs: limits.connectMs });
  }

  /** `fetch` for the SDK of the protocol. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const { status, headers, body } = await this.ask(address, {
      method: 'POST',
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? init.body : undefined,
      signal: init?.signal ?? undefined,
    });
    return new Response(body, { status, headers: { 'content-type': textOf(headers['content-type']) } });
  };

  /** @throws NoReply where the answer cannot be used. @throws the reason of the signal. */
  async ask(address: URL, { method, headers, body, signal, maxBytes }: RemoteQuestion): Promise<RemoteAnswer> {
    if (address.origin !== this.#origin) throw new NoReply('outage', 'names an interface of another origin');
    const sent = new Headers(this.#headers);
    for (const [name, value] of headers) sent.set(name, value);
    sent.set('accept-encoding', 'identity');
    try {
      const response = await request(address, {
        dispatcher: this.#outbound.dispatcher,
        method,
        headers: Object.fromEntries(sent),
        body: body ?? null,
        ...(signal === undefined ? {} : { signal }),
      });
      return this.#read(response, maxBytes);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof NoReply ? error : new NoReply('outage', 'could not be reached', { cause: error });
    }
  }

  /** Ends the requests under way. */
  close(): Promise<void> {
    return this.#outbound.close();
  }

  #read({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number | undefined): RemoteAnswer {
    const unusable = faultOfHead(statusCode, headers);
    if (unusable !== undefined) {
      discard(body);
      throw unusable;
    }
    const limit = limitOfType[typeOf(headers['content-type'])] ?? 'answerBytes';
    const answer = boundedStream(body, maxBytes ?? this.#limits[limit], limit === 'streamBytes');
    return { status: statusCode, headers, body: answer };
  }
}

/** Statuses with which a working agent refuses one message. All others mean that the agent cannot be used. */
const refusals: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);

function faultOfHead(status: number, headers: Dispatcher.ResponseData['headers']): NoReply | undefined {
  if (status === 304) return undefined;
  if (status >= 300 && status < 400) return new NoReply('outage', 'sent a redirect, which is not followed');
  if (status !== 200) {
    return new NoReply(refusals.has(status) ? 'answer' : 'outage', `answered with status ${String(status)}`);
  }
  if (!Object.hasOwn(limitOfType, typeOf(headers['content-type']))) {
    return new NoReply('outage', 'gave an answer that is neither JSON nor an event stream');
  }
  const encoding = textOf(headers['content-encoding']);
  const isPlain = encoding === '' || encoding === 'identity';
  return isPlain ? undefined : new NoReply('outage', 'gave a compressed answer, which was not asked for');
}

function typeOf(header: string | string[] | undefined): string {
  return (textOf(header).split(';')[0] ?? '').trim().toLowerCase();
}

/** The value of a header, or an empty text. */
export function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
