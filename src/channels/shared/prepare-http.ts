import type { FastifyInstance } from 'fastify';
import { hasRepeatedNames } from '../../core/base/repeated-names.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { isCrowded } from './crowded-json.ts';
import { handleErrors } from './problem-json.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Adds what every answer of this server has (contract/errors.md#problem-documents): problem documents, the request's id and security
 * headers. JSON becomes the only kind of body that is accepted.
 */
export function prepareHttp(app: FastifyInstance): void {
  handleErrors(app);
  readJson(app);
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

/**
 * Reads JSON as Fastify does, and refuses an object with two members of one name: whoever has looked at the request before may have kept the
 * other one. It also refuses a body of more lists and objects than an honest one has.
 */
function readJson(app: FastifyInstance): void {
  const read = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (isCrowded(text)) {
      done(new HelperError('invalid_request', 'The body has too many values.'));
      return;
    }
    void read(request, text, (error, body: unknown) => {
      if (error !== null || !hasRepeatedNames(text, body)) done(error, body);
      else done(new HelperError('invalid_request', 'An object in the body has a name twice.'));
    });
  });
}

const securityHeaderList = Object.entries(securityHeaders);
