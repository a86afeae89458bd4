import type { FastifyRequest } from 'fastify';
import type { DirectCaller } from '../../core/direct/direct-call.ts';
import { anonymousPrincipal, type Principal } from '../../core/identity/principal.ts';
import { networkOf } from '../shared/client-network.ts';
import { credentialOf } from '../shared/credential-of.ts';
import type { RequestCaller } from '../shared/request-identity.ts';
import { traceContextOf } from '../shared/trace-context.ts';

/** Whose roles decide over MCP (`mcpCallerPrincipal`). */
export type McpPrincipal = 'fromToken' | null;

/** How callers over MCP are told apart, and whether their users can be asked. */
export interface McpCallers {
  readonly from: McpPrincipal;
  /** `endpoints.mcp.confirmations: page`. */
  readonly canConfirm: boolean;
}

/**
 * Who makes a request over MCP. Calls count for the token that was sent, whoever the actions take the caller for, and without a token for
 * the address (contract/mcp-server.md#calls).
 */
export function mcpCaller(
  request: FastifyRequest,
  { principal, authorization }: RequestCaller,
  { from, canConfirm }: McpCallers,
): DirectCaller {
  const nobody = anonymousPrincipal(`mcp:${networkOf(request.ip)}`);
  const counted: Principal = principal.kind === 'signed-in' ? principal : nobody;
  const isKnown = from === 'fromToken' && principal.kind === 'signed-in';
  // The roles of a token that names nobody count without a user.
  const hasRoles = from === 'fromToken' && principal.roles.size > 0;
  return {
    channel: 'mcp',
    principal: isKnown ? principal : hasRoles ? { ...nobody, roles: principal.roles } : nobody,
    counted,
    // A callback gets the token of a user only where that user is the caller.
    authorization: isKnown ? authorization : undefined,
    traceparent: traceContextOf(request),
    canConfirm,
    credential: authorization === undefined ? undefined : credentialOf(authorization),
  };
}
