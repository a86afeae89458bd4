import { type Dispatcher, request } from 'undici';
import { describeError } from '../shared/describe-error.ts';
import { Outbound } from '../shared/network/outbound.ts';
import { signatureHeaders, signingKeys, traceParent } from '../shared/sign-request.ts';

/** The most bytes of an answer (contract/plugins.md#callbacks). */
const maxResponseBytes = 1024 * 1024;

/** Why an exchange has no answer. `not-connected`: nothing of the request left this machine. */
export class ExchangeFault extends Error {
  override readonly name = 'ExchangeFault';
  readonly kind: 'not-connected' | 'broken' | 'too-large';

  constructor(kind: ExchangeFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  /** The `webhook-id`. */
  readonly id: string;
  /** JSON; empty for GET. */
  readonly body: string;
  /** The caller's trace context, or the id of the work that this request belongs to. */
  readonly trace: string;
  /** The trace context of the span for this request, which is sent unchanged. */
  readonly span?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface ExchangeReply {
  readonly status: number;
  readonly etag: string | undefined;
  /** Read only when the status is 200. */
  readonly text: string;
}

/**
 * Sends signed requests to one callback. An attempt follows no redirect and is not repeated here; its answer is bounded
 * (contract/plugins.md#callbacks).
 */
export class CallbackConnection {
  readonly #url: string;
  #keys: readonly Buffer[];
  readonly #outbound = new Outbound({ maxResponseSize: maxResponseBytes });

  constructor(options: { readonly url: string; readonly secret: string | readonly string[] }) {
    this.#url = options.url;
    this.#keys = signingKeys(options.secret);
  }

  /** Requests that begin from now on are signed with these secrets. */
  signWith(secret: string | readonly string[]): void {
    this.#keys = signingKeys(secret);
  }

  /** @throws ExchangeFault when there is no answer. @throws the signal's reason when the signal aborted. */
  async send({ method, id, body, trace, span, headers, signal }: ExchangeRequest): Promise<ExchangeReply> {
    try {
      const response = await request(this.#url, {
        dispatcher: this.#outbound.dispatcher,
        method,
        headers: {
          accept: 'application/json',
          ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
          traceparent: span ?? traceParent(trace),
          ...signatureHeaders({ id, body }, this.#keys, Date.now()),
          ...headers,
        },
        ...(method === 'POST' ? { body } : {}),
        signal,
      });
      return await readReply(response);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#faultOf(error);
    }
  }

  close(): Promise<void> {
    return this.#outbound.close();
  }

  #faultOf(error: unknown): ExchangeFault {
    const message = describeError(error);
    if (this.#outbound.isUnsent(error)) {
      return new ExchangeFault('not-connected', `no connection: ${message}`, { cause: error });
    }
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
    if (isTooLarge) return new ExchangeFault('too-large', 'the answer is larger than 1 MiB', { cause: error });
    return new ExchangeFault('broken', `the connection broke: ${message}`, { cause: error });
  }
}

async function readReply({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ExchangeReply> {
  const etag = headers['etag'];
  if (statusCode === 200) {
    return { status: 200, etag: typeof etag === 'string' ? etag : undefined, text: await body.text() };
  }
  // Nobody reads this answer any more, and an answer that was cut short breaks its stream.
  body.on('error', () => undefined).destroy();
  return { status: statusCode, etag: undefined, text: '' };
}
