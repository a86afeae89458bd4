import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { openapiLimits } from '../openapi-limits.ts';
import type { ApiRequest } from './build-request.ts';

/** Why an exchange has no answer. `not-connected`: nothing of the request left this machine. */
export class ExchangeFault extends Error {
  override readonly name = 'ExchangeFault';
  readonly kind: 'not-connected' | 'broken' | 'too-large';

  constructor(kind: ExchangeFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The answer of an API. */
export interface ApiAnswer {
  readonly status: number;
  /** Without parameters, in lower case. */
  readonly type: string;
  readonly text: string;
}

/**
 * Sends requests to one API. An attempt follows no redirect and is not repeated here; its answer is bounded
 * (contract/openapi.md#calls).
 */
export class ApiConnection {
  /** The errors of the connector. With such an error, nothing was sent to the other side. */
  readonly #connectFaults = new WeakSet<Error>();
  readonly #agent: Agent;

  constructor() {
    const connect = buildConnector({});
    this.#agent = new Agent({
      // Each request gets its own connection. A kept connection may be closed at the moment when it is used, and a write could not be sent
      // again.
      pipelining: 0,
      maxResponseSize: openapiLimits.answerBytes,
      // The signal of each request is its time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (target, done) => {
        connect(target, (...outcome) => {
          if (outcome[0] !== null) this.#connectFaults.add(outcome[0]);
          done(...outcome);
        });
      },
    });
  }

  /** @throws ExchangeFault when there is no answer. @throws the signal's reason when the signal aborted. */
  async send({ method, url, headers, body }: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body === undefined ? {} : { body }),
        signal,
      });
      return await readAnswer(response);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#faultOf(error);
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #faultOf(error: unknown): ExchangeFault {
    if (error instanceof ExchangeFault) return error;
    const message = errorText(error);
    if (error instanceof Error && this.#connectFaults.has(error))
      return new ExchangeFault('not-connected', `no connection: ${message}`, { cause: error });
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
    if (isTooLarge) return new ExchangeFault('too-large', 'the answer is larger than 1 MiB', { cause: error });
    return new ExchangeFault('broken', `the connection broke: ${message}`, { cause: error });
  }
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ApiAnswer> {
  const type = textOf(headers['content-type']).split(';')[0] ?? '';
  const answer = { status: statusCode, type: type.trim().toLowerCase() };
  const encoding = textOf(headers['content-encoding']);
  const isReadable = encoding === '' || encoding === 'identity';
  if (isReadable && (statusCode < 300 || statusCode >= 400)) return { ...answer, text: await body.text() };
  // Nobody reads this answer any more, and an answer that was cut short breaks its stream.
  body.on('error', () => undefined).destroy();
  if (!isReadable && statusCode < 300)
    throw new ExchangeFault('broken', 'the answer is compressed, which was not asked for');
  return { ...answer, text: '' };
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

/** The text of an error. A failed connect keeps its reasons in `errors`. */
function errorText(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
