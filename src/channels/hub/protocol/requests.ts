import type { FastifyReply, FastifyRequest } from 'fastify';

/** Why a request was refused: a status and a plain text, which is the form of errors in the hub protocol. */
export interface HubRefusal {
  readonly status: 400 | 404 | 405 | 409 | 413 | 429 | 503;
  readonly text: string;
}

/** Answers with a refusal. */
export function refuse(reply: FastifyReply, refusal: HubRefusal): FastifyReply {
  return reply.code(refusal.status).type('text/plain; charset=utf-8').send(refusal.text);
}

/**
 * The value of a query parameter. Its name is matched in upper and lower case, as in ASP.NET Core. The values of a repeated parameter are
 * joined.
 */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const query = request.query;
  if (typeof query !== 'object' || query === null) return undefined;
  const found = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : String(found[1]);
}

/** The connection token of a request. An empty token counts as none: Microsoft's C++ client sends it when it skips negotiation. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const token = queryValue(request, 'id');
  return token === '' ? undefined : token;
}
