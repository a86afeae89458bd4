import type { onRequestHookHandler } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

/**
 * Refuses a body that is not said to be JSON (wire.md 1), before it is read: browsers send no JSON to another website
 * without asking it first. One that is missing is refused the same, which Fastify would take for a fault of its shape.
 */
export const requireJson: onRequestHookHandler = ({ headers }, _reply, next) => {
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw new HelperError('not_json', 'The body must be application/json.');
  next();
};
