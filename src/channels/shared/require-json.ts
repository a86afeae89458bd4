import type { onRequestHookHandler } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

const json = 'application/json';

/**
 * Refuses a body that is not declared as JSON (contract/addresses.md#requests) before the body is read. A browser does not send JSON to
 * another website without asking that website first. A missing type is refused in the same way, because Fastify would report it as a fault
 * of the body's shape.
 */
export const requireJson: onRequestHookHandler = ({ headers }, _reply, next) => {
  if (!isJson(headers['content-type'])) throw new HelperError('not_json', 'The body must be application/json.');
  next();
};

function isJson(contentType: string | undefined): boolean {
  return contentType === json || contentType?.split(';', 1)[0]?.trim().toLowerCase() === json;
}
