import { type Dispatcher, request } from 'undici';
import { describeError } from '../../shared/describe-error.ts';
import { Outbound } from '../../shared/network/outbound.ts';
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
  readonly #outbound = new Outbound({ maxResponseSize: openapiLimits.answerBytes });

  /** @throws ExchangeFault when there is no answer. @throws the signal's reason when the signal aborted. */
  async send({ method, url, headers, body }: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    try {
      const response = await request(url, {
        dispatcher: this.#outbound.dispatcher,
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
    return this.#outbound.close();
  }

  #faultOf(error: unknown): ExchangeFault {
    if (error instanceof ExchangeFault) return error;
    const message = describeError(error);
    if (this.#outbound.isUnsent(error))
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
