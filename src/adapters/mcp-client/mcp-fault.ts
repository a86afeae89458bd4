import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { brokenOffCode } from './guarded-transport.ts';

/**
 * Why an MCP server gave no answer. `not-sent`: nothing of the request reached it. `broken`: the request may have arrived, and nobody knows
 * what became of it. `refused`: the server works, and refused the request.
 */
export type McpFaultKind = 'not-sent' | 'broken' | 'refused';

/** No answer of an MCP server. The message follows the name of the server in a sentence. It holds no address and no text of the server. */
export class McpFault extends Error {
  override readonly name = 'McpFault';
  readonly kind: McpFaultKind;

  constructor(kind: McpFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Statuses with which a server says that it has not processed a request. 404: it does not know the session any more. */
const unprocessed: ReadonlySet<number> = new Set([401, 403, 404, 405, 429, 503]);

/** What a server says that has only the transport of 2024-11-05, when it is asked to begin. */
const olderStatuses: readonly string[] = [400, 404, 405].map(statusText);

/** Whether the fault of an attempt to connect may mean that the server has only the older transport. */
export function mayBeOlder(fault: unknown): fault is McpFault {
  return fault instanceof McpFault && olderStatuses.includes(fault.message);
}

/** The fault of a server that has not the older transport either. */
export function neitherTransport(fault: McpFault): McpFault {
  const message = `${fault.message}, and has no event stream of the old HTTP+SSE transport there either`;
  return new McpFault(fault.kind, message, { cause: fault });
}

/** The fault behind an error of the SDK, which wraps errors and puts text of the server into their messages. */
export function mcpFaultOf(error: unknown): McpFault {
  for (const cause of causesOf(error)) {
    if (cause instanceof McpFault) return cause;
    if (cause instanceof SdkHttpError) return faultOfStatus(cause.status, cause);
    if (cause instanceof ProtocolError) {
      if (cause.code === brokenOffCode) return new McpFault('broken', 'broke off the connection', { cause });
      return new McpFault('refused', `refused the request with the error ${String(cause.code)}`, { cause });
    }
    if (cause instanceof SdkError) return faultOfSdk(cause);
  }
  return new McpFault('broken', 'gave an answer that cannot be read', { cause: error });
}

function faultOfStatus(status: number | undefined, cause: Error): McpFault {
  const kind = status !== undefined && unprocessed.has(status) ? 'not-sent' : 'broken';
  return new McpFault(kind, statusText(status), { cause });
}

function statusText(status: number | undefined): string {
  return `answered with status ${String(status ?? 'unknown')}`;
}

function faultOfSdk(cause: SdkError): McpFault {
  switch (cause.code) {
    case SdkErrorCode.RequestTimeout:
      return new McpFault('broken', 'did not answer in time', { cause });
    case SdkErrorCode.NotConnected:
      return new McpFault('not-sent', 'is not connected', { cause });
    case SdkErrorCode.ConnectionClosed:
      return new McpFault('broken', 'closed the connection', { cause });
    default:
      return new McpFault('broken', 'does not keep to the protocol', { cause });
  }
}

/** Chains of causes are short. The bound keeps a circle of causes from running for ever. */
const mostCauses = 5;

function* causesOf(error: unknown): Generator {
  let cause = error;
  for (let depth = 0; depth < mostCauses && cause instanceof Error; depth += 1) {
    yield cause;
    cause = cause.cause;
  }
}
