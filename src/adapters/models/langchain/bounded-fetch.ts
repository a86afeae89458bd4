import { AsyncLocalStorage } from 'node:async_hooks';
import { throughProxy } from '../../shared/network/through-proxy.ts';
import { ReplyTooLarge } from '../reply-limits.ts';

const lineFeed = 0x0a;

type FetchArguments = [input: string | URL | Request, init: RequestInit | undefined];

/** The fetches of a model's package during one call. */
interface BoundedCall {
  readonly maxLineBytes: number;
  /** The W3C trace context that the call belongs to. */
  readonly traceparent?: string | undefined;
  /** Also gets all bytes that are fetched. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
  /** The fault that ended the call. The package may throw another error for it. */
  tooLarge: ReplyTooLarge | undefined;
}

const boundedCalls = new AsyncLocalStorage<BoundedCall>();
let isInstalled = false;

/**
 * Replaces the platform's `fetch`. Within `withBoundedLines`, the new one bounds the lines of each response. All other code of the process
 * gets the response of the platform. MUST be called before a model's package is loaded or constructed, because packages collect a line
 * until it ends and have no limit of their own.
 */
export function boundFetchedLines(): void {
  if (isInstalled) return;
  isInstalled = true;
  const platform = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const call = boundedCalls.getStore();
    // Who brings a dispatcher has chosen a way.
    const way = call === undefined || init?.dispatcher !== undefined ? {} : await throughProxy();
    const response = await platform(...withTrace(input, { ...init, ...way }, call?.traceparent));
    return call === undefined || response.body === null ? response : withBoundedBody(response, response.body, call);
  };
}

/** Runs one call of a model's package. @throws ReplyTooLarge for a line that is too long, and what `work` throws. */
export async function withBoundedLines<Value>(
  given: Omit<BoundedCall, 'tooLarge'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const call: BoundedCall = { ...given, tooLarge: undefined };
  try {
    return await boundedCalls.run(call, work);
  } catch (error) {
    throw call.tooLarge ?? error;
  }
}

/** The arguments of `fetch`, with the trace context among the headers. */
function withTrace(...[input, init, traceparent]: [...FetchArguments, string | undefined]): FetchArguments {
  if (traceparent === undefined) return [input, init];
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('traceparent', traceparent);
  return [input, { ...init, headers }];
}

function withBoundedBody(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  call: BoundedCall,
): Response {
  const { status, statusText, headers, url } = response;
  const bounded = new Response(body.pipeThrough(lineBound(call)), { status, statusText, headers });
  // A `Response` made by its constructor has no address, but packages name the address in their messages.
  return Object.defineProperty(bounded, 'url', { value: url });
}

function lineBound(call: BoundedCall): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let begun = 0;
  const check = (length: number): void => {
    if (length <= call.maxLineBytes) return;
    const limit = `${String(call.maxLineBytes)} bytes (maxLineBytes)`;
    call.tooLarge = new ReplyTooLarge(`a line of the reply is longer than ${limit}`);
    throw call.tooLarge;
  };
  return new TransformStream({
    transform(bytes, controller) {
      let from = 0;
      for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
        check(begun + end + 1 - from);
        begun = 0;
        from = end + 1;
      }
      begun += bytes.length - from;
      check(begun);
      try {
        call.onBytes?.(bytes);
      } catch (error) {
        if (error instanceof ReplyTooLarge) call.tooLarge = error;
        throw error;
      }
      controller.enqueue(bytes);
    },
  });
}
