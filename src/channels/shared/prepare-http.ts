import type { FastifyInstance } from 'fastify';
import { handleErrors } from './problem-json.ts';
import { securityHeaders } from './security-headers.ts';

/** Bodies are checked as they came: nothing is converted, nothing removed, nothing filled in. */
export const strictValidation = {
  customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false },
} as const;

/**
 * What every answer of this server has in common (contract/errors.md#problem-documents): problem documents, the request's id, security headers, and
 * JSON as the only kind of body.
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
