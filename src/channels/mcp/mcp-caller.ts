import type { FastifyRequest } from 'fastify';
import type { DirectCaller } from '../../core/direct/direct-call.ts';
import { anonymousPrincipal, type Principal } from '../../core/identity/principal.ts';
import { clientOf } from '../../core/identity/principal-of-claims.ts';
import { networkOf } from '../shared/client-network.ts';
import { credentialOf } from '../shared/credential-of.ts';
import { bearerToken, type RequestCaller } from '../shared/request-identity.ts';
import { traceContextOf } from '../shared/trace-context.ts';

/** How callers over MCP are told apart, and whether their users can be asked. */
export interface McpCallers {
  /** Whether the user of a request is the caller: with `mcpCallerPrincipal: fromToken`, and where a plugin has the hook of that name. */
  readonly knowsCallers: boolean;
  /** `endpoints.mcp.confirmations: page`. */
  readonly canConfirm: boolean;
}

/**
 * Who makes a request over MCP. Calls count for the user of the request, whoever the actions take the caller for, and without one for the
 * address (contract/mcp-server.md#calls).
 */
export function mcpCaller(
  request: FastifyRequest,
  { principal, authorization }: RequestCaller,
  { knowsCallers, canConfirm }: McpCallers,
): DirectCaller {
  const nobody = anonymousPrincipal(`mcp:${networkOf(request.ip)}`);
  const counted: Principal = principal.kind === 'signed-in' ? principal : nobody;
  const isKnown = knowsCallers && principal.kind === 'signed-in';
  // The roles of a token that names nobody count without a user.
  const hasRoles = knowsCallers && principal.roles.size > 0;
  // Also where a plugin knows the caller: what it has taken may be a token by which users sign in on the page of a question.
  const token = bearerToken(request.headers.authorization);
  return {
    channel: 'mcp',
    principal: isKnown ? principal : hasRoles ? { ...nobody, roles: principal.roles } : nobody,
    counted,
    // A callback gets the token of a user only where that user is the caller.
    authorization: isKnown ? authorization : undefined,
    traceparent: traceContextOf(request),
    canConfirm,
    program: principal.kind === 'signed-in' ? clientOf(principal.claims) : undefined,
    credential: token === undefined ? undefined : credentialOf(`Bearer ${token}`),
  };
}
