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

/** What a server that does not take requests where it is asked may be. */
const olderTransport =
  'one that speaks only the old HTTP+SSE transport is not connected: name its address for streamable HTTP, often /mcp, or put a bridge before it';

/** The fault of an attempt to connect. A status may mean that the server speaks an older transport. */
export function connectFaultOf(fault: McpFault): McpFault {
  const isOlder = /^answered with status (404|405)$/.test(fault.message);
  return isOlder ? new McpFault(fault.kind, `${fault.message}; ${olderTransport}`, { cause: fault }) : fault;
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
  return new McpFault(kind, `answered with status ${String(status ?? 'unknown')}`, { cause });
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
