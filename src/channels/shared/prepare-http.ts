import type { FastifyInstance } from 'fastify';
import { handleErrors } from './problem-json.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Adds what every answer of this server has (contract/errors.md#problem-documents): problem documents, the request's id and security
 * headers. JSON becomes the only kind of body that is accepted.
 */
export function prepareHttp(app: FastifyInstance): void {
  handleErrors(app);
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, next) => {
    void reply.header('x-request-id', request.id);
    next();
  });
  // eslint-disable-next-line max-params -- Fastify's hook has four
  app.addHook('onSend', (_request, reply, payload, next) => {
    for (const [name, value] of securityHeaderList) if (!reply.hasHeader(name)) void reply.header(name, value);
    next(null, payload);
  });
}

const securityHeaderList = Object.entries(securityHeaders);
