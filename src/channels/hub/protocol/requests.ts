import type { FastifyReply, FastifyRequest } from 'fastify';

/** Why a request was not let in: status and plain text, the hub protocol's own shape of an error. */
export interface HubRefusal {
  readonly status: 400 | 404 | 405 | 409 | 413 | 429 | 503;
  readonly text: string;
}

/** Answers with a refusal. */
export function refuse(reply: FastifyReply, refusal: HubRefusal): FastifyReply {
  return reply.code(refusal.status).type('text/plain; charset=utf-8').send(refusal.text);
}

/** Query names are matched in any case, as ASP.NET Core does; a repeated one counts as its values joined. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const query = request.query;
  if (typeof query !== 'object' || query === null) return undefined;
  const found = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : String(found[1]);
}

/**
 * The connection token that a request names. An empty one is none: Microsoft's C++ client sends it where it skips
 * negotiation.
 */
export function tokenOf(request: FastifyRequest): string | undefined {
  const token = queryValue(request, 'id');
  return token === '' ? undefined : token;
}
