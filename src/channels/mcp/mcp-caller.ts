import type { FastifyRequest } from 'fastify';
import type { DirectCaller } from '../../core/direct/direct-calls.ts';
import { anonymousPrincipal, type Principal } from '../../core/identity/principal.ts';
import { networkOf } from '../shared/client-network.ts';
import type { RequestCaller } from '../shared/request-identity.ts';
import { traceContextOf } from '../shared/trace-context.ts';

/** Whose roles decide over MCP (`mcpCallerPrincipal`). */
export type McpPrincipal = 'fromToken' | null;

/**
 * Who makes a request over MCP. Calls count for the token that was sent, whoever the actions take the caller for, and without a token for
 * the address (contract/mcp-server.md#calls).
 */
export function mcpCaller(
  request: FastifyRequest,
  { principal, authorization }: RequestCaller,
  from: McpPrincipal,
): DirectCaller {
  const nobody = anonymousPrincipal(`mcp:${networkOf(request.ip)}`);
  const counted: Principal = principal.kind === 'signed-in' ? principal : nobody;
  const isKnown = from === 'fromToken' && principal.kind === 'signed-in';
  return {
    channel: 'mcp',
    principal: isKnown ? principal : nobody,
    counted,
    // A callback gets the token of a user only where that user is the caller.
    authorization: isKnown ? authorization : undefined,
    traceparent: traceContextOf(request),
  };
}
