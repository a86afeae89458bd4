import type { onRequestHookHandler } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

const json = 'application/json';

/**
 * Refuses a body that is not said to be JSON (contract/addresses.md#requests), before it is read: browsers send no JSON to another website
 * without asking it first. One that is missing is refused the same, which Fastify would take for a fault of its shape.
 */
export const requireJson: onRequestHookHandler = ({ headers }, _reply, next) => {
  if (!isJson(headers['content-type'])) throw new HelperError('not_json', 'The body must be application/json.');
  next();
};

function isJson(contentType: string | undefined): boolean {
  return contentType === json || contentType?.split(';', 1)[0]?.trim().toLowerCase() === json;
}
