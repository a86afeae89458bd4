import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestErrorCode } from '../../core/errors/error-codes.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Problem } from '../../wire/problem.ts';

/** contract/errors.md: the status of every code that can answer a request. */
export const httpStatusByCode = {
  invalid_request: 400,
  snapshot_refused: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_owner: 403,
  not_found: 404,
  unknown_connection: 404,
  nothing_to_answer: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  turn_in_progress: 409,
  payload_too_large: 413,
  not_json: 415,
  rate_limited: 429,
  uri_too_long: 431,
  internal: 500,
  server_draining: 503,
  overloaded: 503,
  storage_unavailable: 503,
  cluster_unavailable: 503,
} as const satisfies Record<RequestErrorCode, number>;

const titles = {
  invalid_request: 'Invalid request',
  snapshot_refused: 'Snapshot refused',
  unauthenticated: 'Not authenticated',
  forbidden: 'Forbidden',
  not_owner: 'Not the owner',
  not_found: 'Not found',
  unknown_connection: 'Unknown connection',
  nothing_to_answer: 'Nothing to answer',
  method_not_allowed: 'Method not allowed',
  request_timeout: 'Request timeout',
  turn_in_progress: 'Turn in progress',
  payload_too_large: 'Payload too large',
  not_json: 'Not JSON',
  rate_limited: 'Too many requests',
  uri_too_long: 'Request header too large',
  internal: 'Internal error',
  server_draining: 'Server is shutting down',
  overloaded: 'Overloaded',
  storage_unavailable: 'Storage unavailable',
  cluster_unavailable: 'Cluster unavailable',
} as const satisfies Record<RequestErrorCode, string>;

/** The problem document of a code (RFC 9457, contract/errors.md#problem-documents). */
export function problemOf(code: RequestErrorCode, detail: string, requestId: string): Problem {
  return { type: 'about:blank', title: titles[code], status: httpStatusByCode[code], detail, code, requestId };
}

/** Answers with a problem document, which may have further members. With draining and overload, the answer says when to come back. */
export function sendProblem(
  reply: FastifyReply,
  code: RequestErrorCode,
  told: string | ({ readonly detail: string } & Readonly<Record<string, unknown>>),
): FastifyReply {
  const { detail, ...further } = typeof told === 'string' ? { detail: told } : told;
  const problem = { ...problemOf(code, detail, reply.request.id), ...further };
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
  if (problem.status === 503) void reply.header('retry-after', '1');
  return (
    reply
      .code(problem.status)
      .header('cache-control', 'no-store')
      .type('application/problem+json')
      // Bytes, since Fastify adds a charset to texts and RFC 9457 knows none.
      .send(Buffer.from(JSON.stringify(problem)))
  );
}

/** Turns every error of a request into a problem document. A fault of the server is logged, and its message is not shown. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | HelperError, request, reply) => {
    const { code, detail } = faultOf(error, request);
    if (error instanceof HelperError && error.retryAfterMs !== undefined) {
      void reply.header('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
    }
    if (httpStatusByCode[code] >= 500) request.log.error({ error, requestId: request.id }, 'a request failed');
    return sendProblem(reply, code, { ...(error instanceof HelperError ? error.details : {}), detail });
  });
  app.setNotFoundHandler((request, reply) => answerUnknownAddress(app, request, reply));
}

/** Answers a request that meets no route: 405 where another method would, else 404. */
export function answerUnknownAddress(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = allowedMethods(app, request);
  if (allowed.length === 0) return sendProblem(reply, 'not_found', 'There is nothing at this address.');
  void reply.header('allow', allowed.join(', '));
  return sendProblem(reply, 'method_not_allowed', `This address answers ${allowed.join(' and ')} only.`);
}

/** The code of an error of a request, and what its sender may read of it. */
export function faultOf(
  error: FastifyError | HelperError,
  request: FastifyRequest,
): { readonly code: RequestErrorCode; readonly detail: string } {
  if (error instanceof HelperError) {
    // The message of a server fault may contain internal details, so it is only logged.
    return { code: error.code, detail: error.code === 'internal' ? internalDetail : error.message };
  }
  if (error.validation !== undefined) return { code: 'invalid_request', detail: error.message };
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { code: 'not_json', detail: 'The body must be application/json.' };
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'payload_too_large', detail: 'The body is larger than this address takes.' };
    default:
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) return { code: 'internal', detail: internalDetail };
  if (status === 413) return { code: 'payload_too_large', detail: 'The body is larger than this address takes.' };
  request.log.debug({ error, requestId: request.id }, 'a malformed request');
  return { code: 'invalid_request', detail: 'The request is malformed.' };
}

const internalDetail = 'Something went wrong in the server. The log has it under this request id.';

function allowedMethods(app: FastifyInstance, request: FastifyRequest): string[] {
  const url = request.url.split('?', 1)[0] ?? '/';
  return ['GET', 'POST', 'PATCH', 'DELETE'].filter((method) => app.hasRoute({ method, url }));
}
